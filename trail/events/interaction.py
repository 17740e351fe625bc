"""Turns of people: what they said or typed, to whom, in whose presence."""

from dataclasses import dataclass
from enum import StrEnum

from trail.content import ContentRef
from trail.envelope import Fact
from trail.ids import ObservationId, ParticipantId, TurnId


class Channel(StrEnum):
    """How a turn reached us."""

    SPEECH = "speech"
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCommitted(Fact):
    """A person's turn became part of the conversation."""

    turn: TurnId
    speaker: ParticipantId
    addressee: ParticipantId
    """The avatar, unless somebody else was spoken to."""
    audience: tuple[ParticipantId, ...]
    """Everybody who could hear it, the speaker included; the avatar not."""
    channel: Channel
    words: ContentRef
    language: str
    started_s: float
    """Session time of the onset, seconds."""
    ended_s: float
    observations: tuple[ObservationId, ...]
    interrupts: TurnId | None
    """The avatar's turn that these words cut off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnAnswered(Fact):
    """How long a person waited for the first audible answer to their turn."""

    turn: TurnId
    reply: TurnId
    answer_s: float
    """End of speech to first sound leaving the worker, seconds."""
    end_of_turn_s: float
    recognition_s: float
    first_token_s: float
    first_audio_s: float
