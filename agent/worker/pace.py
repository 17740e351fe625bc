"""How often a face draws: as often as the machine keeps up with.

Drawing, encoding and decoding pictures is the one part of a conversation that can be done less
often without anybody missing a word, so it is the first to give way on a machine with too much to
do: each step halves the rate, and quiet times double it again.
"""

from collections import deque
from typing import Final

SLOWEST_FPS: Final = 6
"""Below this a face is a series of photographs."""
LATE_AT_MOST: Final = 3
WINDOW_S: Final = 1.0
"""So many late frames within this time are no accident."""
RECOVERY_S: Final = 10.0
"""On time for so long, the face tries the next faster rate."""


class Pace:
    """The rate of one face; told when a frame was late. Times are seconds of one clock."""

    def __init__(self, *, fps: int, idle_fps: int) -> None:
        """Start at full rate.

        Args:
            fps: Frames a second while the mouth moves.
            idle_fps: Frames a second otherwise.
        """
        self._fps = fps
        self._idle_fps = min(idle_fps, fps)
        self._divisor = 1
        self._late: deque[float] = deque(maxlen=LATE_AT_MOST)
        self._quiet_since_s = 0.0

    @property
    def fps(self) -> float:
        """Frames a second while the mouth moves, at present."""
        return _slowed(self._fps, self._divisor)

    def interval_s(self, *, moving: bool) -> float:
        """Return the time from one frame to the next, while the mouth moves or not."""
        return 1 / _slowed(self._fps if moving else self._idle_fps, self._divisor)

    def note(self, now_s: float, *, late: bool) -> bool:
        """Note a frame, late if others were left out for it; return True if the rate changed."""
        divisor = self._divisor
        if late:
            self._late.append(now_s)
            if len(self._late) == LATE_AT_MOST and now_s - self._late[0] <= WINDOW_S:
                self._late.clear()
                self._quiet_since_s = now_s
                if self.fps > SLOWEST_FPS:
                    self._divisor *= 2
        elif divisor > 1 and now_s - self._quiet_since_s >= RECOVERY_S:
            self._quiet_since_s = now_s
            self._divisor //= 2
        return self._divisor != divisor


def _slowed(fps: int, divisor: int) -> float:
    return min(fps, max(SLOWEST_FPS, fps / divisor))
