"""A trail followed live: heartbeats while nothing happens, an end when there is one."""

import asyncio

from agent.gateway.following import HEARTBEAT_S, follow
from agent.gateway.perceivable import View
from agent.gateway.routes.trail import FOLLOWERS_AT_MOST
from tests.agent.gateway.talk import Talk
from tests.agent.gateway.visit import problem_code, site
from trail.adapters.in_memory import InMemoryStore
from trail.ids import PersonId, SessionId, session_stream

TALK = Talk(session_id=SessionId("s"), owner=PersonId("ada"))
STREAM = session_stream(SessionId("s"))


async def test_given_silence_when_followed_then_a_heartbeat_comes_and_stopping_ends_it() -> None:
    store, stopping = InMemoryStore(), asyncio.Event()
    began_s = asyncio.get_running_loop().time()
    heard: list[str] = []
    async for event in follow(store, STREAM, View(None), after=0, stopping=stopping):
        heard.append(event)
        if len(heard) == 3:
            stopping.set()

    took_s = asyncio.get_running_loop().time() - began_s
    assert heard == ["retry: 2000\n\n", ": still here\n\n", ": still here\n\n"]
    assert abs(took_s - 2 * HEARTBEAT_S) < 1


async def test_given_a_fact_when_followed_then_it_comes_within_a_second_and_once() -> None:
    store, stopping = InMemoryStore(), asyncio.Event()
    loop = asyncio.get_running_loop()
    ids: list[str] = []

    async def record() -> None:
        for number, entry in enumerate((TALK.opened(), TALK.joined("ada"), TALK.ended())):
            await asyncio.sleep(5)
            await store.append(STREAM, [entry], expected=number)

    began_s = loop.time()
    async with asyncio.TaskGroup() as group:
        group.create_task(record())
        async for event in follow(store, STREAM, View(None), after=1, stopping=stopping):
            ids += [line for line in event.splitlines() if line.startswith(("id:", "event:"))]

    assert ids == ["id: 2", "id: 3", "event: end"]
    assert loop.time() - began_s < 16


async def test_given_too_many_followers_when_another_comes_then_it_is_refused() -> None:
    here = site()
    async with here.visitor("Ada") as ada:
        person = (await ada.get("/api/me")).json()["person_id"]
        session = (await ada.post("/api/token", json={})).json()["session_id"]
        here.app.state.desk.followers[person] = FOLLOWERS_AT_MOST
        answer = await ada.get(
            f"/api/sessions/{session}/trail", headers={"Accept": "text/event-stream"}
        )

    assert (answer.status_code, problem_code(answer)) == (429, "too_many_followed")
