"""Knows echo that a canceller missed by its shape, which follows what was played.

A canceller needs a steady delay. When a machine or a network stutters the delay jumps, and for a
second or two the avatar's own words come through. Which bands of them are loud when still follows
what was just played; a person's voice does not. Pure numpy, no LiveKit.
"""

import math

import numpy as np
from numpy.typing import NDArray

Sound = NDArray[np.int16]
Levels = NDArray[np.float64]

HOP_S = 0.010
WINDOW_HOPS = 50
"""Half a second is compared: two or three syllables."""
LAG_HOPS = 120
"""Echo that comes back within 1.2 s is known."""
BANDS = 8
BANDS_HZ = (150.0, 6_000.0)
"""Speech, in bands of equal width on the mel scale."""
QUIET = 30.0
"""Of 32,768: below this loudness says nothing."""
ECHO_LIKENESS = 0.8
"""Correlation above which sound is echo: the shipped voice in a browser gave 0.92 to 1.0."""
CANCELLED = 0.125
"""Share of loudness left over below which the canceller has done its work (-18 dB).

Both bounds are from simulated delays that jump by 40 ms with LibriSpeech speakers over the shipped
voice: of stretches of 50 ms that the canceller missed they silence 86 % (79 % in a room), of those
in which a person speaks as loud as the echo 1 %, and 5 % if 12 dB quieter."""


class EchoGuard:
    """Compares what was played, what the microphone gave and what the canceller left of it."""

    def __init__(self) -> None:
        self._played = _Bands(WINDOW_HOPS + LAG_HOPS)
        self._heard = _Bands(WINDOW_HOPS)
        self._loud = np.full((2, WINDOW_HOPS), np.log(QUIET))

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
        self._played.follow(played, far_hz)
        self._heard.follow(heard, near_hz)
        loud = np.stack([_loudness(sound, near_hz) for sound in (heard, left)])
        self._loud = np.concatenate([self._loud, loud], axis=1)[:, -WINDOW_HOPS:]
        before, after = self._loud.mean(axis=1)
        if np.exp(after - before) < CANCELLED:
            return False
        return self._likeness() >= ECHO_LIKENESS

    def _likeness(self) -> float:
        """Return the best correlation of the bands' levels over all delays, -1..1."""
        heard = self._heard.levels - self._heard.levels.mean(axis=0)
        played = np.lib.stride_tricks.sliding_window_view(self._played.levels, WINDOW_HOPS, axis=0)
        played = played - played.mean(axis=2, keepdims=True)
        sizes = np.sqrt((played**2).sum(axis=(1, 2)) * (heard**2).sum())
        return float((np.tensordot(played, heard.T, axes=2) / np.maximum(sizes, BANDS)).max())


class _Bands:
    """The logarithmic level of each band of a sound, hop by hop; the newest ``hops`` are kept."""

    def __init__(self, hops: int) -> None:
        self.levels: Levels = np.full((hops, BANDS), np.log(QUIET))
        self._hops = hops
        self._last: Levels = np.zeros(0)

    def follow(self, sound: Sound, rate_hz: int) -> None:
        """Add a sound that continues the one before."""
        hop = int(rate_hz * HOP_S)
        before = self._last if len(self._last) == hop else np.zeros(hop)
        whole = np.concatenate([before, sound[: len(sound) // hop * hop].astype(np.float64)])
        self._last = whole[-hop:]
        frames = np.lib.stride_tricks.sliding_window_view(whole, 2 * hop)[::hop]
        power = np.abs(np.fft.rfft(frames * np.hanning(2 * hop), axis=1)) ** 2 / hop**2
        levels = np.log(np.sqrt(np.add.reduceat(power, _edges(rate_hz), axis=1)[:, :-1]) + QUIET)
        self.levels = np.concatenate([self.levels, levels])[-self._hops :]


def _edges(rate_hz: int) -> NDArray[np.intp]:
    """Return where bands begin in the spectrum of two hops, and where the last one ends."""
    low, high = (math.log1p(hz / 700) for hz in BANDS_HZ)
    edges_hz = 700 * np.expm1(np.linspace(low, high, BANDS + 1))
    bins = np.round(edges_hz * 2 * HOP_S).astype(np.intp)
    return np.asarray(np.minimum(bins, int(rate_hz * HOP_S)), np.intp)


def _loudness(sound: Sound, rate_hz: int) -> Levels:
    hop = int(rate_hz * HOP_S)
    hops = sound[: len(sound) // hop * hop].reshape(-1, hop).astype(np.float64)
    return np.asarray(np.log(np.sqrt((hops**2).mean(axis=1)) + QUIET), np.float64)
