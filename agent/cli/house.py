"""The house of ``earwitness up``: worker and gateway in one process, sessions as its threads."""

from agent.cli.options import Config, DataDir, Host, LiveKitPort, Port, Tier, settings_of
from agent.cli.process import run_process, until_stopped
from agent.gateway.main import run_gateway
from agent.wiring.engines import load_engines
from agent.wiring.house import open_house
from agent.wiring.store import migrate
from agent.worker.main import Jobs, run_worker, thread_server
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
    settings = settings_of(
        config=config,
        data_dir=data_dir,
        host=host,
        port=port,
        livekit_port=livekit_port,
        tier=tier,
    )
    run_process(_house, settings)


async def _house(settings: Settings) -> None:
    await migrate(settings)
    opened = open_house(settings)
    jobs = Jobs(opened, await load_engines(settings, opened.secrets))
    worker = run_worker(thread_server(opened, jobs), opened, jobs)
    await until_stopped(opened, "house", {"gateway": run_gateway(opened), "worker": worker})
