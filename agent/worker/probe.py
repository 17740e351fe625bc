"""Calls each configured provider once, the way a conversation would, with nothing of anybody's.

What is sent: one short instruction, half a second of silence, one word to speak, and a red square
to models that may see. Local models are left out; the session loads them itself.
"""

import asyncio
import base64
import struct
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal

from livekit import rtc
from livekit.agents import APIError, llm
from livekit.agents.utils import http_context

from agent.wiring.engines import LocalEngines
from agent.worker.models import ModelMisconfigured, build_llm, build_stt, build_tts, build_vad
from config.character import Voice
from config.settings import ModelChoice, Models
from trail.clock import monotonic_s

ANSWER_WITHIN_S = 20.0
_RATE_HZ = 16_000
_SIDE_PX = 32
_REPLY_TOKENS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """How one provider answered."""

    role: Literal["stt", "llm", "tts"]
    index: int
    """Position in its list of choices."""
    provider: str
    answered_after_s: float | None
    """None: it did not."""
    fault: str = ""
    sees: bool | None = None
    """Whether a language model sees pictures; None: not asked."""


async def probe(models: Models) -> tuple[Probed, ...]:
    """Return how each provider that is not of this machine answered, in their order."""
    found: list[Probed] = []
    calls: tuple[tuple[Literal["stt", "llm", "tts"], tuple[ModelChoice, ...], _Call], ...] = (
        ("stt", models.stt, _hear),
        ("llm", models.llm, _think),
        ("tts", models.tts, _speak),
    )
    async with http_context.open():
        for role, choices, call in calls:
            for index, choice in enumerate(choices):
                if choice.provider != "local":
                    found.append(await _one(role, index, choice, call))
    return tuple(found)


_Call = Callable[[ModelChoice], Awaitable[bool | None]]


async def _one(
    role: Literal["stt", "llm", "tts"], index: int, choice: ModelChoice, call: _Call
) -> Probed:
    name = choice.plugin or choice.provider
    started_s = monotonic_s()
    try:
        async with asyncio.timeout(ANSWER_WITHIN_S):
            sees = await call(choice)
    except TimeoutError:
        fault = f"no answer within {ANSWER_WITHIN_S:.0f} s"
    except APIError as error:
        fault = error.message or type(error).__name__
    except ModelMisconfigured as error:
        fault = str(error)
    except Exception as error:  # noqa: BLE001 - a plugin may raise anything; its name is told
        fault = f"{type(error).__name__}: {error}"
    else:
        took_s = round(monotonic_s() - started_s, 3)
        return Probed(role=role, index=index, provider=name, answered_after_s=took_s, sees=sees)
    return Probed(role=role, index=index, provider=name, answered_after_s=None, fault=fault)


async def _think(choice: ModelChoice) -> bool | None:
    model = build_llm([choice], LocalEngines(), reply_tokens=_REPLY_TOKENS)
    try:
        if not await _answer(model, ["Answer with one word: yes."]):
            raise ModelMisconfigured("it answered with nothing")
        picture = llm.ImageContent(image=red_square())
        try:
            answer = await _answer(model, [picture, "Which colour is this? One word."])
        except APIError:
            return False
        return "red" in answer.lower()
    finally:
        await model.aclose()


async def _answer(model: llm.LLM[Any], content: list[llm.ChatContent]) -> str:
    context = llm.ChatContext.empty()
    context.add_message(role="user", content=content)
    async with model.chat(chat_ctx=context) as stream:
        deltas = [chunk.delta async for chunk in stream]
    return "".join(delta.content or "" for delta in deltas if delta)


async def _hear(choice: ModelChoice) -> bool | None:
    model = build_stt([choice], LocalEngines(), build_vad("livekit"))
    silence = rtc.AudioFrame(
        data=bytes(_RATE_HZ),
        sample_rate=_RATE_HZ,
        num_channels=1,
        samples_per_channel=_RATE_HZ // 2,
    )
    try:
        if not model.capabilities.streaming:
            await model.recognize(silence)
            return None
        async with model.stream() as stream:
            stream.push_frame(silence)
            stream.end_input()
            async for _event in stream:
                pass
    finally:
        await model.aclose()
    return None


async def _speak(choice: ModelChoice) -> bool | None:
    model = build_tts([choice], LocalEngines(), Voice())
    try:
        async with model.synthesize("Yes.") as stream:
            async for _audio in stream:
                return None
        raise ModelMisconfigured("it made no sound")
    finally:
        await model.aclose()


def red_square() -> str:
    """Return a red PNG as a data address."""
    row = b"\x00" + b"\xff\x00\x00" * _SIDE_PX
    header = struct.pack(">IIBBBBB", _SIDE_PX, _SIDE_PX, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(row * _SIDE_PX)), (b"IEND", b"")]
    data = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )
    return f"data:image/png;base64,{base64.b64encode(data).decode()}"
