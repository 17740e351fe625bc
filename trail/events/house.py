"""The house itself: starts, stops and its parts."""

from dataclasses import dataclass

from trail.envelope import Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseStarted(Fact):
    """A process of the house started."""

    software: str
    part: str
    """``worker``, ``gateway`` or ``house`` (both)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseStopped(Fact):
    """A process of the house stopped in good order."""

    part: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerReplaced(Fact):
    """A session had lost its worker; another was sent for."""

    lost_for_s: float
