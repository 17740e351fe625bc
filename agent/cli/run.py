"""The long-running commands: ``worker``, ``gateway``, and both as the house of ``up``."""

import asyncio
from collections.abc import Awaitable, Callable

from agent.cli.house import run_alone_gateway, run_alone_worker, run_house
from agent.cli.options import Config, DataDir, Host, LiveKitPort, Port, Tier, settings_of
from config.logging import configure_logging
from config.settings import Settings


def house(
    config: Config = None,
    data_dir: DataDir = None,
    host: Host = None,
    port: Port = None,
    livekit_port: LiveKitPort = None,
    tier: Tier = None,
) -> None:
    """Run worker and gateway in one process."""
    _run(
        run_house,
        settings_of(
            config=config,
            data_dir=data_dir,
            host=host,
            port=port,
            livekit_port=livekit_port,
            tier=tier,
        ),
    )


def worker(config: Config = None, data_dir: DataDir = None, tier: Tier = None) -> None:
    """Run the LiveKit worker alone: each session in a process of its own."""
    _run(run_alone_worker, settings_of(config=config, data_dir=data_dir, tier=tier))


def gateway(
    config: Config = None, data_dir: DataDir = None, host: Host = None, port: Port = None
) -> None:
    """Run page and API alone."""
    _run(run_alone_gateway, settings_of(config=config, data_dir=data_dir, host=host, port=port))


def _run(what: Callable[[Settings], Awaitable[None]], settings: Settings) -> None:
    configure_logging(level=settings.log_level)

    async def whole() -> None:
        await what(settings)

    asyncio.run(whole())
