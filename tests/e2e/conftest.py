"""The real thing: houses as shipped and by script, one browser, voices to speak with.

Nothing here outlives this package: an asynchronous fixture keeps its event loop for whatever runs
next, and the tests elsewhere want one with virtual time.
"""

from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser

from tests.e2e.house import RunningHouse, running_house
from tests.e2e.person import CHROMIUM, chromium
from tests.e2e.scripted_model import (
    LONG_STORY,
    QUICKLY_OVER,
    Script,
    scripted_model,
    settings_for,
)
from tests.e2e.voices import Voices


@pytest.fixture(scope="session")
def anyio_backend() -> tuple[str, dict[str, object]]:
    return "asyncio", {"debug": False}


@pytest.fixture(scope="package")
def voices() -> Voices:
    return Voices()


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHouse]:
    """A house as shipped, on its tiny models."""
    with running_house(tmp_path_factory.mktemp("house"), config=QUICKLY_OVER) as running:
        yield running


@pytest.fixture(scope="package")
def script() -> Script:
    return Script(
        replies={
            "capital": "The capital of Portugal is Lisbon.",
            "story": LONG_STORY,
            "name": "Your name is a good one, and I will remember that you told me.",
        }
    )


@pytest.fixture(scope="package")
def scripted_house(
    tmp_path_factory: pytest.TempPathFactory, script: Script
) -> Iterator[RunningHouse]:
    """A house that hears and speaks as shipped and thinks by script."""
    with scripted_model(script) as url:
        folder = tmp_path_factory.mktemp("scripted")
        with running_house(folder, config=settings_for(url)) as running:
            yield running


@pytest.fixture(scope="package")
def chromium_is_there() -> None:
    if not Path(CHROMIUM).exists():
        pytest.fail(f"{CHROMIUM} is missing; `make test` installs it")


@pytest.fixture(scope="package")
async def browser(chromium_is_there: None) -> AsyncGenerator[Browser]:
    async with chromium() as running:
        yield running
