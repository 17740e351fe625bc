"""Real databases need a real clock."""

import pytest


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, object]]:
    return "asyncio", {"debug": False}
