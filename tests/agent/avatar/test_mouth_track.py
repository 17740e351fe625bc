"""Phonemes with times → mouths: closed in silence, shaded by neighbours, smooth."""

# ruff: noqa: RUF001  (letters of the phonetic alphabet)

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from agent.avatar.mouth import CLOSED, blend
from agent.avatar.mouth_track import MouthTrack, TimedPhoneme
from agent.avatar.visemes import SOUNDS

SYMBOLS = sorted(SOUNDS)


def word(symbols: str, *, start_s: float = 0.5, each_s: float = 0.08) -> list[TimedPhoneme]:
    return [
        (symbol, start_s + i * each_s, start_s + (i + 1) * each_s)
        for i, symbol in enumerate(symbols)
    ]


def track(*words: list[TimedPhoneme]) -> MouthTrack:
    mouths = MouthTrack()
    for phonemes in words:
        mouths.extend(phonemes)
    return mouths


def test_given_no_phonemes_then_the_mouth_is_closed() -> None:
    assert MouthTrack().at(1.0) == CLOSED


@given(symbols=st.lists(st.sampled_from(SYMBOLS), min_size=1, max_size=20))
def test_before_and_after_speech_the_mouth_is_closed(symbols: list[str]) -> None:
    mouths = track(word("".join(symbols)))

    assert mouths.at(0.0) == CLOSED
    assert mouths.at(mouths.end_s + 0.4) == CLOSED


@given(
    symbols=st.lists(st.sampled_from(SYMBOLS), min_size=1, max_size=20),
    t_s=st.floats(0.0, 3.0),
)
def test_a_mouth_stays_within_its_bounds(symbols: list[str], t_s: float) -> None:
    pose = track(word("".join(symbols))).at(t_s)

    assert all(0 <= x <= 1 for x in (pose.open, pose.teeth, pose.press, pose.tongue))
    assert -1 <= pose.wide <= 1


@given(symbols=st.lists(st.sampled_from(SYMBOLS), min_size=1, max_size=12))
def test_a_mouth_does_not_jump(symbols: list[str]) -> None:
    mouths = track(word("".join(symbols), each_s=0.1))
    opened = [mouths.at(0.3 + i * 0.002).open for i in range(700)]

    assert max(abs(b - a) for a, b in pairwise(opened)) < 0.12


def test_a_vowel_opens_and_m_closes() -> None:
    mouths = track(word("mɑm"))

    assert mouths.at(0.54).press > 0.75
    assert mouths.at(0.62).open > 0.4
    assert mouths.at(0.70).press > 0.75


def test_given_a_long_word_then_the_lips_still_meet_within_it() -> None:
    mouths = track(word("hæmbɜɡɚ"))

    assert mouths.at(0.5 + 2.5 * 0.08).open < 0.2


def test_a_t_before_oo_is_rounder_than_before_ee() -> None:
    before_oo, before_ee = track(word("tu")), track(word("ti"))

    assert before_oo.at(0.57).wide < before_ee.at(0.57).wide - 0.2


def test_a_diphthong_moves_from_its_first_mouth_to_its_second() -> None:
    mouths = track([("I", 0.5, 0.8)])

    assert mouths.at(0.55).open > 0.7
    assert mouths.at(0.75).open < 0.5
    assert mouths.at(0.75).wide > mouths.at(0.55).wide


def test_a_space_is_glided_through_and_a_pause_closes() -> None:
    glided = track([("ɑ", 0.5, 0.7), (" ", 0.7, 0.74), ("ɑ", 0.74, 0.9)])
    paused = track([("ɑ", 0.5, 0.7), (",", 0.7, 1.1), ("ɑ", 1.1, 1.3)])
    unmarked = track([("ɑ", 0.5, 0.7), (" ", 0.7, 1.1), ("ɑ", 1.1, 1.3)])

    assert glided.at(0.72).open > 0.6
    assert paused.at(0.9).open < 0.05
    assert unmarked.at(0.9).open < 0.05


def test_a_length_mark_prolongs_the_sound_before_it() -> None:
    mouths = track([("ɑ", 0.5, 0.6), ("ː", 0.6, 0.9)])

    assert mouths.at(0.85).open > 0.6


@given(symbols=st.lists(st.sampled_from(SYMBOLS), min_size=2, max_size=12), cut=st.integers(0, 12))
def test_it_does_not_matter_in_which_portions_phonemes_arrive(symbols: list[str], cut: int) -> None:
    whole = word("".join(symbols))
    once, growing = track(whole), track(whole[:cut], whole)

    assert [once.at(i / 50) for i in range(100)] == [growing.at(i / 50) for i in range(100)]


def test_a_stressed_vowel_takes_half_the_time_of_its_mark() -> None:
    plain = track([("l", 0.5, 0.6), (" ", 0.6, 0.7), ("ɑ", 0.7, 0.8)])
    stressed = track([("l", 0.5, 0.6), ("ˈ", 0.6, 0.7), ("ɑ", 0.7, 0.8)])

    assert stressed.at(0.66).open > plain.at(0.66).open + 0.05


def test_the_mean_of_nothing_is_closed() -> None:
    assert blend([]) == CLOSED
