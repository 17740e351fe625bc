"""Time. The only module that asks the operating system what time it is."""

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Readings that are never mixed."""

    def session_s(self) -> float:
        """Seconds since the session opened; never falls, survives a restart."""
        ...

    def utc(self) -> datetime:
        """Wall-clock time for people and retention rules; may jump."""
        ...


def utc_now() -> datetime:
    """Return the wall-clock time, in UTC."""
    return datetime.now(UTC)


def unix_s() -> float:
    """Return the wall-clock time in seconds since 1970, as media libraries report it."""
    return time.time()


def monotonic_s() -> float:
    """Return seconds of a clock that never jumps; only differences mean anything."""
    return time.monotonic()


class SystemClock:
    """The real clock of one session.

    Session time is UTC minus opening time, carried on by the monotonic clock while the process
    lives and never below ``floor_s``, the last stored value of an earlier life of the session.
    """

    def __init__(self, *, opened_utc: datetime | None = None, floor_s: float = 0.0) -> None:
        now = utc_now()
        elapsed_s = (now - opened_utc).total_seconds() if opened_utc else 0.0
        self._start_s = max(elapsed_s, floor_s)
        self._monotonic_start_s = monotonic_s()

    def session_s(self) -> float:
        return self._start_s + monotonic_s() - self._monotonic_start_s

    def utc(self) -> datetime:
        return utc_now()


class ManualClock:
    """A clock that moves only when told to; used by tests and by replay."""

    def __init__(self, *, opened_utc: datetime) -> None:
        self._opened_utc = opened_utc
        self._now_s = 0.0

    def advance(self, seconds: float) -> None:
        """Move forward by ``seconds`` (>= 0)."""
        if seconds < 0:
            raise ValueError("time does not run backwards")
        self._now_s += seconds

    def session_s(self) -> float:
        return self._now_s

    def utc(self) -> datetime:
        return self._opened_utc + timedelta(seconds=self._now_s)
