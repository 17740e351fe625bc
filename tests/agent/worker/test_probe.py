import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from typing_extensions import override

from agent.local.ports import free_port
from agent.worker.probe import probe
from config.settings import ModelChoice, Models


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, object]]:
    return "asyncio", {"debug": False}


class _Server(ThreadingHTTPServer):
    """Speaks enough of OpenAI's protocol; ``sees`` says what it does with pictures."""

    sees = "red"
    keys: list[str]


class _Answering(BaseHTTPRequestHandler):
    server: _Server

    def do_POST(self) -> None:
        asked: dict[str, Any] = json.loads(
            self.rfile.read(int(self.headers["Content-Length"])).decode()
        )
        self.server.keys.append(self.headers["Authorization"])
        has_picture = "image_url" in json.dumps(asked["messages"])
        if has_picture and self.server.sees == "refused":
            self._reply(400, "application/json", b'{"error": {"message": "no pictures"}}')
            return
        word = self.server.sees if has_picture else "yes"
        choice = {"index": 0, "delta": {"role": "assistant", "content": word}}
        chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        line = json.dumps({**chunk, "choices": [choice]})
        self._reply(200, "text/event-stream", f"data: {line}\n\ndata: [DONE]\n\n".encode())

    def _reply(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    @override
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving(sees: str) -> Iterator[tuple[str, _Server]]:
    with _Server(("127.0.0.1", 0), _Answering) as server:
        server.sees, server.keys = sees, []
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1", server
        server.shutdown()
        thread.join()


def models(base_url: str) -> Models:
    return Models(llm=(ModelChoice(provider="openai", base_url=base_url, model="m"),))


@pytest.mark.parametrize(
    ("answer", "sees"), [("Red.", True), ("I cannot see.", False), ("refused", False)]
)
async def test_it_is_noted_whether_a_model_sees(answer: str, *, sees: bool) -> None:
    with serving(answer) as (base_url, server):
        (found,) = await probe(models(base_url))

    assert found.fault == ""
    assert found.answered_after_s is not None
    assert found.sees is sees
    assert len(server.keys) >= 2


async def test_given_nobody_there_then_the_fault_is_told() -> None:
    (found,) = await probe(models(f"http://127.0.0.1:{free_port()}/v1"))

    assert found.answered_after_s is None
    assert found.fault != ""


async def test_given_an_unknown_plugin_then_it_is_told_without_a_call() -> None:
    wrong = ModelChoice(provider="plugin", plugin="livekit.plugins.nowhere:TTS")

    (found,) = await probe(Models(tts=(wrong,)))

    assert (found.role, found.answered_after_s) == ("tts", None)
    assert "not installed" in found.fault


async def test_local_models_are_not_called() -> None:
    assert await probe(Models()) == ()
