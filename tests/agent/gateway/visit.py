"""A gateway without sockets, and visitors of it."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import httpx
from fastapi import FastAPI
from typing_extensions import override

from agent.gateway.app import create_app
from agent.gateway.house_port import GatewayHouse, RoomControl
from policy.ruleset import load_rules
from tests.agent.gateway.watch import Watch
from trail.adapters.in_memory import InMemoryStore
from trail.errors import DependencyUnavailable
from trail.ids import CharacterId, ParticipantId, RoomName

HERE = "http://localhost:8080"
ADA, BRUNO = CharacterId("ada"), CharacterId("bruno")
LIVEKIT_SECRET = "a-secret-of-at-least-32-characters-here"
OPERATOR = "operator-token"


@dataclass
class Rooms(RoomControl):
    """Who is in which room; can be made unreachable."""

    inside: dict[RoomName, set[ParticipantId]] = field(default_factory=dict)
    down: bool = False

    @override
    async def remove(self, room: RoomName, participant: ParticipantId) -> None:
        await self.reach()
        self.inside.get(room, set()).discard(participant)

    @override
    async def people(self, room: RoomName) -> Sequence[ParticipantId]:
        await self.reach()
        return tuple(sorted(self.inside.get(room, ())))

    @override
    async def reach(self) -> None:
        if self.down:
            raise DependencyUnavailable("livekit", "TimeoutError")


@dataclass
class Site:
    """One gateway with everything behind it."""

    watch: Watch
    store: InMemoryStore
    rooms: Rooms
    house: GatewayHouse
    app: FastAPI

    @asynccontextmanager
    async def visitor(
        self, name: str | None = None, *, address: str = "127.0.0.1", **headers: str
    ) -> AsyncGenerator[httpx.AsyncClient]:
        """Yield somebody with a cookie jar; signed in if a name is given."""
        transport = httpx.ASGITransport(
            app=self.app, raise_app_exceptions=False, client=(address, 50_000)
        )
        async with httpx.AsyncClient(
            transport=transport, base_url=HERE, headers={"Origin": HERE, **headers}
        ) as client:
            if name is not None:
                answer = await client.post("/api/sign-in", json={"name": name})
                assert answer.status_code == 200, answer.text
            yield client

    @asynccontextmanager
    async def operator(self) -> AsyncGenerator[httpx.AsyncClient]:
        """Yield the command line of this machine."""
        async with self.visitor(Authorization=f"Bearer {OPERATOR}") as client:
            del client.headers["Origin"]
            yield client


_rules = cache(load_rules)


def site(**changed: Any) -> Site:
    """Return a gateway over an empty store; ``changed`` are fields of the house."""
    watch = Watch()
    store = InMemoryStore(now=watch.utc)
    rooms = Rooms()
    settings: dict[str, Any] = {
        "store": store,
        "rooms": rooms,
        "rules": _rules(),
        "livekit_key": "key",
        "livekit_secret": LIVEKIT_SECRET,
        "cookie_key": b"k" * 32,
        "operator_token": OPERATOR,
        "livekit_public_url": "ws://127.0.0.1:7880",
        "characters": (ADA, BRUNO),
        "default_character": ADA,
        "software": "1.2.3",
        "now": watch.utc,
        "monotonic_s": watch.session_s,
    }
    house = GatewayHouse(**(settings | changed))
    return Site(watch=watch, store=store, rooms=rooms, house=house, app=create_app(house))


def problem_code(answer: httpx.Response) -> str:
    """Return the code of a problem, after checking that it is one."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    body = answer.json()
    assert body["status"] == answer.status_code
    assert {"type", "title", "detail", "code"} <= body.keys()
    return str(body["code"])
