"""A clock for the gateway's tests that moves when told to."""

from datetime import UTC, datetime

from trail.clock import ManualClock


class Watch(ManualClock):
    """Starts at noon of a fixed day; `session_s` serves as the monotonic clock."""

    def __init__(self) -> None:
        super().__init__(opened_utc=datetime(2026, 3, 1, 12, tzinfo=UTC))
