"""Gateway and worker apart, as in a deployment: each its own data folder, one database."""

import asyncio
import signal
import subprocess
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from playwright.async_api import Browser, expect

from agent.local.livekit_server import located, rendered, write_config
from config.load import load_settings
from config.packaged import livekit_yaml
from tests.e2e.house import answers, command_line, ended, free_ports, wait_until
from tests.e2e.person import somebody
from tests.e2e.scripted_model import LONG_STORY, Script, scripted_model
from tests.e2e.talking import PATIENT_MS, answered, greeted, transcript_of
from tests.postgres import running_postgres

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
    with ended(process, signal.SIGTERM, within_s=5):
        yield process


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

        def run(name: str, ready: Callable[[], bool], *command: str) -> "subprocess.Popen[bytes]":
            log = folder / name
            process = stack.enter_context(started(log, *command, env=env))
            wait_until(ready, process, log, within_s=STARTED_S)
            return process

        def worker_ready() -> bool:
            log = (folder / "worker.log").read_text()
            return "process initialized" in log and answers(f"http://127.0.0.1:{health}")

        known = ("--config", str(settings))
        serve = (str(server.path), "--config", str(config))
        run("livekit.log", lambda: answers(f"http://127.0.0.1:{media}"), *serve)
        url = f"http://localhost:{page}"
        gate = command_line(folder / "gateway", "gateway", *known, "--port", str(page))
        run("gateway.log", lambda: answers(f"{url}/healthz"), *gate)
        work = command_line(folder / "worker", "worker", *known)
        worker = run("worker.log", worker_ready, *work)
        yield Deployment(url=url, worker=worker)


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
