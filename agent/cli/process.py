"""One long-running process of the house: its services, signals, and its place in the record."""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

from agent.wiring.house import House
from agent.wiring.store import open_trail
from config.logging import configure_logging
from config.settings import Settings
from trail.envelope import Entry, Fact
from trail.events.house import HouseStarted, HouseStopped
from trail.events.policy import RuleSetLoaded
from trail.ids import HOUSE


def run_process(what: Callable[[Settings], Coroutine[Any, Any, None]], settings: Settings) -> None:
    """Run ``what`` to its end, logging as the settings say."""
    configure_logging(level=settings.log_level)
    asyncio.run(what(settings))


async def until_stopped(house: House, part: str, services: Mapping[str, Awaitable[None]]) -> None:
    """Run services until SIGINT or SIGTERM, or until one of them fails.

    Raises:
        ExceptionGroup: what the services raised.
    """
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    rules = house.rules
    await _note(
        house,
        part,
        RuleSetLoaded(digest=rules.digest, rules=len(rules.rules)),
        HouseStarted(software=house.software, part=part),
    )

    async def run(service: Awaitable[None]) -> None:
        await service

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(run(s), name=name) for name, s in services.items()]
        await stopped.wait()
        for task in tasks:
            task.cancel()
    await _note(house, part, HouseStopped(part=part))


async def _note(house: House, part: str, *facts: Fact) -> None:
    async with open_trail(house.settings, source=part) as store:
        await store.append(HOUSE, [Entry(fact=fact) for fact in facts], expected=None)
