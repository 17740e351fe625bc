"""What is asked of the boundary: who does what, to what, in which situation."""

from dataclasses import dataclass
from enum import StrEnum

from trail.envelope import PrivacyClass
from trail.ids import CharacterId, ParticipantId, PersonId, SessionId


class Action(StrEnum):
    """The nine boundaries."""

    CAPTURE = "capture"
    IDENTITY = "identity"
    EGRESS = "egress"
    COMMIT = "commit"
    RETRIEVE = "retrieve"
    TOOL = "tool"
    RETENTION = "retention"
    FORGET = "forget"
    AUDIT = "audit"


class DataClass(StrEnum):
    """What kind of payload is asked about."""

    AUDIO = "audio"
    VIDEO = "video"
    SCREEN = "screen"
    TRANSCRIPT = "transcript"
    PROMPT = "prompt"
    SPEECH_TEXT = "speech_text"
    """Text on its way to a voice."""
    RECORDING = "recording"
    TRAIL = "trail"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """Who would receive the payload."""

    name: str
    """Stable id such as ``local``, ``openai``, ``deepgram``."""
    is_local: bool
    """It listens on this machine, or the operator says so."""


HERE = Provider(name="local", is_local=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """Where and among whom."""

    session_id: SessionId | None
    character_id: CharacterId | None
    audience: frozenset[ParticipantId]
    """Everybody who can hear or see; the avatar not. When a session is read back: everybody who
    was ever admitted to it.
    """
    channel: str = "room"
    profile: str = "private"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One question to the boundary."""

    action: Action
    subject: ParticipantId
    """On whose behalf."""
    owner: PersonId
    """Whose data it is."""
    data_class: DataClass
    privacy_class: PrivacyClass
    purpose: str
    """What for: ``conversation``, ``recording``, ``reading``."""
    situation: Situation
    provider: Provider = HERE
    resource_id: str = ""
    """Id of the thing asked about, such as a session's; never words."""
    scopes: frozenset[str] = frozenset()
    """What the asker's credentials allow, such as ``operate``."""
