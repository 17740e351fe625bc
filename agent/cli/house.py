"""The house process: worker and gateway in one, as ``earwitness up`` starts it."""

import asyncio
import signal

from agent.gateway.main import run_gateway
from agent.wiring.house import open_house
from agent.wiring.store import migrate, open_trail
from agent.worker.main import Jobs, run_worker, thread_server
from config.settings import Settings
from trail.envelope import Entry
from trail.events.house import HouseStarted, HouseStopped
from trail.ids import HOUSE

PART = "house"


async def run_house(settings: Settings) -> None:
    """Run worker and gateway until told to stop by SIGINT or SIGTERM.

    Raises:
        DependencyUnavailable: something the house needs is missing; the message says what.
    """
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    await migrate(settings)
    house = await open_house(settings, with_engines=True)
    jobs = Jobs(house)
    await _note(settings, HouseStarted(software=house.software, part=PART))
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(run_gateway(house), name="gateway"),
            group.create_task(run_worker(thread_server(house, jobs), house, jobs), name="worker"),
        ]
        await stopped.wait()
        for task in tasks:
            task.cancel()
    await _note(settings, HouseStopped(part=PART))


async def _note(settings: Settings, fact: HouseStarted | HouseStopped) -> None:
    async with open_trail(settings, source=PART) as store:
        await store.append(HOUSE, [Entry(fact=fact)], expected=None)
