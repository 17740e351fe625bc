"""Times of written words from the times of what the voice read."""

from hypothesis import given
from hypothesis import strategies as st

from agent.local.word_times import ReadWord, Timed, written_word_times

WORDS = st.lists(st.sampled_from(["a", "b", "7:30", "seven", "thirty", "—", "pm"]), max_size=12)


@st.composite
def read_words(draw: st.DrawFn) -> list[ReadWord]:
    at = 0.0
    out: list[ReadWord] = []
    for text in draw(WORDS):
        begin = at + draw(st.floats(0, 0.5))
        at = begin + draw(st.floats(0, 0.5))
        out.append(ReadWord(text, None if draw(st.booleans()) else (begin, at)))
    return out


@given(WORDS, read_words())
def test_times_never_run_backwards_and_stay_within_what_was_read(
    written: list[str], read: list[ReadWord]
) -> None:
    said = written_word_times(written, read)

    edges = [edge for word in said for edge in (word.start_s, word.end_s)]
    spans = [word.span for word in read if word.span]
    assert edges == sorted(edges)
    assert all(spans[0][0] <= edge <= spans[-1][1] for edge in edges)


@given(WORDS, read_words())
def test_what_was_said_is_what_was_written_in_order(
    written: list[str], read: list[ReadWord]
) -> None:
    rest = iter(written)

    assert all(word.text in rest for word in written_word_times(written, read))


def test_given_a_time_read_as_two_words_when_timed_then_the_written_word_has_both() -> None:
    read = [ReadWord("at", (0, 1)), ReadWord("seven", (1, 2)), ReadWord("thirty", (2, 3))]

    assert written_word_times(["at", "7:30"], read) == (Timed("at", 0, 1), Timed("7:30", 1, 3))


def test_given_a_dash_when_timed_then_it_is_no_word() -> None:
    read = [ReadWord("well", (0, 1)), ReadWord("—", None), ReadWord("yes", (1, 2))]

    assert [w.text for w in written_word_times(["well", "—", "yes"], read)] == ["well", "yes"]
