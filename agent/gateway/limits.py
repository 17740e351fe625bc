"""How often one may ask: token buckets in a bounded table (pure; the time is passed in)."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

KEYS_AT_MOST: Final = 10_000
"""Oldest entries are forgotten beyond this; they would be full again anyway."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """So many at once, and so many more each second."""

    burst: int
    per_s: float


class Buckets:
    """One bucket per key. Belongs to one loop."""

    def __init__(self, allowance: Allowance) -> None:
        self._allowance = allowance
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def spend(self, key: str, *, now_s: float) -> float:
        """Take one; return 0.0, or the seconds after which to ask again (nothing taken then).

        Args:
            key: Whose bucket.
            now_s: Monotonic seconds.
        """
        burst, per_s = self._allowance.burst, self._allowance.per_s
        level, since_s = self._levels.pop(key, (float(burst), now_s))
        level = min(float(burst), level + max(0.0, now_s - since_s) * per_s)
        wait_s = 0.0 if level >= 1.0 else (1.0 - level) / per_s
        self._levels[key] = (level if wait_s else level - 1.0, now_s)
        while len(self._levels) > KEYS_AT_MOST:
            self._levels.popitem(last=False)
        return wait_s
