"""What one conversation owns: its place in the trail, its gate, its clock, what was said before."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from agent.speech.history import History, history_from, remember
from agent.wiring.consents import ConsentBoard
from agent.wiring.house import House
from agent.wiring.store import open_trail
from policy.gate import Gate
from trail.clock import SystemClock
from trail.envelope import Envelope, Fact
from trail.errors import DependencyUnavailable
from trail.events.delivery import (
    CutBy,
    DeliveryState,
    Evidence,
    How,
    SegmentFinished,
)
from trail.events.session import SessionEnd, SessionEnded
from trail.ids import ContentId, SessionId, StreamName, random_name, session_stream
from trail.journal import Journal
from trail.lease import Lease
from trail.ports import SessionRow, Store

LEASE_S = 6.0
"""A worker that died is noticed after this long; a new one must be there within ten seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSession:
    """The open parts of one session."""

    row: SessionRow
    store: Store
    journal: Journal
    gate: Gate
    clock: SystemClock
    consents: ConsentBoard
    history: History
    head: int
    """Last position of the stream when it was opened; 0 for a new session."""

    @property
    def resumed(self) -> bool:
        """Whether another worker had this session before."""
        return self.head > 0


@asynccontextmanager
async def open_session(
    house: House, session_id: SessionId, *, holder: str, part: str
) -> AsyncGenerator[OpenSession]:
    """Open a session for writing; nobody else can until this ends.

    Args:
        house: What the process shares.
        session_id: Which session; it must be in the directory.
        holder: Unique name of this job, for the lease.
        part: Name of this process in the trail.

    Raises:
        DependencyUnavailable: the database does not answer, the session is unknown or has ended,
            or another worker has it.
        ExceptionGroup: the lease was lost (`LeaseLost`); whatever ran inside was cancelled.
    """
    async with open_trail(house.settings, source=part) as store:
        row = await store.find(session_id=session_id, room=None)
        if row is None or row.ended_at is not None:
            raise DependencyUnavailable("session", f"{session_id} is unknown or has ended")
        stream = session_stream(session_id)
        lease = Lease(store, stream, holder, ttl_s=LEASE_S)
        if not await lease.acquire():
            raise DependencyUnavailable("session", f"another worker has {session_id}")
        try:
            async with asyncio.TaskGroup() as group:
                # Kept from the first moment: opening may take longer than the lease lasts.
                keeping = group.create_task(lease.keep(), name="lease")
                yield await _opened(house, store, row, stream)
                keeping.cancel()
        finally:
            await lease.release()


async def close_abandoned(house: House, session_id: SessionId) -> None:
    """End a session whose worker is gone and to which nobody came back."""
    async with open_session(house, session_id, holder=random_name(), part="watch") as session:
        session.journal.note(SessionEnded(reason=SessionEnd.EMPTY))
        await session.journal.flush()
        await session.store.end(session_id, at=session.clock.utc())


async def _opened(house: House, store: Store, row: SessionRow, stream: StreamName) -> OpenSession:
    past = await _everything(store, stream)
    clock = SystemClock(
        opened_utc=past[0].occurred_at if past else None,
        floor_s=max((e.at_s or 0.0 for e in past), default=0.0),
    )
    head = past[-1].position if past else 0
    journal = Journal(store, stream, clock=clock, head=head, session_id=row.session_id)
    history = await _history(store, past)
    for fact in unfinished(history):
        journal.note(fact, turn_id=fact.turn)
        history = remember(history, fact, at_s=clock.session_s())
    consents = ConsentBoard(store)
    await consents.follow(row.owner)
    return OpenSession(
        row=row,
        store=store,
        journal=journal,
        gate=Gate(house.rules, journal, clock=clock, consents=consents.of),
        clock=clock,
        consents=consents,
        history=history,
        head=head,
    )


def unfinished(history: History) -> tuple[SegmentFinished, ...]:
    """Return the ends of segments whose worker died: nobody can tell how far they were heard."""
    return tuple(
        SegmentFinished(
            segment=segment.segment,
            turn=segment.turn,
            state=DeliveryState.UNKNOWN,
            how=How.VANISHED,
            evidence=Evidence.UNKNOWN,
            heard_s=0.0,
            of_s=segment.of_s or 0.0,
            heard_chars=0,
            cut_by=CutBy.NOTHING,
            error_s=0.0,
        )
        for segment in history.turns.segments.values()
        if segment.state is DeliveryState.PENDING
    )


async def _everything(store: Store, stream: StreamName) -> list[Envelope[Fact]]:
    past: list[Envelope[Fact]] = []
    while page := await store.read(stream, after=len(past), limit=1000):
        past.extend(page)
    return past


async def _history(store: Store, past: list[Envelope[Fact]]) -> History:
    if not past:
        return History()
    bare = history_from(past, {})
    ids: list[ContentId] = [person.fact.words.content_id for person in bare.turns.people]
    ids += [s.words.content_id for s in bare.turns.segments.values() if s.words is not None]
    return history_from(past, await store.texts(ids))
