"""A language model whose wits are known: an OpenAI-compatible server that answers by script."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from typing_extensions import override

LONG_STORY = (
    "Once there was a lighthouse on a rock in the sea. Every evening an old keeper climbed its "
    "stairs and lit the lamp. One night a great storm came up from the west. The waves were higher "
    "than the house in which he slept. He stayed awake and turned the lamp by hand until morning. "
    "Seven ships came home safely because of him."
)
ANYTHING = "I heard you, and I am glad that you are here."


QUICKLY_OVER = """
room:
  return_s: 10
"""
"""Rooms that tests have left must not go on drawing faces beside those of the next test."""


@dataclass(slots=True)
class Script:
    """Replies by a word of the last message; the first that fits is given."""

    replies: dict[str, str] = field(default_factory=dict[str, str])
    requests: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    """Bodies of all requests, in order."""
    failing: bool = False
    """Whether every request is answered with 500."""

    def reply_to(self, body: Mapping[str, Any]) -> str:
        said = str(body["messages"][-1]["content"]).lower()
        return next((reply for word, reply in self.replies.items() if word in said), ANYTHING)


@contextmanager
def scripted_model(script: Script) -> Iterator[str]:
    """Serve ``script`` and yield the address of the server (``…/v1``)."""

    class Answers(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        @override
        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            self._json({"object": "list", "data": [{"id": "scripted", "object": "model"}]})

        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length", 0))
            body = json.loads(self.rfile.read(size))
            script.requests.append(body)
            if script.failing:
                self.send_error(500)
                return
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            for word in script.reply_to(body).split(" "):
                self._chunk({"content": f"{word} "}, finish=None)
            self._chunk({}, finish="stop")
            self.wfile.write(b"data: [DONE]\n\n")
            self.close_connection = True

        def _chunk(self, delta: Mapping[str, str], *, finish: str | None) -> None:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            chunk = {
                "id": "c1",
                "object": "chat.completion.chunk",
                "created": 0,
                "model": "scripted",
                "choices": [choice],
            }
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            self.wfile.flush()

        def _json(self, value: Mapping[str, Any]) -> None:
            data = json.dumps(value).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def settings_for(url: str, *, more: str = "") -> str:
    """Return the configuration of a house that thinks with the model at ``url``."""
    return f"""
models:
  tier: tiny
  llm:
    - provider: openai
      base_url: {url}
      model: scripted
{QUICKLY_OVER}
{more}
"""
