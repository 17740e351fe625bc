"""``earwitness gateway``: page and API alone, without the audio stack."""

from agent.cli.options import Config, DataDir, Host, Port, settings_of
from agent.cli.process import run_process, until_stopped
from agent.gateway.main import run_gateway
from agent.wiring.house import open_house
from agent.wiring.store import migrate
from config.settings import Settings


def gateway(
    config: Config = None, data_dir: DataDir = None, host: Host = None, port: Port = None
) -> None:
    """Run page and API alone."""
    settings = settings_of(config=config, data_dir=data_dir, host=host, port=port)
    run_process(_gateway, settings)


async def _gateway(settings: Settings) -> None:
    await migrate(settings)
    house = open_house(settings)
    await until_stopped(house, "gateway", {"gateway": run_gateway(house)})
