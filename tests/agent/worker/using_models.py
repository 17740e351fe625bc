"""Short ways to build models from choices and to use them for real."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Protocol, TypeVar

import numpy as np
import pytest
from livekit import rtc
from livekit.agents import APIConnectOptions, llm, stt, tts
from livekit.agents.utils import http_context
from numpy.typing import NDArray

from agent.wiring.engines import LocalEngines
from agent.worker.models import build_llm, build_stt, build_tts, build_vad
from config.character import Voice
from config.settings import ModelChoice
from tests.agent.worker.stand_in_openai import SECONDS_PER_LETTER, tone

QUESTION = "What is the capital of Portugal?"
ANSWER = "Lisbon is the capital of Portugal."
RECORDING = tone(QUESTION)
ONCE = APIConnectOptions(max_retry=0)
NOWHERE = "http://127.0.0.1:9/v1"


class Closes(Protocol):
    async def aclose(self) -> None: ...


Model = TypeVar("Model", bound=Closes)


@asynccontextmanager
async def in_use(model: Model) -> AsyncIterator[Model]:
    """Yield a model; a worker's job gives the plugins the HTTP session that is opened here."""
    async with http_context.open():
        try:
            yield model
        finally:
            await model.aclose()


def ears(*choices: dict[str, Any]) -> stt.STT[Any]:
    return build_stt(chosen(*choices), LocalEngines(), build_vad("livekit"))


def mind(*choices: dict[str, Any]) -> llm.LLM[Any]:
    return build_llm(chosen(*choices), LocalEngines(), reply_tokens=50)


def voice(*choices: dict[str, Any]) -> tts.TTS[Any]:
    return build_tts(chosen(*choices), LocalEngines(), Voice())


def chosen(*choices: dict[str, Any]) -> list[ModelChoice]:
    return [ModelChoice.model_validate(choice) for choice in choices]


def openai_at(url: str, *, key: str = "right", **more: Any) -> dict[str, Any]:
    return {"provider": "openai", "base_url": url, "api_key": key, "model": "m", **more}


def deepgram_at(url: str, *, key: str = "right", **more: Any) -> dict[str, Any]:
    return {"provider": "deepgram", "base_url": url, "api_key": key, **more}


def frames(pcm: NDArray[np.int16], rate_hz: int = 24_000) -> list[rtc.AudioFrame]:
    size = rate_hz // 50
    pieces = [pcm[at : at + size] for at in range(0, len(pcm) - size + 1, size)]
    return [rtc.AudioFrame(piece.tobytes(), rate_hz, 1, size) for piece in pieces]


async def recognised(model: stt.STT[Any]) -> str:
    event = await model.recognize(frames(RECORDING), conn_options=ONCE)
    return event.alternatives[0].text


async def listened(
    model: stt.STT[Any], *, after: asyncio.Event | None = None
) -> list[stt.SpeechEvent]:
    """Return what a stream tells until speech ends; the talking begins ``after`` an event."""
    async with model.stream(conn_options=ONCE) as stream:
        if after is not None:
            await after.wait()
        for frame in frames(RECORDING):
            stream.push_frame(frame)
        stream.flush()
        events: list[stt.SpeechEvent] = []
        async for event in stream:
            events.append(event)
            if event.type is stt.SpeechEventType.END_OF_SPEECH:
                break
        return events


async def thought(model: llm.LLM[Any]) -> str:
    context = llm.ChatContext.empty()
    context.add_message(role="user", content=QUESTION)
    async with model.chat(chat_ctx=context, conn_options=ONCE) as stream:
        pieces = [chunk.delta.content or "" async for chunk in stream if chunk.delta]
    return "".join(pieces).strip()


async def spoken(model: tts.TTS[Any], text: str = ANSWER) -> float:
    """Return the seconds of sound of a whole text."""
    async with model.synthesize(text, conn_options=ONCE) as stream:
        return _length_s([event.frame async for event in stream])


async def read_aloud(model: tts.TTS[Any], text: str = ANSWER) -> float:
    """Return the seconds of sound of a text that arrives word by word."""
    async with model.stream(conn_options=ONCE) as stream:
        for word in text.split(" "):
            stream.push_text(f"{word} ")
        stream.end_input()
        return _length_s([event.frame async for event in stream])


def _length_s(sound: list[rtc.AudioFrame]) -> float:
    assert any(np.frombuffer(frame.data, np.int16).any() for frame in sound)
    return sum(frame.duration for frame in sound)


def length_of(text: str) -> Any:
    return pytest.approx(len(text) * SECONDS_PER_LETTER, abs=0.1)
