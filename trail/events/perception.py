"""What was perceived, as evidence that outlives the media."""

from dataclasses import dataclass
from enum import StrEnum

from trail.envelope import Fact
from trail.ids import ObservationId, ParticipantId


class Modality(StrEnum):
    """Through which sense."""

    SPEECH = "speech"
    TEXT = "text"


class Sense(StrEnum):
    """A stream whose losses are counted."""

    AUDIO = "audio"
    TRANSCRIPT = "transcript"
    CHAT = "chat"


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationReceived(Fact):
    """An observation receipt: evidence that exists also when no media is kept."""

    observation_id: ObservationId
    modality: Modality
    participants: tuple[ParticipantId, ...]
    observed_at_s: float
    """Session time at which it began, seconds."""
    until_s: float
    extractor_provider: str
    """Id of the provider that turned media into words, such as ``local``; ``none`` for typing."""
    extractor_model: str
    schema: int
    """Version of what the extractor was asked for."""
    media_retained: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationsMissed(Fact):
    """Something went by unperceived; loss is a number that somebody reads."""

    sense: Sense
    count: int
