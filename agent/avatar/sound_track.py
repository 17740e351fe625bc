"""Sound of one segment → the mouth at any instant, analysed only as far as it is played.

Speech is synthesised much faster than it is played. Keeping a reference costs the audio path
nothing; each drawn frame then analyses the few hops that it needs, and what an interruption
leaves unplayed is never analysed.
"""

import bisect
from collections import deque

from agent.avatar.mouth import CLOSED, MouthPose
from agent.avatar.spectral import HOP_S, WINDOW_S, Samples, SpectralMouth, TimedPose

_AHEAD_S = WINDOW_S + HOP_S
_KEPT_S = 0.5
"""Poses older than this behind the playhead are dropped."""
_SAME_S = 1e-4


class SoundTrack:
    """The mouth of one segment of speech, growing while the segment is synthesised."""

    def __init__(self, sample_rate_hz: int) -> None:
        self._rate_hz = sample_rate_hz
        self._mouth = SpectralMouth(sample_rate_hz)
        self._waiting: deque[tuple[float, Samples]] = deque()
        self._fed_s = 0.0
        self._poses: list[TimedPose] = []

    @property
    def analysed_s(self) -> float:
        """How far into the segment the sound has been analysed."""
        return self._fed_s

    def extend(self, start_s: float, samples: Samples) -> None:
        """Append mono sound that begins ``start_s`` seconds into the segment; not copied."""
        self._waiting.append((start_s, samples))

    def at(self, t_s: float) -> MouthPose:
        """Return the mouth at ``t_s`` seconds; closed where there is no sound."""
        self._analyse_until(t_s + _AHEAD_S)
        self._forget_before(t_s - _KEPT_S)
        index = bisect.bisect_left(self._poses, t_s, key=_when)
        if index == len(self._poses) or self._poses[index].at_s - t_s > 2 * HOP_S:
            index -= 1
        if index < 0 or abs(self._poses[index].at_s - t_s) > 2 * HOP_S:
            return CLOSED
        return self._poses[index].pose

    def _analyse_until(self, end_s: float) -> None:
        while self._waiting and self._waiting[0][0] < end_s:
            start_s, samples = self._waiting.popleft()
            if abs(start_s - self._fed_s) > _SAME_S:
                self._mouth.restart(start_s)
            needed = max(1, int((end_s - start_s) * self._rate_hz) + 1)
            part, rest = samples[:needed], samples[needed:]
            self._fed_s = start_s + len(part) / self._rate_hz
            if len(rest):
                self._waiting.appendleft((self._fed_s, rest))
            self._poses.extend(self._mouth.push(part))

    def _forget_before(self, t_s: float) -> None:
        first = bisect.bisect_left(self._poses, t_s, key=_when)
        del self._poses[:first]


def _when(pose: TimedPose) -> float:
    return pose.at_s
