"""A plain LiveKit Agents worker, as its documentation shows one, to compare the product with.

``python -m tests.benchmarks.plain_worker --data-dir D --livekit-port P --tier T [--config C]``
joins the media server of a running house and thinks with its model server. It has the same model
objects, built by the same functions, and the same turn handling; nothing else of this project:
no trail, no gate, no ledger, no release point, no echo canceller, no face, no messages to the page.
It prints ``registered`` when it takes jobs and ends with SIGTERM or SIGINT.
"""

import argparse
import asyncio
import signal
from pathlib import Path
from typing import Final

from livekit.agents import (
    Agent,
    AgentServer,
    AgentSession,
    AutoSubscribe,
    JobContext,
    JobExecutorType,
    JobProcess,
    JobRequest,
    TurnHandlingOptions,
    inference,
)

from agent.cli.options import settings_of
from agent.local.secrets import load_secrets
from agent.wiring.engines import LocalEngines, load_engines
from agent.wiring.house import media_server
from agent.worker.models import build_llm, build_stt, build_tts, build_vad
from config.character import Character, load_characters
from config.settings import Settings
from trail.ids import random_name

AGENT_NAME: Final = "plain"
IDENTITY: Final = "avatar-plain-"
"""The page takes an agent for the avatar by the beginning of its identity."""


class Plain:
    """Jobs as threads of this process, as in the house; each model is loaded once."""

    def __init__(self, settings: Settings, engines: LocalEngines, character: Character) -> None:
        self._settings = settings
        self._engines = engines
        self._character = character

    async def entry(self, ctx: JobContext) -> None:
        """Hold one conversation until the person leaves."""
        models, room = self._settings.models, self._settings.room
        vad = build_vad(models.vad)
        tokens = self._settings.speech.reply_tokens_at_most
        session = AgentSession[None](
            stt=build_stt(models.stt, self._engines, vad),
            llm=build_llm(models.llm, self._engines, reply_tokens=tokens),
            tts=build_tts(models.tts, self._engines, self._character.voice),
            vad=vad,
            turn_handling=TurnHandlingOptions(
                turn_detection=inference.TurnDetector(version="v1-mini"),
                endpointing={
                    "mode": "fixed",
                    "min_delay": room.min_endpointing_s,
                    "max_delay": room.max_endpointing_s,
                },
                interruption={"mode": "vad"},
            ),
            aec_warmup_duration=None,
        )
        await ctx.connect(auto_subscribe=AutoSubscribe.AUDIO_ONLY)
        await session.start(Agent(instructions=self._character.prompt), room=ctx.room, record=False)
        session.say(self._character.greeting)


async def accept(request: JobRequest) -> None:
    """Take every job."""
    await request.accept(name="Plain", identity=f"{IDENTITY}{random_name(9)}")


def nothing_to_prepare(_: JobProcess) -> None:
    """Prepare a job thread: everything is loaded already."""


def no_load(_: AgentServer) -> float:
    """Take jobs however busy the machine is, as the house does."""
    return 0.0


async def run(settings: Settings) -> None:
    """Serve until a signal comes."""
    secrets = load_secrets(settings.data_dir)
    media = media_server(settings, secrets)
    characters = load_characters(settings.data_dir / "characters")
    plain = Plain(settings, await load_engines(settings, secrets), characters[settings.character])
    server = AgentServer(
        job_executor_type=JobExecutorType.THREAD,
        setup_fnc=nothing_to_prepare,
        ws_url=media.url,
        api_key=media.api_key,
        api_secret=media.api_secret,
        load_fnc=no_load,
        load_threshold=float("inf"),
        num_idle_processes=1,
        host="127.0.0.1",
        port=0,
    )
    server.rtc_session(plain.entry, agent_name=AGENT_NAME, on_request=accept)
    server.on("worker_registered", lambda *_: print("registered", flush=True))
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with asyncio.TaskGroup() as group:
        running = group.create_task(server.run(devmode=False))
        await stopped.wait()
        await server.aclose()
        running.cancel()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--livekit-port", type=int, required=True)
    parser.add_argument("--tier", required=True)
    parser.add_argument("--config", type=Path)
    asked = parser.parse_args()
    settings = settings_of(
        config=asked.config,
        data_dir=asked.data_dir,
        livekit_port=asked.livekit_port,
        tier=asked.tier,
    )
    asyncio.run(run(settings))


if __name__ == "__main__":
    main()
