"""Sound → mouth: closed in silence, open in vowels, teeth in hissing, any portions."""

from itertools import pairwise

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from agent.avatar.mouth import CLOSED
from agent.avatar.sound_track import SoundTrack
from agent.avatar.spectral import SpectralMouth
from tests.agent.avatar.fakes import RATE_HZ, tone

Samples = npt.NDArray[np.int16]


def vowel(seconds: float) -> Samples:
    return np.frombuffer(tone(seconds).data, np.int16)


def silence(seconds: float) -> Samples:
    return np.zeros(round(seconds * RATE_HZ), np.int16)


def hiss(seconds: float) -> Samples:
    noise = np.random.default_rng(3).normal(size=round(seconds * RATE_HZ))
    return (np.diff(noise, prepend=0.0) * 3_000).astype(np.int16)


def test_silence_keeps_the_mouth_closed() -> None:
    poses = SpectralMouth(RATE_HZ).push(silence(0.5))

    assert {pose.pose for pose in poses} == {CLOSED}


@given(amplitude=st.integers(0, 40))
def test_the_noise_floor_keeps_the_mouth_closed(amplitude: int) -> None:
    noise = np.random.default_rng(5).normal(size=4_800).clip(-3, 3) * amplitude

    poses = SpectralMouth(RATE_HZ).push(noise.astype(np.int16))

    assert {pose.pose for pose in poses} == {CLOSED}


def test_a_vowel_opens_the_mouth() -> None:
    poses = SpectralMouth(RATE_HZ).push(vowel(0.3))

    assert all(pose.pose.open > 0.4 for pose in poses)


def test_hissing_shows_teeth_in_a_nearly_closed_mouth() -> None:
    poses = SpectralMouth(RATE_HZ).push(hiss(0.3))

    assert all(pose.pose.teeth == 1.0 and pose.pose.open < 0.2 for pose in poses)


@given(cuts=st.lists(st.integers(1, 4_000), max_size=12))
def test_it_does_not_matter_in_which_portions_sound_arrives(cuts: list[int]) -> None:
    sound = np.concatenate([silence(0.05), vowel(0.2), hiss(0.1)])
    once, growing = SpectralMouth(RATE_HZ), SpectralMouth(RATE_HZ)
    edges = sorted({min(sum(cuts[:i]), len(sound)) for i in range(len(cuts) + 1)} | {len(sound)})

    portions = [growing.push(sound[a:b]) for a, b in pairwise(edges)]

    assert [pose for portion in portions for pose in portion] == once.push(sound)


def test_any_rate_of_a_voice_is_understood() -> None:
    for rate_hz in (8_000, 16_000, 22_050, 44_100, 48_000):
        assert SpectralMouth(rate_hz).push(np.zeros(rate_hz, np.int16))


def test_given_sound_of_a_minute_when_asked_at_its_start_then_little_is_analysed() -> None:
    track = SoundTrack(RATE_HZ)
    track.extend(0.0, np.tile(vowel(1.0), 60))

    opened = track.at(0.1).open

    assert opened > 0.4
    assert track.analysed_s < 0.2


def test_beyond_its_sound_a_track_is_closed() -> None:
    track = SoundTrack(RATE_HZ)
    track.extend(0.0, vowel(0.5))

    assert track.at(0.4).open > 0.4
    assert track.at(0.6) == CLOSED


def test_given_a_gap_in_the_sound_then_the_mouth_is_closed_in_it_and_right_after_it() -> None:
    track = SoundTrack(RATE_HZ)
    track.extend(0.0, vowel(0.3))
    track.extend(1.0, vowel(0.3))

    assert track.at(0.15).open > 0.4
    assert track.at(0.7) == CLOSED
    assert track.at(1.15).open > 0.4
