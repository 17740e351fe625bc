"""A session begins, goes on, ends; people come and go; who asked for it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from trail.content import ContentRef
from trail.envelope import Fact
from trail.ids import CharacterId, InvitationId, ParticipantId, PersonId, RoomName, SessionId


class SessionEnd(StrEnum):
    """Why a session ended."""

    LEFT = "left"
    """Somebody pressed Leave and nobody was left."""
    EMPTY = "empty"
    """Nobody came back within the time allowed."""
    STOPPED = "stopped"
    """The worker was told to stop."""
    FAILED = "failed"
    """An essential part failed."""
    SILENT = "silent"
    """Nobody said anything for the longest time a session may be silent."""


class Departure(StrEnum):
    """How a participant left."""

    LEFT = "left"
    VANISHED = "vanished"
    REPLACED = "replaced"
    """A second tab of the same person took over."""
    REMOVED = "removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRequested(Fact):
    """A person asked for a new session (person stream)."""

    session_id: SessionId
    room: RoomName
    character_id: CharacterId


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOpened(Fact):
    """The first fact of a session."""

    owner: PersonId
    room: RoomName
    character_id: CharacterId
    time_zone: str
    """IANA name given by the person's browser, such as ``Europe/Lisbon``; ``Etc/UTC`` unknown."""
    language: str
    """BCP 47 tag given by the person's browser, such as ``en-GB``."""
    logic_version: int
    """Raised when outcomes change on purpose; older traces keep theirs."""
    software: str
    """Version of this program."""
    settings: ContentRef
    """The effective settings as JSON, secrets masked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionResumed(Fact):
    """Another worker took over a session that had lost its own."""

    software: str
    last_position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEnded(Fact):
    """The last fact of a session."""

    reason: SessionEnd


@dataclass(frozen=True, slots=True, kw_only=True)
class ParticipantJoined(Fact):
    """Somebody entered the room."""

    participant: ParticipantId
    is_avatar: bool
    audience: tuple[ParticipantId, ...]
    """Everybody who can hear or see from now on, this one included; the avatar not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParticipantLeft(Fact):
    """Somebody left the room."""

    participant: ParticipantId
    how: Departure
    audience: tuple[ParticipantId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonNamed(Fact):
    """A person told us what to call them (person stream). A name never identifies."""

    name: ContentRef


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationIssued(Fact):
    """The owner of a session invited others with one link (owner's stream)."""

    session_id: SessionId
    invitation_id: InvitationId
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationRedeemed(Fact):
    """Somebody came in with an invitation (owner's stream; the participant is the guest)."""

    session_id: SessionId
    invitation_id: InvitationId
    guest: PersonId


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationRevoked(Fact):
    """An invitation no longer admits anybody (owner's stream)."""

    session_id: SessionId
    invitation_id: InvitationId


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionErased(Fact):
    """A person had a session's words of theirs erased (person stream: the receipt)."""

    session_id: SessionId
    contents_before: int
    contents_after: int
    """Of this person, still readable; 0 unless something failed."""
