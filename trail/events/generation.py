"""What models produced for the avatar to say. Says nothing about anyone hearing it."""

from dataclasses import dataclass
from enum import StrEnum

from trail.content import ContentRef
from trail.envelope import Fact
from trail.ids import SegmentId, TurnId


class Origin(StrEnum):
    """Why the avatar speaks."""

    REPLY = "reply"
    GREETING = "greeting"
    NOTICE = "notice"
    """Words of the runtime's own, such as an apology for a failed provider."""


class Role(StrEnum):
    """What a model is used for."""

    HEARING = "hearing"
    THINKING = "thinking"
    SPEAKING = "speaking"
    SEEING = "seeing"


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentGenerated(Fact):
    """A stretch of speech is complete as text; generation has ended or was cut off."""

    segment: SegmentId
    turn: TurnId
    """The avatar's turn; a turn may have several segments."""
    answers: TurnId | None
    """The person's turn that it answers."""
    origin: Origin
    words: ContentRef
    provider: str
    model: str
    complete: bool
    """False when an interruption or a failure cut generation off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyWithdrawn(Fact):
    """A reply was prepared and dropped before any of it was played."""

    segment: SegmentId
    words: ContentRef


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderFailed(Fact):
    """A provider failed in mid-conversation; it costs a sentence, not the session."""

    role: Role
    provider: str
    model: str
    error: str
    """Class name of the error, never its message."""
    recovered: bool
    """Whether the turn still got an answer, from another provider or a second try."""
