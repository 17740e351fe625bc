"""What a trail store must do. Implemented in memory and in SQL; all pass one suite."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from trail.envelope import Entry, Envelope, Fact
from trail.ids import (
    CharacterId,
    ContentId,
    InvitationId,
    PersonId,
    RoomName,
    SessionId,
    StreamName,
)


class TrailWriter(Protocol):
    """Appends facts to streams."""

    async def append(
        self, stream: StreamName, entries: Sequence[Entry], *, expected: int | None
    ) -> Sequence[Envelope[Fact]]:
        """Record all of ``entries``, with their contents, in one transaction.

        Appending again what is recorded already changes nothing and returns it as it was
        recorded: a caller whose answer got lost may simply ask again.

        Args:
            stream: Where to.
            entries: In order; not empty.
            expected: The stream's last position as the caller knows it (0 for a new stream);
                None for streams with many writers: the adapter retries until it wins.

        Returns:
            The envelopes, durable.

        Raises:
            PositionConflict: another writer appended first; nothing was recorded.
            DependencyUnavailable: the store did not answer; all was recorded or nothing.
            ContractError: an entry does not fit its declaration; nothing was recorded.
        """
        ...


class TrailReader(Protocol):
    """Reads recorded facts back, in order."""

    async def read(
        self, stream: StreamName, *, after: int = 0, limit: int = 500
    ) -> Sequence[Envelope[Fact]]:
        """Return up to ``limit`` envelopes with ``position > after``, ascending."""
        ...

    async def read_person(
        self, person_id: PersonId, *, after: int = 0, limit: int = 500
    ) -> Sequence[tuple[int, Envelope[Fact]]]:
        """Return facts whose participant is ``person_id``, with their global order, ascending."""
        ...

    async def read_all(
        self, *, after: int = 0, limit: int = 500
    ) -> Sequence[tuple[int, Envelope[Fact]]]:
        """Return facts of all streams with their global order, ascending, behind the safe
        watermark: what comes later never has a lower number.
        """
        ...

    async def head(self, stream: StreamName) -> int:
        """Return the last position of ``stream``; 0 if it does not exist."""
        ...


class ContentStore(Protocol):
    """Reads and erases words. Writing happens with the fact that refers to them."""

    async def texts(self, ids: Sequence[ContentId]) -> Mapping[ContentId, str]:
        """Return the words that still exist; erased and unknown ids are absent."""
        ...

    async def count(self, ids: Sequence[ContentId], *, owner: PersonId | None) -> int:
        """Return how many of ``ids`` still exist, of ``owner`` only unless None."""
        ...

    async def erase(self, ids: Sequence[ContentId], *, owner: PersonId | None) -> int:
        """Erase words and their salts, of ``owner`` only unless None; return how many."""
        ...


class Leases(Protocol):
    """Who may write or run something, for a time."""

    async def acquire(self, name: str, holder: str, *, ttl_s: float) -> bool:
        """Take or renew ``name`` for ``holder``; False if another holds it unexpired.

        Expiry is judged by the store's own clock.
        """
        ...

    async def release(self, name: str, holder: str) -> None:
        """Give ``name`` back; nothing happens if another holds it."""
        ...

    async def held(self, name: str) -> bool:
        """Tell whether anybody holds ``name`` unexpired."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """What the directory knows of a session."""

    session_id: SessionId
    room: RoomName
    owner: PersonId
    character_id: CharacterId
    created_at: datetime
    ended_at: datetime | None
    people: tuple[PersonId, ...]
    """Everybody who was ever admitted, the owner first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """One link into one session."""

    invitation_id: InvitationId
    session_id: SessionId
    secret_digest: str
    """SHA-256 in hex of the secret part of the link; the secret itself is not kept."""
    expires_at: datetime
    revoked: bool


class SessionDirectory(Protocol):
    """Finds sessions and says who belongs to them. An index of the trail, not an authority."""

    async def create(self, row: SessionRow) -> None:
        """Enter a new session. Raises ContractError if id or room are taken."""
        ...

    async def find(
        self, *, session_id: SessionId | None, room: RoomName | None
    ) -> SessionRow | None:
        """Return the session with this id or this room, or None."""
        ...

    async def sessions_of(
        self, person_id: PersonId | None, *, limit: int = 50, open_only: bool = False
    ) -> Sequence[SessionRow]:
        """Return sessions, newest first, of one person or (None) of everybody."""
        ...

    async def admit(self, session_id: SessionId, person_id: PersonId) -> None:
        """Add a person to a session; adding twice changes nothing."""
        ...

    async def end(self, session_id: SessionId, *, at: datetime) -> None:
        """Mark a session as ended."""
        ...


class Invitations(Protocol):
    """Keeps invitations."""

    async def issue(self, invitation: Invitation) -> None:
        """Keep a new invitation."""
        ...

    async def invitation(self, invitation_id: InvitationId) -> Invitation | None:
        """Return an invitation, also an expired or revoked one."""
        ...

    async def revoke(self, invitation_id: InvitationId) -> None:
        """Make an invitation admit nobody from now on."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A person this installation knows."""

    person_id: PersonId
    name: str
    """As they typed it last; empty once erased."""
    created_at: datetime
    last_seen_at: datetime


class People(Protocol):
    """The people of this installation."""

    async def add(self, person: Person) -> None:
        """Enter a new person or their new name."""
        ...

    async def person(self, person_id: PersonId) -> Person | None:
        """Return a person, or None."""
        ...

    async def people(self) -> Sequence[Person]:
        """Return everybody, last seen first."""
        ...


class Store(
    TrailWriter,
    TrailReader,
    ContentStore,
    Leases,
    SessionDirectory,
    Invitations,
    People,
    Protocol,
):
    """Everything one database keeps for the trail; an adapter implements it whole."""
