"""Starts the plain worker beside a house, and leads the house's own page into its rooms."""

import selectors
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from livekit import api
from livekit.protocol.agent_dispatch import RoomAgentDispatch
from livekit.protocol.room import RoomConfiguration
from playwright.async_api import Page, Route

from agent.local.addresses import Addresses, read_addresses
from agent.local.secrets import load_secrets
from tests.benchmarks.plain_worker import AGENT_NAME
from tests.benchmarks.studio import Prepare
from tests.e2e.house import RunningHouse
from trail.ids import random_name

REGISTERED_S: Final = 120.0
END_S: Final = 20.0


@contextmanager
def plain_worker(house: RunningHouse, folder: Path, *, tier: str, config: str) -> Iterator[int]:
    """Run the plain worker on a house's servers and yield its process id.

    Args:
        house: Whose media server and model server it uses.
        folder: For its log.
        tier: As the house's.
        config: YAML of the house's configuration file; empty takes the packaged one.
    """
    words = ["--data-dir", str(house.data_dir), "--tier", tier]
    words += ["--livekit-port", str(_livekit_port(house))]
    if config:
        file = folder / "plain.yaml"
        file.write_text(config, encoding="utf-8")
        words += ["--config", str(file)]
    with (folder / "plain.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.benchmarks.plain_worker", *words],
            stdout=subprocess.PIPE,
            stderr=log,
        )
    try:
        _wait_until_registered(process, folder / "plain.log")
        yield process.pid
    finally:
        process.terminate()
        try:
            process.wait(timeout=END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


def into_a_plain_room(house: RunningHouse) -> Prepare:
    """Return what makes a page enter a room of the plain worker when it asks for a token."""
    secrets = load_secrets(house.data_dir)
    url = addresses_of(house).livekit_url

    async def answer(route: Route) -> None:
        room = f"plain-{random_name(9)}"
        token = (
            api.AccessToken(secrets.livekit_key, secrets.livekit_secret)
            .with_identity(f"listener-{random_name(6)}")
            .with_name("Listener")
            .with_grants(api.VideoGrants(room_join=True, room=room))
            .with_room_config(
                RoomConfiguration(
                    agents=[RoomAgentDispatch(agent_name=AGENT_NAME)], sync_streams=True
                )
            )
            .to_jwt()
        )
        body = {"server_url": url, "participant_token": token, "room_name": room}
        await route.fulfill(status=201, json=body)

    async def prepare(page: Page) -> None:
        await page.route("**/api/token", answer)

    return prepare


def addresses_of(house: RunningHouse) -> Addresses:
    """Return where the parts of a running house listen."""
    addresses = read_addresses(house.data_dir)
    if addresses is None:
        raise RuntimeError("the house published no addresses")
    return addresses


def _livekit_port(house: RunningHouse) -> int:
    port = urlsplit(addresses_of(house).livekit_url).port
    if port is None:
        raise RuntimeError("the media server has no port")
    return port


def _wait_until_registered(process: "subprocess.Popen[bytes]", log: Path) -> None:
    if process.stdout is None:
        raise RuntimeError("the worker has no output")
    end = time.monotonic() + REGISTERED_S
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while time.monotonic() < end and process.poll() is None:
            if selector.select(timeout=1) and b"registered" in process.stdout.readline():
                return
    raise RuntimeError(f"the plain worker did not register:\n{log.read_text()[-2_000:]}")
