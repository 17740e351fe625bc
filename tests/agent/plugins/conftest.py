"""Real time and the real local models."""

import pytest

from tests.models import model_server, recogniser, synthesiser  # noqa: F401


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, object]]:
    return "asyncio", {"debug": False}
