"""The processes that hold conversations and serve the page, alone or both in one."""

import asyncio
import signal
from collections.abc import Awaitable, Mapping
from importlib.metadata import version

from agent.gateway.main import run_gateway
from agent.wiring.house import open_house
from agent.wiring.store import migrate, open_trail
from agent.worker.main import Jobs, process_server, run_worker, thread_server
from config.settings import Settings
from trail.envelope import Entry
from trail.events.house import HouseStarted, HouseStopped
from trail.ids import HOUSE


async def run_house(settings: Settings) -> None:
    """Run worker and gateway in one process, sessions as threads of it.

    Raises:
        DependencyUnavailable: something the house needs is missing; the message says what.
    """
    await migrate(settings)
    house = await open_house(settings, with_engines=True)
    jobs = Jobs(house)
    server = thread_server(house, jobs)
    await _until_stopped(
        settings,
        "house",
        {"gateway": run_gateway(house), "worker": run_worker(server, house, jobs)},
    )


async def run_alone_worker(settings: Settings) -> None:
    """Run a worker that deploys by itself, sessions as processes.

    Raises:
        DependencyUnavailable: something the worker needs is missing; the message says what.
    """
    await migrate(settings)
    house = await open_house(settings, with_engines=False)
    server = process_server(house, health_port=settings.livekit.health_port)
    await _until_stopped(settings, "worker", {"worker": run_worker(server, house, None)})


async def run_alone_gateway(settings: Settings) -> None:
    """Serve page and API.

    Raises:
        DependencyUnavailable: the port is taken or the database does not answer.
    """
    await migrate(settings)
    house = await open_house(settings, with_engines=False)
    await _until_stopped(settings, "gateway", {"gateway": run_gateway(house)})


async def _until_stopped(
    settings: Settings, part: str, services: Mapping[str, Awaitable[None]]
) -> None:
    """Run services until SIGINT or SIGTERM, or until one of them fails."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    await _note(settings, part, starting=True)

    async def run(service: Awaitable[None]) -> None:
        await service

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(run(s), name=name) for name, s in services.items()]
        await stopped.wait()
        for task in tasks:
            task.cancel()
    await _note(settings, part, starting=False)


async def _note(settings: Settings, part: str, *, starting: bool) -> None:
    started = HouseStarted(software=version("earwitness"), part=part)
    fact = started if starting else HouseStopped(part=part)
    async with open_trail(settings, source=part) as store:
        await store.append(HOUSE, [Entry(fact=fact)], expected=None)
