"""The real thing: houses as shipped and by script, one browser, voices to speak with."""

from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser

from tests.e2e.house import RunningHouse, running_house
from tests.e2e.person import CHROMIUM, chromium
from tests.e2e.scripted_model import LONG_STORY, Script, scripted_model, settings_for
from tests.e2e.voices import Voices


@pytest.fixture(scope="session")
def anyio_backend() -> tuple[str, dict[str, object]]:
    return "asyncio", {"debug": False}


@pytest.fixture(scope="session")
def voices() -> Voices:
    return Voices()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHouse]:
    """A house as shipped, on its tiny models."""
    with running_house(tmp_path_factory.mktemp("house")) as running:
        yield running


@pytest.fixture(scope="session")
def script() -> Script:
    return Script(
        replies={
            "capital": "The capital of Portugal is Lisbon.",
            "story": LONG_STORY,
            "name": "Your name is a good one, and I will remember that you told me.",
        }
    )


@pytest.fixture(scope="session")
def scripted_house(
    tmp_path_factory: pytest.TempPathFactory, script: Script
) -> Iterator[RunningHouse]:
    """A house that hears and speaks as shipped and thinks by script."""
    with scripted_model(script) as url:
        folder = tmp_path_factory.mktemp("scripted")
        with running_house(folder, config=settings_for(url)) as running:
            yield running


@pytest.fixture(scope="session")
def chromium_is_there() -> None:
    if not Path(CHROMIUM).exists():
        pytest.fail(f"{CHROMIUM} is missing; `make test` installs it")


@pytest.fixture(scope="session")
async def browser(chromium_is_there: None) -> AsyncGenerator[Browser]:
    async with chromium() as running:
        yield running
