"""Cuts the sound of a microphone into utterances; pure, fed with windows and told how speech-like.

Every change of state of an utterance is made here. A pause that lasts makes an end; a short one is
announced at once, so that recognition can begin before the end is certain. What sounded just before
somebody was noticed belongs to the utterance. One that grows too long is cut at its quietest place.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from agent.local.recogniser import RATE_HZ, Samples

WINDOW_SAMPLES = 512
WINDOW_S = WINDOW_SAMPLES / RATE_HZ
"""32 ms, the only size the detector takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """When something begins, pauses and ends, in seconds."""

    begins_at: float = 0.5
    """Probability of speech from which a window counts."""
    ceases_at: float = 0.35
    """Probability below which it no longer does."""
    begin_s: float = 0.064
    pre_roll_s: float = 0.4
    interim_every_s: float = 0.5
    pause_s: float = 0.064
    """Of silence, after which recognition of what may be all begins."""
    end_s: float = 0.16
    """Of silence. The detector notices silence 70 to 110 ms late, so this end is known 0.23 to
    0.27 s after the last sound; 0.22 s and 0.35 s gave no fewer wrong words (30 clips)."""
    voiced_at_least_s: float = 0.096
    """A click is no utterance."""
    long_s: float = 15.0
    """From here on the shortest pause is enough for an end."""
    longest_s: float = 25.0


class CueKind(StrEnum):
    """What may be done now."""

    GROWN = "grown"
    """More was said: worth an interim result."""
    PAUSED = "paused"
    """A pause began: what was said so far is probably all."""
    ENDED = "ended"
    """The utterance is over."""
    VANISHED = "vanished"
    """It was too short to be one."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cue:
    """An utterance as it stands."""

    kind: CueKind
    utterance: int
    """Counts from 1."""
    revision: int
    """Raised whenever speech goes on; two cues with the same one hold the same speech."""
    pcm: Samples
    start_s: float
    """Where the first speech is, in seconds of the stream."""
    end_s: float
    """Where the last speech ends."""


@dataclass(slots=True)
class _Utterance:
    number: int
    windows: list[NDArray[np.int16]]
    first: int
    """Number of the first window in ``windows``."""
    speech_from: int
    speech_to: int
    probabilities: list[float] = field(default_factory=list[float])
    voiced: int = 0
    silent: int = 0
    revision: int = 0
    told: int = 0
    """Speech windows at the last interim cue."""
    paused_at: int = -1


class Utterances:
    """The utterances of one microphone."""

    def __init__(self, pace: Pace | None = None) -> None:
        self._pace = pace or Pace()
        self._before: deque[NDArray[np.int16]] = deque(maxlen=_windows(self._pace.pre_roll_s))
        self._count = 0
        self._begun = 0
        self._run_up = 0
        self._current: _Utterance | None = None

    @property
    def listened_s(self) -> float:
        """Seconds of the stream taken in so far."""
        return self._count * WINDOW_S

    def push(self, window: NDArray[np.int16], probability: float) -> list[Cue]:
        """Take in one window of `WINDOW_SAMPLES` and return what became known."""
        self._count += 1
        if self._current is None:
            self._wait(window, probability)
            return []
        return self._go_on(self._current, window, probability)

    def flush(self) -> list[Cue]:
        """End the current utterance now."""
        return [] if self._current is None else [self._end(self._current)]

    def _wait(self, window: NDArray[np.int16], probability: float) -> None:
        self._before.append(window)
        self._run_up = self._run_up + 1 if probability >= self._pace.begins_at else 0
        if self._run_up < _windows(self._pace.begin_s):
            return
        self._begun += 1
        self._current = _Utterance(
            number=self._begun,
            windows=list(self._before),
            first=self._count - len(self._before),
            speech_from=self._count - self._run_up,
            speech_to=self._count,
            probabilities=[probability] * len(self._before),
            voiced=self._run_up,
        )
        self._before.clear()
        self._run_up = 0

    def _go_on(self, now: _Utterance, window: NDArray[np.int16], probability: float) -> list[Cue]:
        pace = self._pace
        now.windows.append(window)
        now.probabilities.append(probability)
        if probability >= pace.ceases_at:
            now.revision += now.silent > 0
            now.silent = 0
            now.voiced += 1
            now.speech_to = self._count
            if len(now.windows) >= _windows(pace.longest_s):
                return [self._cut(now)]
            if now.voiced - now.told >= _windows(pace.interim_every_s):
                now.told = now.voiced
                return [self._cue(CueKind.GROWN, now)]
            return []
        now.silent += 1
        is_long = len(now.windows) >= _windows(pace.long_s)
        if now.silent >= _windows(pace.pause_s if is_long else pace.end_s):
            return [self._end(now)]
        if now.silent >= _windows(pace.pause_s) and now.paused_at != now.revision:
            now.paused_at = now.revision
            return [self._cue(CueKind.PAUSED, now)]
        return []

    def _end(self, now: _Utterance) -> Cue:
        enough = now.voiced >= _windows(self._pace.voiced_at_least_s)
        self._current = None
        self._before.extend(now.windows[-now.silent :] if now.silent else ())
        return self._cue(CueKind.ENDED if enough else CueKind.VANISHED, now)

    def _cut(self, now: _Utterance) -> Cue:
        """End an endless utterance where it is quietest and begin the next one there."""
        earliest = _windows(self._pace.long_s)
        quietest = earliest + int(np.argmin(now.probabilities[earliest:]))
        self._begun += 1
        rest = _Utterance(
            number=self._begun,
            windows=now.windows[quietest:],
            first=now.first + quietest,
            speech_from=now.first + quietest,
            speech_to=now.speech_to,
            probabilities=now.probabilities[quietest:],
            voiced=len(now.windows) - quietest,
        )
        now.windows = now.windows[:quietest]
        now.speech_to = now.first + quietest
        now.revision += 1
        self._current = rest
        return self._cue(CueKind.ENDED, now)

    def _cue(self, kind: CueKind, now: _Utterance) -> Cue:
        return Cue(
            kind=kind,
            utterance=now.number,
            revision=now.revision,
            pcm=_joined(now.windows) if kind is not CueKind.VANISHED else _joined(()),
            start_s=now.speech_from * WINDOW_S,
            end_s=now.speech_to * WINDOW_S,
        )


def _joined(windows: Sequence[NDArray[np.int16]]) -> Samples:
    if not windows:
        return np.zeros(0, np.float32)
    return np.concatenate(windows).astype(np.float32) / 32768.0


def _windows(seconds: float) -> int:
    return max(1, round(seconds / WINDOW_S))
