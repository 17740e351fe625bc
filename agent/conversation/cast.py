"""Who and what takes part in a conversation: fixed for its whole life."""

from dataclasses import dataclass

from policy.requests import Provider
from trail.ids import CharacterId, ParticipantId, PersonId, RoomName, SessionId


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """A model in use, as the trail names it."""

    provider: Provider
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """The fixed parts of one session."""

    session_id: SessionId
    room: RoomName
    owner: PersonId
    avatar: ParticipantId
    character_id: CharacterId
    profile: str
    """Policy profile."""
    hearing: Engine
    thinking: Engine
    speaking: Engine
