"""``earwitness house``, ``worker`` and ``gateway``: parts as processes of their own."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from typing import Annotated

import typer

from agent.cli.house import run_house
from agent.cli.options import Config, DataDir, Host, LiveKitPort, Port, Tier, settings_of
from agent.gateway.main import run_gateway
from agent.wiring.house import open_house
from agent.wiring.store import migrate
from agent.worker.main import process_server, run_worker
from config.logging import configure_logging
from config.settings import Settings

HealthPort = Annotated[
    int, typer.Option("--health-port", help="Port of the worker's health check, on loopback.")
]


def house(
    config: Config = None,
    data_dir: DataDir = None,
    host: Host = None,
    port: Port = None,
    livekit_port: LiveKitPort = None,
    tier: Tier = None,
) -> None:
    """Run worker and gateway in one process, as `earwitness up` starts it."""
    settings = settings_of(
        config=config,
        data_dir=data_dir,
        host=host,
        port=port,
        livekit_port=livekit_port,
        tier=tier,
    )
    configure_logging(level=settings.log_level)
    asyncio.run(run_house(settings))


def gateway(
    config: Config = None, data_dir: DataDir = None, host: Host = None, port: Port = None
) -> None:
    """Run page and API alone, beside workers and a LiveKit server that run elsewhere."""
    settings = settings_of(config=config, data_dir=data_dir, host=host, port=port)
    configure_logging(level=settings.log_level)
    asyncio.run(_gateway(settings))


def worker(config: Config = None, data_dir: DataDir = None, health_port: HealthPort = 8081) -> None:
    """Run the LiveKit worker alone: one process a session, against any LiveKit server."""
    settings = settings_of(config=config, data_dir=data_dir)
    configure_logging(level=settings.log_level)
    asyncio.run(_worker(settings, health_port))


async def _gateway(settings: Settings) -> None:
    await migrate(settings)
    opened = await open_house(settings, with_engines=False)
    await _until_told(lambda: run_gateway(opened))


async def _worker(settings: Settings, health_port: int) -> None:
    await migrate(settings)
    opened = await open_house(settings, with_engines=False)
    server = process_server(opened, health_port=health_port)
    await _until_told(lambda: run_worker(server, opened, None))


async def _until_told(run: Callable[[], Awaitable[None]]) -> None:
    """Run until SIGINT or SIGTERM, then cancel and wait for the end."""
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, told.set)

    async def running() -> None:
        await run()

    async with asyncio.TaskGroup() as group:
        task = group.create_task(running(), name="part")
        waiting = group.create_task(told.wait(), name="signal")
        await asyncio.wait([task, waiting], return_when=asyncio.FIRST_COMPLETED)
        task.cancel()
        waiting.cancel()
