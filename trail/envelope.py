"""The one wrapper around every recorded fact, and the entry that asks for one to be recorded."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Generic, TypeVar

from pydantic import ConfigDict

from trail.content import Content
from trail.ids import EventId, ParticipantId, SessionId, StreamName, TurnId, uuid7


class PrivacyClass(StrEnum):
    """What retention and redaction go by."""

    PUBLIC = "public"
    PERSONAL = "personal"
    SENSITIVE = "sensitive"
    BIOMETRIC = "biometric"
    OPERATIONAL = "operational"


class Fact:
    """Base of every payload: named in the past tense, never edited, holding no words.

    What somebody said stands in the erasable content table; a fact carries a `ContentRef`.
    """

    __slots__ = ()
    __pydantic_config__ = ConfigDict(extra="forbid")


FactT = TypeVar("FactT", bound=Fact, covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A fact on its way into the trail. Its id exists before it is durable, so that
    consequences can name it as their cause at once.
    """

    fact: Fact
    privacy_class: PrivacyClass = PrivacyClass.OPERATIONAL
    event_id: EventId = field(default_factory=lambda: EventId(uuid7()))
    occurred_at: datetime | None = None
    """UTC; None takes the time of the append."""
    at_s: float | None = None
    """Session time, seconds; None outside sessions."""
    session_id: SessionId | None = None
    participant_id: ParticipantId | None = None
    turn_id: TurnId | None = None
    correlation_id: EventId | None = None
    causation_id: EventId | None = None
    contents: tuple[Content, ...] = ()
    """Words the fact refers to; stored in the same transaction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope(Generic[FactT]):
    """A fact plus when, where and why it was recorded (schema ``earwitness.runtime.v1``)."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    event_id: EventId
    event_type: str
    """Stable name from the catalogue, such as ``delivery.segment_finished``."""
    source: str
    """The process that recorded it, such as ``worker`` or ``gateway``."""
    occurred_at: datetime
    stream: StreamName
    position: int
    """1-based and gap-free within the stream."""
    session_id: SessionId | None
    at_s: float | None
    participant_id: ParticipantId | None
    turn_id: TurnId | None
    correlation_id: EventId | None
    causation_id: EventId | None
    privacy_class: PrivacyClass
    schema_version: int
    fact: FactT
    digest: str
    """SHA-256 in hex over the previous digest of the stream and this envelope."""
    recorded_payload: Mapping[str, Any] | None = field(default=None, hash=False, repr=False)
    """The payload as it was recorded, if that was an older version; the digest goes by it."""
