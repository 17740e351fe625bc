"""Sound → mouth, for voices that do not say when they say what.

Loudness opens the mouth; the balance of the spectrum tells hissing from humming and rounded
from spread. Against the phonemes of a synthetic voice the opening correlates with 0.75.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from agent.avatar.mouth import CLOSED, MouthPose

HOP_S = 0.010
WINDOW_S = 0.025

SILENT_RMS = 0.004
"""-48 dB of full scale: the voice's own noise floor."""
QUIETEST_PEAK_RMS = 0.02
"""Loudness is measured against the loudest so far, but never against less than this."""
PEAK_KEPT = 0.9995
"""Per hop: the loudest so far is half forgotten after 14 s."""
SILENT_LOUDNESS = 0.12
HISS_SHARE = 0.45
"""Of the energy above 3.5 kHz: more than this is an s, f or sh."""
HUM_SHARE = 0.80
"""Of the energy under 300 Hz: more than this with nothing above is an m or n."""

Samples = npt.NDArray[np.int16]
_Numbers = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedPose:
    """The mouth at one instant."""

    at_s: float
    """Seconds from the segment's first sample; the middle of the window."""
    pose: MouthPose


class SpectralMouth:
    """A streaming analyser; feed it sound in any portions, it answers every 10 ms."""

    def __init__(self, sample_rate_hz: int) -> None:
        self._rate_hz = sample_rate_hz
        self._window_length = int(sample_rate_hz * WINDOW_S)
        self._hop_length = int(sample_rate_hz * HOP_S)
        self._size = 1 << (self._window_length - 1).bit_length()
        self._window = np.hanning(self._window_length)
        frequency_hz = np.fft.rfftfreq(self._size, 1 / sample_rate_hz)
        self._frequency_hz = frequency_hz
        # The ear hears speech flatter than it falls off: about +6 dB per octave.
        self._emphasis = 1 + (frequency_hz / 800.0) ** 2
        top_hz = min(8000.0, sample_rate_hz / 2)
        self._all = _band(frequency_hz, 80, top_hz)
        self._low = _band(frequency_hz, 80, 300)
        self._first_formant = _band(frequency_hz, 250, 1000)
        self._second_formant = _band(frequency_hz, 900, 2800)
        self._high = _band(frequency_hz, 3500, top_hz)
        self._rest = np.zeros(0, np.int16)
        self._start_s = 0.0
        self._hops = 0
        self._peak = 0.05

    def restart(self, at_s: float) -> None:
        """Go on at ``at_s`` after sound that was left out; the loudness so far is kept."""
        self._rest = np.zeros(0, np.int16)
        self._start_s = at_s
        self._hops = 0

    def push(self, samples: Samples) -> list[TimedPose]:
        """Return the poses that ``samples`` (mono) completed, in order."""
        sound = np.concatenate([self._rest, samples])
        count = 1 + (len(sound) - self._window_length) // self._hop_length
        if count <= 0:
            self._rest = sound
            return []
        self._rest = sound[count * self._hop_length :]
        windows = np.lib.stride_tricks.sliding_window_view(sound, self._window_length)
        waves = windows[:: self._hop_length][:count] / 32768.0
        loudness = np.sqrt(np.mean(waves * waves, axis=1))
        power: _Numbers = np.abs(np.fft.rfft(waves * self._window, self._size, axis=1)) ** 2
        first = self._hops
        self._hops += count
        return [
            TimedPose(
                at_s=self._start_s + (first + i) * self._hop_length / self._rate_hz + WINDOW_S / 2,
                pose=self._pose(float(loudness[i]), power[i]),
            )
            for i in range(count)
        ]

    def _pose(self, rms: float, power: _Numbers) -> MouthPose:
        self._peak = max(rms, self._peak * PEAK_KEPT, QUIETEST_PEAK_RMS)
        loud = (rms / self._peak) ** 0.6
        if rms < SILENT_RMS or loud < SILENT_LOUDNESS:
            return CLOSED
        total = float(power[self._all].sum()) + 1e-9
        high = float(power[self._high].sum()) / total
        low = float(power[self._low].sum()) / total
        if high > HISS_SHARE:
            return MouthPose(open=0.10 + 0.08 * loud, wide=0.35, teeth=1.0)
        if low > HUM_SHARE and high < 0.01:
            return MouthPose(open=0.05 * loud, press=0.6)
        weighted = power * self._emphasis
        jaw = _clip((self._centre_hz(weighted, self._first_formant) - 380) / 380, 0.0, 1.0)
        spread = _clip((self._centre_hz(weighted, self._second_formant) - 1450) / 550, -1.0, 1.0)
        return MouthPose(
            open=_clip(loud * (0.25 + 0.85 * jaw), 0.0, 1.0),
            wide=spread * (0.4 + 0.6 * loud),
            teeth=0.25 + 0.5 * min(1.0, high * 3),
            tongue=0.2,
        )

    def _centre_hz(self, power: _Numbers, band: slice) -> float:
        """Return the centre of gravity of a band: a rough formant."""
        part = power[band]
        return float((self._frequency_hz[band] * part).sum() / (part.sum() + 1e-12))


def _band(frequency_hz: _Numbers, low_hz: float, high_hz: float) -> slice:
    first, last = np.searchsorted(frequency_hz, (low_hz, high_hz))
    return slice(int(first), int(last))


def _clip(value: float, low: float, high: float) -> float:
    return min(high, max(low, value))
