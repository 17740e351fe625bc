"""When a sentence may leave for the voice's output. The one decision of the one release point.

Sentences leave one at a time and at most one ahead of the one being played, so that an
interruption finds little to take back, and playing never waits for the next sentence either.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

AHEAD_AT_MOST: Final = 1
"""Sentences that may be with the output beyond the one being played."""


def may_release(index: int, playing_index: int | None) -> bool:
    """Tell whether the sentence with this index may leave.

    Args:
        index: Counted from 0 within the segment.
        playing_index: The sentence being played; None while none is.
    """
    return index <= (0 if playing_index is None else playing_index + AHEAD_AT_MOST)


def playing_index(starts_s: Sequence[float], playhead_s: float | None) -> int | None:
    """Return which sentence is being played, or None before the first.

    Args:
        starts_s: Where the sentences that have sound begin, ascending, seconds from the
            segment's first sample.
        playhead_s: Seconds of the segment that were played; None before its first sound.
    """
    if playhead_s is None:
        return None
    reached = bisect_right(starts_s, playhead_s)
    return max(reached - 1, 0)
