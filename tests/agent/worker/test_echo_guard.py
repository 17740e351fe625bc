"""Sound that a canceller missed is told from a person by which bands of it are loud when."""

import numpy as np
import pytest
from numpy.typing import NDArray

from agent.worker.echo_guard import EchoGuard

FAR_HZ, NEAR_HZ = 24_000, 16_000
STEP_S = 0.05


def voice(seconds: float, rate_hz: int, *, seed: int) -> NDArray[np.float64]:
    """Return noise whose bands come and go by themselves, as those of a voice do."""
    random = np.random.default_rng(seed)
    count = int(seconds * rate_hz)
    spectrum = np.fft.rfft(np.random.default_rng(seed + 1).standard_normal(count))
    hz = np.fft.rfftfreq(count, 1 / rate_hz)
    sound = np.zeros(count)
    for low_hz, high_hz in ((150, 500), (500, 1_200), (1_200, 2_500), (2_500, 5_000)):
        band = np.fft.irfft(np.where((hz >= low_hz) & (hz < high_hz), spectrum, 0), count)
        levels = random.uniform(0, 1, int(seconds * 10) + 2) ** 2
        envelope = np.interp(np.arange(count) / rate_hz * 10, np.arange(len(levels)), levels)
        sound += envelope * band / np.abs(band).mean()
    return sound * 2_000


def judged(
    played: NDArray[np.float64], heard: NDArray[np.float64], *, left: float = 1.0
) -> list[bool]:
    """Return what the guard says of each stretch once it has heard a second."""
    guard = EchoGuard()
    far, near = int(FAR_HZ * STEP_S), int(NEAR_HZ * STEP_S)
    said = [
        guard.is_echo(
            played[number * far : (number + 1) * far].astype(np.int16),
            heard[number * near : (number + 1) * near].astype(np.int16),
            (heard[number * near : (number + 1) * near] * left).astype(np.int16),
            rates_hz=(FAR_HZ, NEAR_HZ),
        )
        for number in range(min(len(played) // far, len(heard) // near))
    ]
    return said[int(1 / STEP_S) :]


def echo(seconds: float, *, seed: int, delay_s: float) -> NDArray[np.float64]:
    """Return the same voice as a microphone gets it, later and quieter."""
    near = voice(seconds, FAR_HZ, seed=seed)
    at = np.arange(int(seconds * NEAR_HZ)) / NEAR_HZ - delay_s
    return np.interp(at, np.arange(len(near)) / FAR_HZ, near, left=0.0) * 0.3


@pytest.mark.parametrize("delay_s", [0.08, 0.168, 0.7])
def test_given_echo_then_it_is_known_at_any_delay(delay_s: float) -> None:
    said = judged(voice(6, FAR_HZ, seed=1), echo(6, seed=1, delay_s=delay_s))

    assert np.mean(said) > 0.9


def test_given_a_microphone_that_levels_loudness_then_echo_is_known_all_the_same() -> None:
    heard = echo(6, seed=1, delay_s=0.15)
    loud = np.sqrt(np.convolve(heard**2, np.ones(800) / 800, "same"))

    said = judged(voice(6, FAR_HZ, seed=1), heard / (loud + 100) * 1_500)

    assert np.mean(said) > 0.9


def test_given_another_voice_then_it_is_no_echo() -> None:
    said = judged(voice(6, FAR_HZ, seed=1), voice(6, NEAR_HZ, seed=5))

    assert np.mean(said) < 0.1


def test_given_another_voice_over_the_echo_then_it_is_no_echo() -> None:
    said = judged(
        voice(6, FAR_HZ, seed=1),
        echo(6, seed=1, delay_s=0.15) + voice(6, NEAR_HZ, seed=5) * 0.5,
    )

    assert np.mean(said) < 0.1


def test_given_echo_that_was_cancelled_then_what_is_left_passes() -> None:
    said = judged(voice(6, FAR_HZ, seed=1), echo(6, seed=1, delay_s=0.15), left=0.01)

    assert not any(said)


def test_given_silence_then_it_is_no_echo() -> None:
    said = judged(voice(3, FAR_HZ, seed=1), np.zeros(3 * NEAR_HZ))

    assert not any(said)
