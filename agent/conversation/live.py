"""What the page is told while a conversation runs: one reliable topic, to the audience only.

The topic carries words in progress; what is durable is read from the trail. Messages are JSON
objects ``{"v", "seq", "kind", …}`` of at most `BYTES_AT_MOST` bytes, so that one fits a packet.
"""

import asyncio
import json
from collections import deque
from collections.abc import Mapping
from typing import Any, Protocol

TOPIC = "earwitness.conversation"
VERSION = 1
BYTES_AT_MOST = 14_000
"""A reliable data packet of LiveKit carries 15 KiB; the rest is for the envelope."""
KEPT = 2_000


class Sender(Protocol):
    """Carries one message to the people in the audience."""

    async def send(self, payload: bytes) -> None:
        """Send; a message that cannot be delivered is lost, the page reads the trail again."""
        ...


class LiveTopic:
    """The messages on their way to the page. `say` never waits; `run` sends in order."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender
        self._wake = asyncio.Event()
        self._waiting: deque[bytes] = deque(maxlen=KEPT)
        self._seq = 0
        self.dropped = 0

    def say(self, kind: str, **values: Any) -> None:
        """Queue a message. When the page is too slow the oldest are dropped and counted."""
        self._seq += 1
        if len(self._waiting) == KEPT:
            self.dropped += 1
        self._waiting.append(encoded({"v": VERSION, "seq": self._seq, "kind": kind, **values}))
        self._wake.set()

    async def run(self) -> None:
        """Send what was said, in order, until cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self.sent()

    async def sent(self) -> None:
        """Send what waits now."""
        while self._waiting:
            await self._sender.send(self._waiting.popleft())


def encoded(message: Mapping[str, Any]) -> bytes:
    """Return the JSON bytes of ``message``; a text too long for a packet keeps its end."""
    data = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
    text = message.get("text")
    if len(data) <= BYTES_AT_MOST or not isinstance(text, str):
        return data
    spare = len(data) - BYTES_AT_MOST
    kept = text.encode()[spare + 8 :].decode(errors="ignore")
    return json.dumps(
        {**message, "text": f"… {kept}"}, ensure_ascii=False, separators=(",", ":")
    ).encode()
