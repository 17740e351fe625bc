"""The avatar's own sound, fed back through a loudspeaker, does not reach its ears."""

import numpy as np
import pytest
from livekit import rtc
from numpy.typing import NDArray

from agent.worker.echo import RATE_HZ, EchoCanceller, FarEnd

FRAME = RATE_HZ // 20
"""50 ms, as the room gives them."""


def murmur(seconds: float, *, seed: int) -> NDArray[np.float64]:
    """Return noise with the loudness of syllables, about as loud as a voice."""
    random = np.random.default_rng(seed)
    count = int(seconds * RATE_HZ)
    syllables = np.clip(np.sin(np.arange(count) * 2 * np.pi * 4 / RATE_HZ), 0, 1)
    coloured = np.convolve(random.standard_normal(count), np.ones(6) / 6, "same")
    return np.asarray(coloured * syllables * 6_000, np.float64)


def speech(seconds: float, *, seed: int) -> NDArray[np.float64]:
    """Return noise whose syllables come and go irregularly, as no two speakers' do alike."""
    random = np.random.default_rng(seed)
    count = int(seconds * RATE_HZ)
    marks = np.cumsum(random.uniform(0.08, 0.3, count // 1_000))
    levels = random.uniform(0.0, 1.0, len(marks)) ** 2
    loud = np.interp(np.arange(count) / RATE_HZ, marks, levels)
    coloured = np.convolve(random.standard_normal(count), np.ones(6) / 6, "same")
    return np.asarray(coloured * loud * 6_000, np.float64)


def heard(canceller: EchoCanceller, mic: NDArray[np.float64]) -> NDArray[np.float64]:
    frames = [
        rtc.AudioFrame(mic[at : at + FRAME].astype(np.int16).tobytes(), RATE_HZ, 1, FRAME)
        for at in range(0, len(mic) - FRAME + 1, FRAME)
    ]
    return np.concatenate(
        [np.frombuffer(canceller._process(frame).data, np.int16).astype(float) for frame in frames]
    )


def loudness_db(sound: NDArray[np.float64]) -> float:
    return float(10 * np.log10((sound**2).mean() + 1e-9))


@pytest.mark.parametrize("fed_back_db", [-20, -10])
@pytest.mark.parametrize("delay_s", [0.1, 0.3])
def test_given_its_own_sound_fed_back_then_nearly_nothing_is_left(
    fed_back_db: int, delay_s: float
) -> None:
    far_end = FarEnd()
    canceller = EchoCanceller(far_end)
    voice = murmur(6.0, seed=1)
    delay = int(delay_s * RATE_HZ)
    mic = np.zeros(len(voice) + delay)
    mic[delay:] = voice * 10 ** (fed_back_db / 20)

    far_end.give(voice.astype(np.int16))
    far_end.playing = True
    left = heard(canceller, mic)

    settled = delay + 2 * RATE_HZ
    assert loudness_db(left[settled:]) < loudness_db(mic[settled : len(left)]) - 15


def test_given_echo_whose_delay_jumps_then_most_of_it_is_still_taken_out() -> None:
    far_end = FarEnd()
    canceller = EchoCanceller(far_end)
    voice = speech(12.0, seed=1)
    mic = np.zeros(len(voice) + RATE_HZ)
    for number, start in enumerate(range(0, len(voice), RATE_HZ)):
        late = start + int((0.15, 0.5, 0.3, 0.6)[number % 4] * RATE_HZ)
        part = voice[start : start + RATE_HZ] * 0.3
        mic[late : late + len(part)] += part[: len(mic) - late]

    far_end.give(voice.astype(np.int16))
    far_end.playing = True
    left = heard(canceller, mic)

    assert np.mean(np.abs(left) > 300) < 0.5 * np.mean(np.abs(mic) > 300)


def test_given_a_person_who_speaks_over_the_avatar_then_their_voice_passes() -> None:
    far_end = FarEnd()
    canceller = EchoCanceller(far_end)
    voice, person = speech(6.0, seed=1), speech(3.0, seed=2)
    delay, onset = RATE_HZ // 5, 2 * RATE_HZ
    mic = np.zeros(len(voice) + delay)
    mic[delay:] = voice * 0.3
    mic[onset : onset + len(person)] += person

    far_end.give(voice.astype(np.int16))
    far_end.playing = True
    left = heard(canceller, mic)

    during = slice(onset, onset + len(person))
    assert loudness_db(left[during]) > loudness_db(person) - 6


def test_given_the_avatar_is_silent_then_a_persons_voice_passes() -> None:
    canceller = EchoCanceller(FarEnd())
    person = murmur(3.0, seed=2)

    passed = heard(canceller, person)

    assert abs(loudness_db(passed[RATE_HZ:]) - loudness_db(person[RATE_HZ : len(passed)])) < 3


def test_given_sound_that_waits_to_be_played_then_the_far_end_is_silent() -> None:
    far_end = FarEnd()
    far_end.give(np.ones(100, np.int16))

    waiting = far_end.take(50)
    far_end.playing = True
    played = far_end.take(150)

    assert not waiting.any()
    assert played.tolist() == [1] * 100 + [0] * 50


def test_given_the_avatar_was_silent_for_a_while_then_frames_pass_as_they_are() -> None:
    far_end = FarEnd()
    canceller = EchoCanceller(far_end)
    voice = murmur(4.0, seed=1)
    far_end.give(voice.astype(np.int16))
    far_end.playing = True
    heard(canceller, voice * 0.3)

    far_end.clear()
    at_once = heard(canceller, voice)
    rested = heard(canceller, voice)

    assert not np.array_equal(at_once, voice[: len(at_once)].astype(np.int16))
    assert np.array_equal(rested, voice[: len(rested)].astype(np.int16))


def test_given_it_rested_when_the_avatar_speaks_again_then_its_sound_is_taken_out() -> None:
    far_end = FarEnd()
    canceller = EchoCanceller(far_end)
    voice = murmur(6.0, seed=1)
    delay = int(0.1 * RATE_HZ)
    mic = np.zeros(len(voice) + delay)
    mic[delay:] = voice * 0.3
    far_end.give(voice.astype(np.int16))
    far_end.playing = True
    heard(canceller, mic)
    far_end.clear()
    heard(canceller, murmur(4.0, seed=2))

    far_end.give(voice.astype(np.int16))
    far_end.playing = True
    left = heard(canceller, mic)

    settled = delay + 2 * RATE_HZ
    assert loudness_db(left[settled:]) < loudness_db(mic[settled : len(left)]) - 15
