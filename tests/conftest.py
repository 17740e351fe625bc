"""Fixtures for the whole suite: a clock that stands still and a virtual-time loop."""

from datetime import UTC, datetime

import pytest
from hypothesis import settings

from tests.databases import (  # noqa: F401  # fixtures for everybody
    memory_place,
    place,
    postgres,
    postgresql_place,
    sql_place,
    sqlite_place,
    sqlite_template,
)
from tests.virtual_time import VirtualTimeLoop
from trail.clock import ManualClock

settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite what recorded sessions are expected to mean (tests/golden)",
    )


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(opened_utc=datetime(2026, 1, 1, tzinfo=UTC))


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, object]]:
    return "asyncio", {"debug": True, "loop_factory": VirtualTimeLoop}
