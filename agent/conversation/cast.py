"""Who and what takes part in a conversation: fixed for its whole life."""

from dataclasses import dataclass

from policy.requests import Provider
from trail.ids import CharacterId, ParticipantId, PersonId, RoomName, SessionId


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """A model in use, as the trail names it."""

    provider: Provider
    model: str
    fallbacks: tuple[Provider, ...] = ()
    """Who takes over when it fails; whoever is asked for it is asked for them too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Where a conversation takes place, and whose it is."""

    session_id: SessionId
    room: RoomName
    owner: PersonId
    avatar: ParticipantId
    character_id: CharacterId
    profile: str
    """Policy profile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """A scene with the models that hear, think and speak in it."""

    scene: Scene
    hearing: Engine
    thinking: Engine
    speaking: Engine
