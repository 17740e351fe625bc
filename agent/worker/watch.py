"""Sessions whose worker died get another: the media server does not send one by itself.

Runs in every worker under one lease, so that one of many does it.
"""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager

import structlog
from livekit import api
from livekit.protocol.agent_dispatch import CreateAgentDispatchRequest
from livekit.protocol.room import ListParticipantsRequest

from agent.wiring.house import House
from agent.wiring.session import close_abandoned
from agent.wiring.store import open_trail
from agent.worker.errand import AGENT_NAME, errand_metadata
from trail.clock import monotonic_s
from trail.envelope import Entry
from trail.errors import DependencyUnavailable
from trail.events.house import WorkerReplaced
from trail.ids import SessionId, person_stream, random_name, session_stream
from trail.ports import SessionRow, Store

LOOK_EVERY_S = 1.0
LEASE_S = 5.0
GRACE_S = 1.0
"""A session whose lease has run out for this long has lost its worker."""
OPENING_S = 20.0
"""A session that was asked for, or for which a worker was sent, may take this long to open."""

log = structlog.get_logger()


async def watch_sessions(house: House) -> None:
    """Look after open sessions until cancelled."""
    holder = random_name()
    orphans: dict[SessionId, float] = {}
    async with (
        open_trail(house.settings, source="watch") as store,
        api.LiveKitAPI(
            url=house.media.url,
            api_key=house.media.api_key,
            api_secret=house.media.api_secret,
        ) as livekit,
    ):
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            with _said_and_gone_on():
                if await store.acquire("watch/sessions", holder, ttl_s=LEASE_S):
                    await _look(house, store, livekit, orphans)


@contextmanager
def _said_and_gone_on() -> Generator[None]:
    """Let the watch survive a store or media server that does not answer for a while."""
    try:
        yield
    except (DependencyUnavailable, api.TwirpError, OSError, TimeoutError) as error:
        log.warning("watch_blind", error=type(error).__name__)


async def _look(
    house: House, store: Store, livekit: api.LiveKitAPI, orphans: dict[SessionId, float]
) -> None:
    now_s = monotonic_s()
    rows = await store.sessions_of(None, open_only=True)
    for row in rows:
        session_id = row.session_id
        if await store.held(session_stream(session_id)):
            orphans.pop(session_id, None)
            continue
        if session_id not in orphans:
            opened = await store.head(session_stream(session_id)) > 0
            orphans[session_id] = now_s + (GRACE_S if opened else OPENING_S)
        overdue_s = now_s - orphans[session_id]
        if overdue_s < 0:
            continue
        if await _somebody_waits(livekit, row):
            await _replace(store, livekit, row, lost_for_s=overdue_s + GRACE_S)
            orphans[session_id] = now_s + OPENING_S
        elif overdue_s >= house.settings.room.return_s:
            await close_abandoned(house, session_id)
    for gone in orphans.keys() - {row.session_id for row in rows}:
        del orphans[gone]


async def _somebody_waits(livekit: api.LiveKitAPI, row: SessionRow) -> bool:
    answer = await livekit.room.list_participants(ListParticipantsRequest(room=row.room))
    return any(person.identity in row.people for person in answer.participants)


async def _replace(
    store: Store, livekit: api.LiveKitAPI, row: SessionRow, *, lost_for_s: float
) -> None:
    log.warning("worker_replaced", session_id=row.session_id, lost_for_s=round(lost_for_s, 1))
    await livekit.agent_dispatch.create_dispatch(
        CreateAgentDispatchRequest(
            agent_name=AGENT_NAME, room=row.room, metadata=errand_metadata(row)
        )
    )
    await store.append(
        person_stream(row.owner),
        [Entry(fact=WorkerReplaced(lost_for_s=lost_for_s), session_id=row.session_id)],
        expected=None,
    )
