"""Laws of cutting sound into utterances."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from agent.worker.plugins.utterances import (
    WINDOW_S,
    WINDOW_SAMPLES,
    Cue,
    CueKind,
    Pace,
    Utterances,
)

PACE = Pace()
SPEECH, SILENCE = 0.9, 0.01
SOUNDS = st.lists(st.tuples(st.booleans(), st.integers(1, 60)), max_size=12)


def cues(*stretches: tuple[float, int]) -> list[tuple[float, Cue]]:
    """Feed stretches of windows; each cue comes with the seconds listened to so far."""
    utterances = Utterances(PACE)
    window = np.full(WINDOW_SAMPLES, 100, np.int16)
    found: list[tuple[float, Cue]] = []
    for probability, count in stretches:
        for _ in range(count):
            new = utterances.push(window, probability)
            found += [(utterances.listened_s, cue) for cue in new]
    return [*found, *((utterances.listened_s, cue) for cue in utterances.flush())]


def windows(seconds: float) -> int:
    return round(seconds / WINDOW_S)


def kinds(found: list[tuple[float, Cue]]) -> list[str]:
    return [cue.kind.value for _, cue in found]


@given(SOUNDS)
def test_every_utterance_ends_once_and_in_order(sounds: list[tuple[bool, int]]) -> None:
    found = cues(*((SPEECH if loud else SILENCE, count) for loud, count in sounds))

    over = [cue for _, cue in found if cue.kind in (CueKind.ENDED, CueKind.VANISHED)]
    assert [cue.utterance for cue in over] == list(range(1, len(over) + 1))
    assert all(a.end_s <= b.start_s for a, b in pairwise(over))


@given(SOUNDS)
def test_times_lie_in_what_was_listened_to(sounds: list[tuple[bool, int]]) -> None:
    for listened_s, cue in cues(*((SPEECH if on else SILENCE, n) for on, n in sounds)):
        assert 0 <= cue.start_s < cue.end_s <= listened_s + 1e-9
        assert len(cue.pcm) / 16_000 <= PACE.longest_s + PACE.pre_roll_s


def test_given_silence_when_listened_to_then_there_is_nothing() -> None:
    assert cues((SILENCE, 500)) == []


def test_given_a_click_when_listened_to_then_it_vanishes() -> None:
    assert kinds(cues((SILENCE, 30), (SPEECH, 2), (SILENCE, 30)))[-1] == "vanished"


def test_given_speech_when_a_pause_begins_then_it_is_told_before_the_end_with_the_same_words() -> (
    None
):
    found = cues((SILENCE, 30), (SPEECH, 10), (SILENCE, 30))

    (paused_s, paused), (ended_s, ended) = found
    assert (paused.kind, ended.kind) == (CueKind.PAUSED, CueKind.ENDED)
    assert paused.revision == ended.revision
    assert paused_s - paused.end_s <= 0.1
    assert ended_s - ended.end_s <= 0.2


def test_given_speech_that_goes_on_after_a_pause_when_it_ends_then_the_words_are_not_the_same() -> (
    None
):
    found = cues((SILENCE, 30), (SPEECH, 10), (SILENCE, 3), (SPEECH, 10), (SILENCE, 30))

    assert kinds(found) == ["paused", "grown", "paused", "ended"]
    assert found[0][1].revision != found[-1][1].revision


def test_interim_cues_come_every_half_second_of_speech() -> None:
    told = [s for s, cue in cues((SPEECH, windows(5.0))) if cue.kind is CueKind.GROWN]

    gaps = [b - a for a, b in pairwise(told)]
    assert len(told) >= 9
    assert all(0.45 <= gap <= 0.55 for gap in gaps)


def test_the_sound_before_somebody_was_noticed_belongs_to_the_utterance() -> None:
    ((_, first), *_rest) = cues((SILENCE, 100), (SPEECH, 40))

    assert len(first.pcm) / 16_000 >= first.end_s - first.start_s + 0.3


def test_given_endless_speech_when_listened_to_then_it_is_cut_and_nothing_is_lost() -> None:
    count = windows(100.0)

    ends = [cue for _, cue in cues((SPEECH, count)) if cue.kind is CueKind.ENDED]

    assert len(ends) >= 4
    assert sum(len(cue.pcm) for cue in ends) == count * WINDOW_SAMPLES


def test_given_endless_speech_when_it_is_quieter_somewhere_then_it_is_cut_there() -> None:
    found = cues((SPEECH, windows(18)), (0.4, 1), (SPEECH, windows(10)))

    first = next(cue for _, cue in found if cue.kind is CueKind.ENDED)
    assert abs(first.end_s - 18.0) < 0.1
