"""Knows echo that a canceller missed by its loudness, which follows what was played.

A canceller needs a steady delay. When a machine or a network stutters the delay jumps, and for a
second or two the avatar's own words come through. Their loudness still rises and falls with what
was just played; a person's does not. Pure numpy, no LiveKit.
"""

import numpy as np
from numpy.typing import NDArray

Sound = NDArray[np.int16]

HOP_S = 0.010
WINDOW_HOPS = 50
"""Half a second of loudness is compared: two or three syllables."""
LAG_HOPS = 120
"""Echo that comes back within 1.2 s is known."""
QUIET = 30.0
"""Of 32,768: below this loudness says nothing."""
ECHO_LIKENESS = 0.9
"""Correlation of loudness above which sound is echo. Measured on the shipped voice: echo alone
0.95 to 1.0, with a person speaking over it 0.5 to 0.7."""
CANCELLED = 0.25
"""Share of loudness left over below which the canceller has done its work (-12 dB)."""


class EchoGuard:
    """Compares what was played, what the microphone gave and what the canceller left of it."""

    def __init__(self) -> None:
        self._played = np.full(WINDOW_HOPS + LAG_HOPS, np.log(QUIET))
        self._heard = np.full(WINDOW_HOPS, np.log(QUIET))
        self._left = np.full(WINDOW_HOPS, np.log(QUIET))

    def is_echo(
        self, played: Sound, heard: Sound, left: Sound, *, rates_hz: tuple[int, int]
    ) -> bool:
        """Take the next stretch and tell whether what is left of it is the avatar's own sound.

        Args:
            played: What was played meanwhile.
            heard: The microphone before the canceller.
            left: And after it; as long as ``heard``.
            rates_hz: Samples per second of ``played``, and of the other two.
        """
        far_hz, near_hz = rates_hz
        self._played = _followed(self._played, _loudness(played, far_hz))
        self._heard = _followed(self._heard, _loudness(heard, near_hz))
        self._left = _followed(self._left, _loudness(left, near_hz))
        if np.exp(self._left.mean() - self._heard.mean()) < CANCELLED:
            return False
        return self._likeness() >= ECHO_LIKENESS

    def _likeness(self) -> float:
        """Return the best correlation of loudness over all delays, -1..1."""
        heard = self._heard - self._heard.mean()
        played = np.lib.stride_tricks.sliding_window_view(self._played, WINDOW_HOPS)
        played = played - played.mean(axis=1, keepdims=True)
        sizes = np.sqrt((played**2).sum(axis=1)) * np.sqrt((heard**2).sum())
        return float(((played @ heard) / np.maximum(sizes, 1.0)).max())


def _loudness(sound: Sound, rate_hz: int) -> NDArray[np.float64]:
    hop = int(rate_hz * HOP_S)
    hops = sound[: len(sound) // hop * hop].reshape(-1, hop).astype(np.float64)
    return np.asarray(np.log(np.sqrt((hops**2).mean(axis=1)) + QUIET), np.float64)


def _followed(past: NDArray[np.float64], more: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.concatenate([past, more])[-len(past) :]
