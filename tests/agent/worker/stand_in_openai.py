"""A stand-in for OpenAI: hears, thinks and speaks by script, in the words of its protocol.

Speech is answered in the format that was asked for, as a stream of events where the real service
does so, or as bare sound as most compatible servers do.
"""

import base64
import io
import json
import wave
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import av
import numpy as np
from aiohttp import BodyPartReader, web
from numpy.typing import NDArray

from tests.agent.worker.serving import serving

RATE_HZ = 24_000
SECONDS_PER_LETTER = 0.06
"""Speech is a tone as long as the text is."""


@dataclass(slots=True, kw_only=True)
class OpenAI:
    """What the stand-in answers, and what it was asked."""

    key: str = "right"
    hears: str = ""
    thinks: str = ""
    fails_with: int | None = None
    """HTTP status that every request gets."""
    speaks_in_events: bool = True
    """Whether sound comes as server-sent events, as from the real service."""
    requests: list[str] = field(default_factory=list[str])
    """Paths in the order of the requests, refused ones too."""
    heard_s: list[float] = field(default_factory=list[float])
    """Lengths of the recordings received."""
    bodies: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Fields of the requests that were answered."""

    async def transcribe(self, request: web.Request) -> web.StreamResponse:
        """Answer `POST /v1/audio/transcriptions`."""
        fields: dict[str, Any] = {}
        async for part in await request.multipart():
            assert isinstance(part, BodyPartReader)
            if part.name == "file":
                with wave.open(io.BytesIO(bytes(await part.read()))) as recording:
                    self.heard_s.append(recording.getnframes() / recording.getframerate())
            else:
                fields[part.name or ""] = await part.text()
        self.bodies.append(fields)
        return web.json_response({"text": self.hears})

    async def chat(self, request: web.Request) -> web.StreamResponse:
        """Answer `POST /v1/chat/completions` word by word."""
        body = await request.json()
        self.bodies.append(body)
        assert body["stream"] is True
        response = await _events(request)
        for word in self.thinks.split(" "):
            await _send(response, _chunk(body["model"], {"content": f"{word} "}))
        await _send(response, _chunk(body["model"], {}, finish="stop"))
        await response.write(b"data: [DONE]\n\n")
        return response

    async def speak(self, request: web.Request) -> web.StreamResponse:
        """Answer `POST /v1/audio/speech`."""
        body = await request.json()
        self.bodies.append(body)
        sound = encoded(tone(body["input"]), body["response_format"])
        if not (self.speaks_in_events and body.get("stream_format") == "sse"):
            return web.Response(body=sound, content_type=_MIME[body["response_format"]])
        response = await _events(request)
        for start in range(0, len(sound), 4_096):
            piece = base64.b64encode(sound[start : start + 4_096]).decode()
            await _send(response, {"type": "speech.audio.delta", "audio": piece})
        await _send(response, {"type": "speech.audio.done", "usage": {"input_tokens": 1}})
        return response

    async def guard(self, request: web.Request) -> web.Response | None:
        """Return the refusal that a request gets, if any."""
        self.requests.append(request.path)
        if self.fails_with is not None:
            return _error("the server had an error", status=self.fails_with)
        if request.headers.get("Authorization") != f"Bearer {self.key}":
            return _error("Incorrect API key provided", status=401)
        return None


@asynccontextmanager
async def stand_in_openai(service: OpenAI) -> AsyncIterator[str]:
    """Serve ``service`` and yield its address (``…/v1``)."""
    routes = [
        web.post("/v1/audio/transcriptions", service.transcribe),
        web.post("/v1/chat/completions", service.chat),
        web.post("/v1/audio/speech", service.speak),
    ]
    async with serving(routes, service.guard) as root:
        yield f"{root}/v1"


def tone(text: str) -> NDArray[np.int16]:
    """Return what the stand-ins say instead of ``text``."""
    at = np.arange(int(len(text) * SECONDS_PER_LETTER * RATE_HZ)) / RATE_HZ
    return (8_000 * np.sin(2 * np.pi * 220 * at)).astype(np.int16)


_MIME = {"mp3": "audio/mpeg", "wav": "audio/wav", "pcm": "audio/pcm"}


def encoded(pcm: NDArray[np.int16], kind: str) -> bytes:
    """Return sound as the bytes of an ``mp3`` or ``wav`` file, or as bare ``pcm``."""
    if kind == "pcm":
        return pcm.tobytes()
    file = io.BytesIO()
    with av.open(file, "w", format=kind) as container:
        stream = container.add_stream("mp3" if kind == "mp3" else "pcm_s16le", rate=RATE_HZ)
        assert isinstance(stream, av.AudioStream)
        frame = av.AudioFrame.from_ndarray(pcm.reshape(1, -1), format="s16", layout="mono")
        frame.sample_rate = RATE_HZ
        stream.layout = "mono"
        for packet in (*stream.encode(frame), *stream.encode(None)):
            container.mux(packet)
    return file.getvalue()


def _chunk(model: str, delta: dict[str, str], *, finish: str | None = None) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }


def _error(message: str, *, status: int) -> web.Response:
    return web.json_response({"error": {"message": message, "type": "error"}}, status=status)


async def _events(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    return response


async def _send(response: web.StreamResponse, event: dict[str, Any]) -> None:
    await response.write(f"data: {json.dumps(event)}\n\n".encode())
