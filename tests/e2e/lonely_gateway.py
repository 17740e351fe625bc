"""A media server and `earwitness gateway` without a worker: people can come, no avatar does."""

import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from agent.cli.news import News
from agent.cli.prepare import require_server
from agent.local.livekit_server import rendered, write_config
from agent.local.secrets import load_secrets
from agent.local.status import Part, write_parts
from config.packaged import livekit_yaml
from config.settings import Settings
from tests.e2e.house import command_line, free_ports, pause
from trail.clock import monotonic_s

READY_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LonelyGateway:
    """Page, API and rooms, and nobody who answers."""

    url: str
    data_dir: Path
    livekit: "subprocess.Popen[bytes]"

    def report(self, *parts: Part) -> None:
        """Publish how the parts are, as a supervisor would."""
        write_parts(self.data_dir, parts)


@contextmanager
def lonely_gateway(folder: Path) -> Iterator[LonelyGateway]:
    """Start both and yield when the page is served."""
    data_dir = folder / "data"
    data_dir.mkdir(parents=True)
    port, livekit_port, *_ = free_ports(4)
    secrets = load_secrets(data_dir)
    config = write_config(
        folder / "livekit" / "livekit.yaml",
        rendered(
            livekit_yaml(),
            port=livekit_port,
            host="127.0.0.1",
            key=secrets.livekit_key,
            secret=secrets.livekit_secret,
        ),
    )
    server = require_server(Settings(), News())
    url = f"http://localhost:{port}"
    gateway = command_line(data_dir, "gateway", "--port", str(port))
    gateway.insert(1, f"EARWITNESS_LIVEKIT__URL=ws://127.0.0.1:{livekit_port}")
    with (
        _running([str(server.path), "--config", str(config)], folder / "livekit.log") as livekit,
        _running(gateway, folder / "gateway.log"),
    ):
        _wait_until_served(url, folder / "gateway.log")
        yield LonelyGateway(url=url, data_dir=data_dir, livekit=livekit)


@contextmanager
def _running(command: Sequence[str], log: Path) -> Iterator["subprocess.Popen[bytes]"]:
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGCONT)
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until_served(url: str, log: Path) -> None:
    end_s = monotonic_s() + READY_S
    while monotonic_s() < end_s:
        try:
            if httpx.get(f"{url}/readyz", timeout=5).status_code == httpx.codes.OK:
                return
        except httpx.HTTPError:
            pass
        pause()
    raise RuntimeError(f"the gateway was not ready after {READY_S:.0f} s:\n{log.read_text()}")
