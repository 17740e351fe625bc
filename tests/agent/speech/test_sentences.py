"""Laws and examples of the splitter that decides when a sentence may be spoken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.speech.sentences import LONGEST_CHARS, Sentences

WRITING = st.text(st.sampled_from("aB1 .,!?;:-—…\n\"'“”()x"), max_size=600) | st.text(max_size=300)


def pieces(*chunks: str, early_clause: bool = True) -> list[str]:
    splitter = Sentences(early_clause=early_clause)
    out = [piece for chunk in chunks for piece in splitter.push(chunk)]
    return [*out, *splitter.end()]


@given(st.lists(WRITING, max_size=6))
def test_the_pieces_joined_are_the_text(chunks: list[str]) -> None:
    assert "".join(pieces(*chunks)) == "".join(chunks)


@given(st.data())
def test_how_the_text_comes_in_makes_no_difference(data: st.DataObject) -> None:
    text = data.draw(WRITING)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    chunks = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]

    assert pieces(*chunks) == pieces(text)


@given(WRITING)
def test_no_piece_is_empty_or_longer_than_the_limit(text: str) -> None:
    found = pieces(text)

    assert all(0 < len(piece) <= LONGEST_CHARS for piece in found[:-1])
    assert all(found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dr. Smith lives on St. Mark's Rd. in Porto.", 1),
        ("It opens at 7 p.m. and closes late. Come along then!", 2),
        ("It costs 3.50 in the U.S. and 1,000.25 elsewhere. That is a lot.", 2),
        ("J. K. Rowling wrote it in 1997. Everybody knows that.", 2),
        ('"What?" she asked. "I never said that!" He laughed about it.', 3),
        ("Wait... I am thinking about it. Now I know it.", 3),
        ("Well... maybe it is so, as you say.", 1),
        ("1. Buy some milk today.\n2. Call your mother tonight.", 2),
        ("Yes. I think so too, my friend.", 2),
        ("See e.g. the old harbour. It is lovely there.", 2),
    ],
)
def test_given_writing_when_cut_then_only_sentences_end(text: str, expected: int) -> None:
    assert len(pieces(text, early_clause=False)) == expected


def test_given_an_end_when_the_next_letter_is_seen_then_the_sentence_leaves_at_once() -> None:
    splitter = Sentences()

    assert splitter.push("The capital is Lisbon.") == []
    assert splitter.push(" I") == ["The capital is Lisbon. "]


def test_given_a_long_first_sentence_when_its_first_clause_stands_alone_then_it_leaves() -> None:
    splitter = Sentences()

    assert splitter.push("I would love to tell you about it, but ") == [
        "I would love to tell you about it, "
    ]


@pytest.mark.parametrize(
    "text",
    [
        "If you ever come to Porto, you must see ",
        "I like apples and pears, plums and ",
        "Well, I do not know ",
        'She said "come here at once, and ',
    ],
)
def test_given_a_clause_that_cannot_stand_alone_when_pushed_then_it_waits(text: str) -> None:
    assert Sentences().push(text) == []


def test_given_the_second_sentence_when_it_has_a_clause_then_it_is_not_cut() -> None:
    splitter = Sentences()
    splitter.push("Hello there. It")

    assert splitter.push(" is a lovely morning in town, and I am ") == []


def test_given_writing_without_an_end_when_it_grows_too_long_then_it_is_cut_after_a_word() -> None:
    found = pieces("word " * 200)

    assert all(piece.endswith(" ") for piece in found)
