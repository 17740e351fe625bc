"""Gateway and worker apart, as in a deployment: each its own data folder, one database."""

import asyncio
import signal
import subprocess
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil
import pytest
from playwright.async_api import Browser, expect

from agent.local.livekit_server import located, rendered, write_config
from config.load import load_settings
from config.packaged import livekit_yaml
from tests.e2e.house import command_line, free_ports, pause
from tests.e2e.person import somebody
from tests.e2e.scripted_model import LONG_STORY, Script, scripted_model
from tests.e2e.talking import PATIENT_MS, answered, greeted, transcript_of
from tests.postgres import running_postgres
from trail.clock import monotonic_s

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(600)]
KEY, SECRET = "deployed", "a secret that is long enough for a media server"
STARTED_S = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """A media server, a gateway and a worker that know only each other's addresses."""

    url: str
    worker: "subprocess.Popen[bytes]"


@contextmanager
def started(log: Path, *command: str, env: dict[str, str]) -> Generator["subprocess.Popen[bytes]"]:
    """Run a command to the end of the block, then stop it as a service manager does."""
    with log.open("wb") as output:
        given = [f"{name}={value}" for name, value in env.items()]
        process = subprocess.Popen(
            ["env", *given, *command], stdout=output, stderr=subprocess.STDOUT
        )
    family = [psutil.Process(process.pid)]
    try:
        yield process
    finally:
        family += family[0].children(recursive=True) if process.poll() is None else []
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
        _, left = psutil.wait_procs(family, timeout=5)
        assert left == [], f"processes left behind: {left}"


def wait_for_word(word: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Wait until a process says something in its log."""
    end = monotonic_s() + STARTED_S
    while word not in log.read_text():
        assert process.poll() is None, log.read_text()
        assert monotonic_s() < end, log.read_text()
        pause()


def wait_for(address: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Wait until a page answers."""
    end = monotonic_s() + STARTED_S
    while monotonic_s() < end:
        assert process.poll() is None, log.read_text()
        try:
            if httpx.get(address, timeout=2).is_success:
                return
        except httpx.HTTPError:
            pass
        pause()
    pytest.fail(f"{address} did not answer in {STARTED_S:.0f} s:\n{log.read_text()}")


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory, script: Script) -> Generator[Deployment]:
    """A deployment whose worker hears and speaks with tiny models and thinks by script."""
    server = located(load_settings().cache_dir)
    if server is None:
        pytest.fail("livekit-server is missing; `make test` builds it")
    folder = tmp_path_factory.mktemp("deployed")
    media, _, _, page, health = free_ports(5)
    text = rendered(livekit_yaml(), port=media, host="127.0.0.1", key=KEY, secret=SECRET)
    config = write_config(folder / "livekit.yaml", text)
    with ExitStack() as stack:
        database = stack.enter_context(running_postgres()).create("deployed")
        brain = stack.enter_context(scripted_model(script))
        settings = folder / "earwitness.yaml"
        settings.write_text(
            f"models: {{tier: tiny, llm: [{{provider: openai, base_url: {brain}, model: none}}]}}\n"
            f"livekit: {{health_port: {health}}}\n"
            "avatar: {provider: 'off'}\n"
        )
        env = {
            "LIVEKIT_URL": f"ws://127.0.0.1:{media}",
            "LIVEKIT_API_KEY": KEY,
            "LIVEKIT_API_SECRET": SECRET,
            "EARWITNESS_DATABASE_URL": database,
        }

        def run(name: str, *command: str) -> "subprocess.Popen[bytes]":
            return stack.enter_context(started(folder / name, *command, env=env))

        known = ("--config", str(settings))
        livekit = run("livekit.log", str(server.path), "--config", str(config))
        wait_for(f"http://127.0.0.1:{media}", livekit, folder / "livekit.log")
        gate = command_line(folder / "gateway", "gateway", *known, "--port", str(page))
        gateway = run("gateway.log", *gate)
        worker = run("worker.log", *command_line(folder / "worker", "worker", *known))
        wait_for(f"http://localhost:{page}/healthz", gateway, folder / "gateway.log")
        wait_for(f"http://127.0.0.1:{health}", worker, folder / "worker.log")
        wait_for_word("process initialized", worker, folder / "worker.log")
        yield Deployment(url=f"http://localhost:{page}", worker=worker)


async def test_given_a_worker_apart_when_asked_then_it_answers_and_the_gateway_shows_it(
    deployment: Deployment, browser: Browser
) -> None:
    async with somebody(browser) as anna:
        await greeted(anna, deployment.url, "Anna")
        await answered(anna, "What is the capital of Portugal?", "Lisbon")
        await anna.leave()
        turns = await transcript_of(anna, deployment.url)

    assert [turn["speaker"] for turn in turns][1] == "person"
    assert "Lisbon" in turns[-1]["text"]
    assert psutil.Process(deployment.worker.pid).children(recursive=True), "sessions are processes"


async def test_given_the_avatar_speaks_when_the_worker_is_stopped_then_what_was_heard_is_recorded(
    deployment: Deployment, browser: Browser
) -> None:
    async with somebody(browser) as ben:
        await greeted(ben, deployment.url, "Ben")
        await ben.type("Tell me a story.")
        being_said = ben.turns_of("avatar").nth(1)
        await expect(being_said).to_be_visible(timeout=PATIENT_MS)
        await asyncio.sleep(2)
        deployment.worker.terminate()
        code = await asyncio.to_thread(deployment.worker.wait, 60)
        turns = await transcript_of(ben, deployment.url)

    assert code == 0
    assert turns[-1]["delivery"]["state"] == "partial"
    assert 0 < len(turns[-1]["text"]) < len(LONG_STORY)
