"""A session's trail for one reader: in pages, or followed live as server-sent events."""

import asyncio
import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any, Final

from agent.gateway.perceivable import View
from trail.events.session import SessionEnded
from trail.ids import StreamName
from trail.ports import TrailReader

POLL_S: Final = 0.5
HEARTBEAT_S: Final = 15.0
_PAGE: Final = 500
_RETRY_MS: Final = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A stretch of a stream."""

    items: list[dict[str, Any]]
    next_after: int
    """What to ask for next; the same as asked when nothing came."""


async def page(
    store: TrailReader, stream: StreamName, view: View, *, after: int, limit: int
) -> Page:
    """Return up to ``limit`` items behind ``after``; ``view`` must be new."""
    items: list[dict[str, Any]] = []
    position = 0
    while len(items) < limit and (stretch := await store.read(stream, after=position, limit=_PAGE)):
        for envelope in stretch:
            shown = view.show(envelope)
            if envelope.position > after and len(items) < limit:
                items.append(shown)
        position = stretch[-1].position
    return Page(items=items, next_after=after + len(items))


async def follow(
    store: TrailReader, stream: StreamName, view: View, *, after: int, stopping: asyncio.Event
) -> AsyncGenerator[str]:
    """Yield server-sent events behind ``after`` until the session has ended or we are stopping.

    Each carries its position as id. The last fact of a session is followed by an event ``end``.
    While nothing happens a comment is sent every `HEARTBEAT_S`.
    """
    yield f"retry: {_RETRY_MS}\n\n"
    position, quiet_s = 0, 0.0
    while not stopping.is_set():
        stretch = await store.read(stream, after=position, limit=_PAGE)
        for envelope in stretch:
            position = envelope.position
            shown = view.show(envelope)
            if position > after:
                quiet_s = 0.0
                yield f"id: {position}\ndata: {json.dumps(shown, separators=(',', ':'))}\n\n"
            if isinstance(envelope.fact, SessionEnded):
                yield "event: end\ndata: {}\n\n"
                return
        if stretch:
            continue
        await _wait(stopping)
        quiet_s += POLL_S
        if quiet_s >= HEARTBEAT_S:
            quiet_s = 0.0
            yield ": still here\n\n"


async def has_ended_at(store: TrailReader, stream: StreamName, position: int) -> bool:
    """Tell whether the fact at ``position`` is the last of its session."""
    found = await store.read(stream, after=position - 1, limit=1) if position > 0 else ()
    return any(isinstance(one.fact, SessionEnded) for one in found)


async def _wait(stopping: asyncio.Event) -> None:
    try:
        async with asyncio.timeout(POLL_S):
            await stopping.wait()
    except TimeoutError:
        return
