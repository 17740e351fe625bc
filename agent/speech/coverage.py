"""Which stretches of a segment's audio can have reached an ear.

For now these are the runs that left our queue. What a listener's client acknowledges as audible
belongs here too: heard is then what both cover.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from typing import Final

from trail.errors import ContractError


@dataclass(frozen=True, slots=True)
class Run:
    """An unbroken stretch of audio, seconds from the segment's first sample."""

    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Coverage:
    """Ordered runs that do not overlap."""

    runs: tuple[Run, ...] = ()

    @property
    def edge_s(self) -> float:
        """Where the last run ends; 0 without any."""
        return self.runs[-1].end_s if self.runs else 0.0

    @property
    def total_s(self) -> float:
        """Seconds of audio in all runs."""
        return sum(run.end_s - run.start_s for run in self.runs)

    def within_s(self, start_s: float, end_s: float) -> float:
        """Return how many seconds between ``start_s`` and ``end_s`` are covered."""
        return sum(max(0.0, min(run.end_s, end_s) - max(run.start_s, start_s)) for run in self.runs)

    def follows(self, start_s: float, end_s: float) -> bool:
        """Tell whether this can be the next run."""
        # Sinks add and subtract frame lengths; a millisecond of difference means nothing.
        return self.edge_s - 0.001 <= start_s <= end_s < inf

    def extended(self, start_s: float, end_s: float) -> "Coverage":
        """Return this coverage with one more run at its end.

        Raises:
            ContractError: it does not follow.
        """
        if not self.follows(start_s, end_s):
            raise ContractError(f"run {start_s:.3f}-{end_s:.3f} after {self.edge_s:.3f}")
        return Coverage((*self.runs, Run(max(start_s, self.edge_s), max(end_s, self.edge_s))))


NOTHING_PLAYED: Final = Coverage()


def coverage(runs: Iterable[tuple[float, float]]) -> Coverage:
    """Return the coverage of ``(start_s, end_s)`` runs, in order."""
    covered = NOTHING_PLAYED
    for start_s, end_s in runs:
        covered = covered.extended(start_s, end_s)
    return covered
