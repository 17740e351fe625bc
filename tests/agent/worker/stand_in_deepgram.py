"""A stand-in for Deepgram: hears and speaks by script over its websockets and its requests."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from tests.agent.worker.serving import serving
from tests.agent.worker.stand_in_openai import tone

BYTES_PER_SAMPLE = 2
INTERIM_AFTER_S = 0.5


@dataclass(slots=True, kw_only=True)
class Deepgram:
    """What the stand-in answers, and what it was asked."""

    key: str = "right"
    hears: str = ""
    fails_with: int | None = None
    """HTTP status that every request gets."""
    requests: list[tuple[str, dict[str, str]]] = field(
        default_factory=list[tuple[str, dict[str, str]]]
    )
    """Paths and query fields, refused ones too."""
    heard_s: float = 0.0
    """Seconds of sound received over websockets."""
    said: list[str] = field(default_factory=list[str])

    async def listen(self, request: web.Request) -> web.StreamResponse:
        """Answer `GET /v1/listen`: interim words after half a second, all words when asked."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        per_second = int(request.query["sample_rate"]) * BYTES_PER_SAMPLE
        started = False
        heard_s = 0.0
        async for message in socket:
            if message.type is WSMsgType.BINARY:
                heard_s += len(message.data) / per_second
                if heard_s >= INTERIM_AFTER_S and not started:
                    started = True
                    await socket.send_json(_started())
                    await socket.send_json(self._results(heard_s, final=False))
            elif message.json()["type"] == "Finalize":
                await socket.send_json(self._results(heard_s, final=True))
            elif message.json()["type"] == "CloseStream":
                await socket.send_json({"type": "Metadata", "duration": heard_s})
                break
        self.heard_s += heard_s
        await socket.close()
        return socket

    async def transcribe(self, request: web.Request) -> web.StreamResponse:
        """Answer `POST /v1/listen`: a whole recording."""
        await request.read()
        channels = [{"alternatives": [_alternative(self.hears.split(), 1.0)]}]
        return web.json_response(
            {"metadata": {"request_id": "1"}, "results": {"channels": channels}}
        )

    async def speak(self, request: web.Request) -> web.StreamResponse:
        """Answer `GET /v1/speak`: collected text becomes sound at each flush."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        text = ""
        async for message in socket:
            match message.json():
                case {"type": "Speak", "text": more}:
                    text += more
                case {"type": "Flush"}:
                    if text:
                        self.said.append(text.strip())
                        await socket.send_bytes(tone(text.strip()).tobytes())
                    text = ""
                    await socket.send_json({"type": "Flushed", "sequence_id": 0})
                case _:
                    break
        await socket.close()
        return socket

    async def speak_at_once(self, request: web.Request) -> web.StreamResponse:
        """Answer `POST /v1/speak`: a whole text."""
        text = (await request.json())["text"]
        self.said.append(text)
        return web.Response(body=tone(text).tobytes(), content_type="audio/l16")

    async def guard(self, request: web.Request) -> web.Response | None:
        """Return the refusal that a request gets, if any."""
        self.requests.append((request.path, dict(request.query)))
        if self.fails_with is not None:
            return web.json_response({"err_code": "INTERNAL"}, status=self.fails_with)
        if request.headers.get("Authorization") != f"Token {self.key}":
            return web.json_response({"err_code": "INVALID_AUTH"}, status=401)
        return None

    def _results(self, heard_s: float, *, final: bool) -> dict[str, Any]:
        words = self.hears.split()
        known = words if final else words[: len(words) // 2]
        return {
            "type": "Results",
            "channel_index": [0, 1],
            "start": 0.0,
            "duration": heard_s,
            "is_final": final,
            "speech_final": final,
            "channel": {"alternatives": [_alternative(known, heard_s)]},
            "metadata": {"request_id": "1"},
        }


@asynccontextmanager
async def stand_in_deepgram(service: Deepgram) -> AsyncIterator[str]:
    """Serve ``service`` and yield its address (``…/v1``)."""
    routes = [
        web.get("/v1/listen", service.listen),
        web.post("/v1/listen", service.transcribe),
        web.get("/v1/speak", service.speak),
        web.post("/v1/speak", service.speak_at_once),
    ]
    async with serving(routes, service.guard) as root:
        yield f"{root}/v1"


def _started() -> dict[str, Any]:
    return {"type": "SpeechStarted", "channel": [0], "timestamp": 0.0}


def _alternative(words: list[str], heard_s: float) -> dict[str, Any]:
    """Return ``words`` spread evenly over the seconds heard."""
    each_s = heard_s / max(1, len(words))
    return {
        "transcript": " ".join(words),
        "confidence": 0.9,
        "words": [
            {
                "word": word.lower().strip(".,?!"),
                "punctuated_word": word,
                "start": at * each_s,
                "end": (at + 1) * each_s,
                "confidence": 0.9,
            }
            for at, word in enumerate(words)
        ],
    }
