"""What of the avatar's speech reached the listener, and how we know."""

from dataclasses import dataclass
from enum import StrEnum

from pydantic import ConfigDict

from trail.envelope import Fact
from trail.ids import ParticipantId, SegmentId, TurnId


class DeliveryState(StrEnum):
    """How much of a segment reached its addressee."""

    PENDING = "pending"
    FULL = "full"
    PARTIAL = "partial"
    NONE = "none"
    CANCELED = "canceled"
    """Dropped before any of it was queued for playing."""
    SUPERSEDED = "superseded"
    """Replaced by another reply before any of it was played."""
    UNKNOWN = "unknown"


class How(StrEnum):
    """How delivery ended."""

    FINISHED = "finished"
    INTERRUPTED = "interrupted"
    VANISHED = "vanished"
    """The listener or the sink was gone."""
    FAILED = "failed"
    WITHDRAWN = "withdrawn"


class Evidence(StrEnum):
    """On what word we believe it."""

    LISTENER = "listener"
    """The person's client acknowledged it."""
    SERVER = "server"
    """The audio left our queue while the person was present and subscribed."""
    UNKNOWN = "unknown"


class CutBy(StrEnum):
    """What located the last heard word."""

    VOICE_TIMES = "voice_times"
    ESTIMATE = "estimate"
    """Characters against duration, sentence by sentence."""
    NOTHING = "nothing"
    """Nothing had to be located: all, none or unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentStarted(Fact):
    """The first sound of a segment left for the listener."""

    segment: SegmentId
    turn: TurnId
    addressee: ParticipantId
    audience: tuple[ParticipantId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VoicedWord:
    """When one word of the generated text sounds, seconds from the segment's first sample."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    chars_to: int
    """End of the word in the generated text, in characters."""
    start_s: float
    end_s: float
    estimated: bool
    """By characters against duration, because the voice gave no time for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentVoiced(Fact):
    """One sentence of a segment became sound."""

    segment: SegmentId
    turn: TurnId
    chars_from: int
    chars_to: int
    """The stretch of the generated text that was given to the voice, in characters."""
    start_s: float
    """Where its sound begins, seconds from the segment's first sample."""
    duration_s: float
    words: tuple[VoicedWord, ...]
    """Ordered; text that the voice passed over is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentRan(Fact):
    """An unbroken stretch of a segment's audio left our queue."""

    segment: SegmentId
    turn: TurnId
    offset_s: float
    """Seconds from the segment's first sample."""
    duration_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaybackEnded(Fact):
    """What the audio sink reported when it was through with a segment."""

    segment: SegmentId
    turn: TurnId
    position_s: float
    """Seconds of the segment that left our queue."""
    interrupted: bool
    listener_present: bool
    """The addressee was in the room and subscribed from first to last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentProgressed(Fact):
    """Durable progress of a playing segment: at most once a second, and at every change."""

    segment: SegmentId
    turn: TurnId
    heard_s: float
    heard_chars: int
    """Length of the heard prefix of the generated text, in characters."""
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentFinished(Fact):
    """Delivery of a segment ended, for whatever reason; its state will not change again."""

    segment: SegmentId
    turn: TurnId
    state: DeliveryState
    how: How
    evidence: Evidence
    heard_s: float
    of_s: float
    """Seconds of audio that were made for it."""
    heard_chars: int
    """Length of the heard prefix of the generated text, in characters; 0 when unknown."""
    cut_by: CutBy
    error_s: float
    """Expected error of the cut, seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageDisplayed(Fact):
    """A text of the avatar was shown and not spoken."""

    segment: SegmentId
    turn: TurnId
