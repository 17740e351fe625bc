"""The gateway over a real socket: it answers, follows a trail live, and ends cleanly."""

import asyncio
import json
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx
import pytest

from agent.gateway.serve import OpenAddress, serve
from tests.agent.gateway.talk import Talk
from tests.agent.gateway.visit import Site, site
from trail.errors import DependencyUnavailable
from trail.ids import PersonId, SessionId, session_stream


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, object]]:
    return "asyncio", {"debug": False}


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@asynccontextmanager
async def served(here: Site, port: int) -> AsyncGenerator[httpx.AsyncClient]:
    address = f"http://127.0.0.1:{port}"
    async with (
        httpx.AsyncClient(base_url=address, headers={"Origin": address}) as client,
        asyncio.TaskGroup() as group,
    ):
        running = group.create_task(serve(here.app, "127.0.0.1", port))
        while True:
            try:
                await client.get("/healthz")
                break
            except httpx.ConnectError:
                await asyncio.sleep(0.01)
        yield client
        running.cancel()


async def test_given_a_follower_when_facts_are_recorded_then_they_arrive_and_stopping_ends_it() -> (
    None
):
    here, port = site(), free_port()
    positions: list[int] = []
    async with asyncio.timeout(20), served(here, port) as client:
        person = (await client.post("/api/sign-in", json={"name": "Ada"})).json()["person_id"]
        session_id = SessionId((await client.post("/api/token", json={})).json()["session_id"])
        talk = Talk(session_id=session_id, owner=PersonId(person))
        stream = session_stream(session_id)
        await here.store.append(stream, [talk.opened(), talk.joined(person)], expected=0)
        live = client.stream(
            "GET", f"/api/sessions/{session_id}/trail", headers={"Accept": "text/event-stream"}
        )
        async with live as answer:
            assert answer.status_code == 200
            async for line in answer.aiter_lines():
                if not line.startswith("data:"):
                    continue
                positions.append(json.loads(line.removeprefix("data:"))["position"])
                if positions == [1, 2]:
                    await here.store.append(stream, [talk.said("hello", "t", person)], expected=2)
                if len(positions) == 3:
                    break
        followed = client.stream(
            "GET", f"/api/sessions/{session_id}/trail", headers={"Accept": "text/event-stream"}
        )
        async with followed as answer:
            here.app.state.desk.stopping.set()
            rest = [line async for line in answer.aiter_lines()]

    assert positions == [1, 2, 3]
    assert rest[0].startswith("retry:")
    with socket.socket() as one:
        assert one.connect_ex(("127.0.0.1", port)) != 0


async def test_given_a_taken_port_when_served_then_the_flag_that_changes_it_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = int(taken.getsockname()[1])
        with pytest.raises(DependencyUnavailable, match=rf"{port}.*--port"):
            await serve(site().app, "127.0.0.1", port)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org"])
async def test_given_an_open_address_when_served_then_it_is_refused_with_the_reason(
    host: str,
) -> None:
    with pytest.raises(OpenAddress, match="by name alone"):
        await serve(site().app, host, free_port())
