"""``earwitness worker``: a LiveKit worker that deploys by itself, sessions as processes.

If its settings name the local language model, it keeps the model server running beside it.
"""

import asyncio
import os
from collections.abc import Awaitable

from agent.cli.news import News
from agent.cli.options import Config, DataDir, Tier, settings_of
from agent.cli.parts import model_server
from agent.cli.prepare import Brains, require_media, require_models
from agent.cli.process import run_process, until_stopped
from agent.local.addresses import Addresses, remove_addresses, write_addresses
from agent.local.instance_lock import instance_lock
from agent.local.ports import free_port
from agent.local.supervisor import Supervisor
from agent.wiring.house import House, open_house
from agent.wiring.store import migrate
from agent.worker.main import process_server, run_worker
from config.settings import Settings


def worker(config: Config = None, data_dir: DataDir = None, tier: Tier = None) -> None:
    """Run the LiveKit worker alone: each session in a process of its own."""
    settings = settings_of(config=config, data_dir=data_dir, tier=tier)
    with instance_lock(settings.data_dir):
        require_media(settings)
        brains = require_models(settings, News())
        asyncio.run(migrate(settings))
        try:
            run_process(lambda these: _worker(these, brains), settings)
        finally:
            remove_addresses(settings.data_dir)


async def _worker(settings: Settings, brains: Brains) -> None:
    house = open_house(settings)
    services: dict[str, Awaitable[None]] = {}
    if brains.path("llm") is not None:
        services["model server"] = _model_server(house, brains).run()
    server = process_server(house)
    services["worker"] = run_worker(server, house, None)
    await until_stopped(house, "worker", services)


def _model_server(house: House, brains: Brains) -> Supervisor:
    port = free_port()
    write_addresses(
        house.settings.data_dir,
        Addresses(
            page_url="",
            livekit_url=house.media.url,
            model_server_url=f"http://127.0.0.1:{port}/v1",
            supervisor_pid=os.getpid(),
        ),
    )
    child = model_server(house.settings, house.secrets, brains, port)
    return Supervisor([child], changed=lambda _: None)
