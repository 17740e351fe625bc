"""Which characters sound when."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.speech.alignment import TimedWord, typography, voiced_words
from tests.agent.speech.saying import timed
from trail.events.delivery import VoicedWord


def laid(text: str, spoken: str, **more: bool) -> list[tuple[str, float]]:
    """Prefixes of ``text`` and when they have sounded, if each spoken word takes a second."""
    words = timed(spoken)
    return ends(
        text,
        voiced_words(
            text,
            (0, len(text)),
            start_s=0.0,
            duration_s=float(len(words)),
            words=words,
            **more,
        ),
    )


def ends(text: str, voiced: tuple[VoicedWord, ...]) -> list[tuple[str, float]]:
    return [(text[: word.chars_to], round(word.end_s, 2)) for word in voiced]


def test_given_markup_when_the_voice_speaks_the_words_then_cuts_keep_the_markup() -> None:
    assert laid("It is **Lisbon**, I [think](https://x.org)!", "It is Lisbon I think") == [
        ("It", 1.0),
        ("It is", 2.0),
        ("It is **Lisbon**,", 3.0),
        ("It is **Lisbon**, I", 4.0),
        ("It is **Lisbon**, I [think](https://x.org)!", 5.0),
    ]


def test_given_a_number_when_it_is_spoken_in_words_then_it_ends_with_the_last_of_them() -> None:
    assert laid("It costs $5 today", "it costs five dollars today") == [
        ("It", 1.0),
        ("It costs", 2.0),
        ("It costs $5", 4.0),
        ("It costs $5 today", 5.0),
    ]


def test_given_an_emoji_when_the_voice_passes_over_it_then_it_has_no_time() -> None:
    assert laid("Hello 😀 there", "Hello there") == [("Hello", 1.0), ("Hello 😀 there", 2.0)]


def test_given_words_the_voice_had_no_time_to_say_then_they_have_no_time() -> None:
    spoken = [TimedWord(text="Look", start_s=0.0, end_s=0.5)]

    voiced = voiced_words(
        "Look supercalifragilistic", (0, 25), start_s=0.0, duration_s=0.6, words=spoken
    )

    assert [word.chars_to for word in voiced] == [4]


def test_given_a_voice_that_stops_giving_times_then_the_rest_is_estimated() -> None:
    spoken = [TimedWord(text="One", start_s=0.0, end_s=1.0)]

    voiced = voiced_words("One two three", (0, 13), start_s=0.0, duration_s=3.0, words=spoken)

    assert [(word.chars_to, word.estimated) for word in voiced] == [
        (3, False),
        (7, True),
        (13, True),
    ]


def test_given_timed_sound_cut_off_while_made_then_words_without_a_time_were_not_said() -> None:
    spoken = [TimedWord(text="One", start_s=-0.1, end_s=1.0)]

    voiced = voiced_words("One two", (0, 7), start_s=0.0, duration_s=3.0, words=spoken, whole=False)

    assert [(word.chars_to, word.start_s, word.end_s) for word in voiced] == [(3, 0.0, 1.0)]


def test_given_sound_cut_off_while_made_then_text_beyond_its_length_has_no_time() -> None:
    text = "a sentence whose sound was cut off while it was being made by the voice"

    voiced = voiced_words(text, (0, len(text)), start_s=0.0, duration_s=1.0, whole=False)

    assert 0 < voiced[-1].chars_to < len(text) // 2
    assert voiced[-1].end_s <= 1.0


def test_given_a_script_without_spaces_then_each_character_is_a_word() -> None:
    voiced = voiced_words("你好吗", (0, 3), start_s=0.0, duration_s=3.0)

    assert [word.chars_to for word in voiced] == [1, 2, 3]


@pytest.mark.parametrize(
    "words",
    [
        tuple(reversed(timed("one two"))),
        (TimedWord(text="one", start_s=float("nan"), end_s=1.0),),
        (TimedWord(text="one", start_s=2.0, end_s=1.0),),
    ],
)
def test_given_times_that_make_no_sense_then_they_are_estimated(
    words: tuple[TimedWord, ...],
) -> None:
    voiced = voiced_words("one two", (0, 7), start_s=0.0, duration_s=2.0, words=words)

    assert [(word.chars_to, word.end_s, word.estimated) for word in voiced] == [
        (3, 1.0, True),
        (7, 2.0, True),
    ]


@pytest.mark.parametrize(
    ("text", "only"), [(" **.\n", True), ("😀", False), ("x", False), ("", True)]
)
def test_typography_is_what_nobody_misses(text: str, only: bool) -> None:  # noqa: FBT001 (a table)
    assert typography(text) is only


@given(
    text=st.text(alphabet="ab c*. 😀1é你", max_size=60),
    spoken=st.lists(st.sampled_from(["a", "ab", "c", "one", "é"]), max_size=12),
    start_s=st.floats(min_value=0, max_value=100),
    duration_s=st.floats(min_value=0, max_value=60),
    whole=st.booleans(),
)
def test_words_advance_in_characters_and_time_and_stay_within_the_sound(
    text: str, spoken: list[str], start_s: float, duration_s: float, *, whole: bool
) -> None:
    voiced = voiced_words(
        text,
        (0, len(text)),
        start_s=start_s,
        duration_s=duration_s,
        words=timed(" ".join(spoken)),
        whole=whole,
    )

    chars = [word.chars_to for word in voiced]
    times = [word.end_s for word in voiced]
    assert chars == sorted(set(chars))
    assert times == sorted(times)
    assert all(start_s <= w.start_s <= w.end_s <= start_s + duration_s for w in voiced)
    assert all(0 < to <= len(text) and not text[to - 1].isspace() for to in chars)
