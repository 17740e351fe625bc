"""Reads one whole session from the store: its facts, the words that still exist, the names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agent.replay.transcript import avatar_of, content_ids
from trail.envelope import Envelope, Fact
from trail.ids import (
    HOUSE,
    ContentId,
    EventId,
    ParticipantId,
    PersonId,
    RoomName,
    SessionId,
    StreamName,
    person_stream,
    session_stream,
)
from trail.ports import SessionRow, Store

LATEST: Final = "latest"
_PAGE: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A session as it lies in the store."""

    row: SessionRow
    envelopes: Sequence[Envelope[Fact]]
    texts: Mapping[ContentId, str]
    names: Mapping[ParticipantId, str]
    """Of the people who were in it, as they typed them last; the avatar under its character."""


async def find_session(store: Store, asked: str) -> SessionRow | None:
    """Return the session meant by an id, a room's name or ``latest``; None if there is none."""
    if asked == LATEST:
        return next(iter(await store.sessions_of(None, limit=1)), None)
    by_id = await store.find(session_id=SessionId(asked), room=None)
    return by_id or await store.find(session_id=None, room=RoomName(asked))


async def read_session(store: Store, row: SessionRow) -> Recorded:
    """Read a session whole.

    Raises:
        TrailCorrupt: a stored fact cannot be read.
        DependencyUnavailable: the store did not answer.
    """
    envelopes = await whole_stream(store, session_stream(row.session_id))
    names: dict[ParticipantId, str] = {}
    for person_id in row.people:
        person = await store.person(person_id)
        names[ParticipantId(person_id)] = person.name if person is not None else ""
    names[avatar_of(envelopes)] = row.character_id
    return Recorded(
        row=row,
        envelopes=envelopes,
        texts=await store.texts(content_ids(envelopes)),
        names=names,
    )


async def missing_causes(
    store: Store, causes: Sequence[EventId], people: Sequence[PersonId]
) -> frozenset[EventId]:
    """Return those of ``causes`` that neither these people's streams nor the house's hold."""
    missing = set(causes)
    for stream in (HOUSE, *(person_stream(person_id) for person_id in people)):
        if missing:
            missing -= {envelope.event_id for envelope in await whole_stream(store, stream)}
    return frozenset(missing)


async def whole_stream(store: Store, stream: StreamName) -> Sequence[Envelope[Fact]]:
    """Return all facts of a stream, in order."""
    found: list[Envelope[Fact]] = []
    while page := await store.read(stream, after=len(found), limit=_PAGE):
        found.extend(page)
    return found
