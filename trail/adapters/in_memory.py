"""A store that lives in this process and keeps every promise but survival.

Not a toy: tests and offline commands use it, and it passes the suite that the SQL store passes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from typing_extensions import override

from trail.chain import GENESIS
from trail.clock import utc_now
from trail.content import Content
from trail.envelope import Entry, Envelope, Fact
from trail.errors import ContractError, PositionConflict
from trail.ids import (
    ContentId,
    EventId,
    InvitationId,
    ParticipantId,
    PersonId,
    RoomName,
    SessionId,
    StreamName,
)
from trail.ports import Invitation, Person, SessionRow, Store
from trail.seal import as_recorded, seal


class InMemoryStore(Store):
    """Implements `trail.ports.Store`; belongs to one event loop."""

    def __init__(self, *, now: Callable[[], datetime] = utc_now, source: str = "test") -> None:
        self._now = now
        self._source = source
        self._all: list[Envelope[Fact]] = []
        self._streams: dict[StreamName, list[Envelope[Fact]]] = {}
        self._recorded: dict[EventId, Envelope[Fact]] = {}
        self._contents: dict[ContentId, Content] = {}
        self._leases: dict[str, tuple[str, datetime]] = {}
        self._sessions: dict[SessionId, SessionRow] = {}
        self._invitations: dict[InvitationId, Invitation] = {}
        self._people: dict[PersonId, Person] = {}

    @override
    async def append(
        self, stream: StreamName, entries: Sequence[Entry], *, expected: int | None
    ) -> Sequence[Envelope[Fact]]:
        earlier = [self._recorded[e.event_id] for e in entries if e.event_id in self._recorded]
        if earlier:
            return as_recorded(entries, earlier, stream=stream)
        before = self._streams.get(stream, [])
        if expected is not None and expected != len(before):
            raise PositionConflict(expected=expected, actual=len(before))
        words = {content.ref.content_id: content for e in entries for content in e.contents}
        if words.keys() & self._contents.keys():
            raise ContractError("a content id was used before")
        envelopes = seal(
            entries,
            stream=stream,
            source=self._source,
            now=self._now(),
            head=len(before),
            previous=before[-1].digest if before else GENESIS,
        )
        self._streams.setdefault(stream, []).extend(envelopes)
        self._all.extend(envelopes)
        self._recorded.update({envelope.event_id: envelope for envelope in envelopes})
        self._contents.update(words)
        return envelopes

    @override
    async def read(
        self, stream: StreamName, *, after: int = 0, limit: int = 500
    ) -> Sequence[Envelope[Fact]]:
        return self._streams.get(stream, [])[after : after + limit]

    @override
    async def read_person(
        self, person_id: PersonId, *, after: int = 0, limit: int = 500
    ) -> Sequence[tuple[int, Envelope[Fact]]]:
        who = ParticipantId(person_id)
        numbered = enumerate(self._all[after:], start=after + 1)
        return [pair for pair in numbered if pair[1].participant_id == who][:limit]

    @override
    async def read_all(
        self, *, after: int = 0, limit: int = 500
    ) -> Sequence[tuple[int, Envelope[Fact]]]:
        return list(enumerate(self._all[after : after + limit], start=after + 1))

    @override
    async def head(self, stream: StreamName) -> int:
        return len(self._streams.get(stream, []))

    @override
    async def texts(self, ids: Sequence[ContentId]) -> Mapping[ContentId, str]:
        return {i: self._contents[i].text for i in ids if i in self._contents}

    @override
    async def count(self, ids: Sequence[ContentId], *, owner: PersonId | None) -> int:
        return len(self._belonging(ids, owner))

    @override
    async def erase(self, ids: Sequence[ContentId], *, owner: PersonId | None) -> int:
        doomed = self._belonging(ids, owner)
        for content_id in doomed:
            del self._contents[content_id]
        return len(doomed)

    def _belonging(self, ids: Sequence[ContentId], owner: PersonId | None) -> set[ContentId]:
        kept = self._contents
        return {i for i in ids if i in kept and owner in (None, kept[i].owner)}

    @override
    async def acquire(self, name: str, holder: str, *, ttl_s: float) -> bool:
        if await self.held(name) and self._leases[name][0] != holder:
            return False
        self._leases[name] = (holder, self._now() + timedelta(seconds=ttl_s))
        return True

    @override
    async def release(self, name: str, holder: str) -> None:
        if name in self._leases and self._leases[name][0] == holder:
            del self._leases[name]

    @override
    async def held(self, name: str) -> bool:
        return name in self._leases and self._leases[name][1] > self._now()

    @override
    async def create(self, row: SessionRow) -> None:
        rooms = {session.room for session in self._sessions.values()}
        if row.session_id in self._sessions or row.room in rooms:
            raise ContractError("this session or its room exists already")
        self._sessions[row.session_id] = row

    @override
    async def find(
        self, *, session_id: SessionId | None, room: RoomName | None
    ) -> SessionRow | None:
        for row in self._sessions.values():
            if session_id in (None, row.session_id) and room in (None, row.room):
                return None if session_id is None and room is None else row
        return None

    @override
    async def sessions_of(
        self, person_id: PersonId | None, *, limit: int = 50, open_only: bool = False
    ) -> Sequence[SessionRow]:
        rows = [
            row
            for row in self._sessions.values()
            if (person_id is None or person_id in row.people)
            and not (open_only and row.ended_at is not None)
        ]
        rows.sort(key=lambda row: (row.created_at, row.session_id), reverse=True)
        return rows[:limit]

    @override
    async def admit(self, session_id: SessionId, person_id: PersonId) -> None:
        row = self._session(session_id)
        if person_id not in row.people:
            self._sessions[session_id] = replace(row, people=(*row.people, person_id))

    @override
    async def end(self, session_id: SessionId, *, at: datetime) -> None:
        self._sessions[session_id] = replace(self._session(session_id), ended_at=at)

    def _session(self, session_id: SessionId) -> SessionRow:
        try:
            return self._sessions[session_id]
        except KeyError:
            raise ContractError("there is no such session") from None

    @override
    async def issue(self, invitation: Invitation) -> None:
        self._session(invitation.session_id)
        if invitation.invitation_id in self._invitations:
            raise ContractError("this invitation exists already")
        self._invitations[invitation.invitation_id] = invitation

    @override
    async def invitation(self, invitation_id: InvitationId) -> Invitation | None:
        return self._invitations.get(invitation_id)

    @override
    async def revoke(self, invitation_id: InvitationId) -> None:
        if invitation_id in self._invitations:
            kept = self._invitations[invitation_id]
            self._invitations[invitation_id] = replace(kept, revoked=True)

    @override
    async def add(self, person: Person) -> None:
        known = self._people.get(person.person_id)
        created_at = known.created_at if known else person.created_at
        self._people[person.person_id] = replace(person, created_at=created_at)

    @override
    async def person(self, person_id: PersonId) -> Person | None:
        return self._people.get(person_id)

    @override
    async def people(self) -> Sequence[Person]:
        return sorted(
            self._people.values(),
            key=lambda person: (person.last_seen_at, person.person_id),
            reverse=True,
        )
