"""``earwitness worker``: a LiveKit worker that deploys by itself, sessions as processes."""

from agent.cli.options import Config, DataDir, Tier, settings_of
from agent.cli.process import run_process, until_stopped
from agent.wiring.house import open_house
from agent.wiring.store import migrate
from agent.worker.main import process_server, run_worker
from config.settings import Settings


def worker(config: Config = None, data_dir: DataDir = None, tier: Tier = None) -> None:
    """Run the LiveKit worker alone: each session in a process of its own."""
    run_process(_worker, settings_of(config=config, data_dir=data_dir, tier=tier))


async def _worker(settings: Settings) -> None:
    await migrate(settings)
    house = open_house(settings)
    server = process_server(house, health_port=settings.livekit.health_port)
    await until_stopped(house, "worker", {"worker": run_worker(server, house, None)})
