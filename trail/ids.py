"""Typed identifiers, and the one place that rolls dice.

One kind of id can never be passed for another. Whoever needs something unguessable or unique
asks here, so that nothing else in the house touches the system's randomness.
"""

import secrets
from typing import NewType

import uuid_utils

EventId = NewType("EventId", str)
SessionId = NewType("SessionId", str)
TurnId = NewType("TurnId", str)
SegmentId = NewType("SegmentId", str)
PersonId = NewType("PersonId", str)
"""A person; also their LiveKit identity, so that speech, consent and memory are one person's."""
ParticipantId = NewType("ParticipantId", str)
"""Anybody in a room: a `PersonId`, or the identity of the avatar."""
CharacterId = NewType("CharacterId", str)
ObservationId = NewType("ObservationId", str)
ReceiptId = NewType("ReceiptId", str)
ContentId = NewType("ContentId", str)
DecisionId = NewType("DecisionId", str)
InvitationId = NewType("InvitationId", str)
StreamName = NewType("StreamName", str)
"""`session/<id>`, `person/<id>` or `house`."""
RoomName = NewType("RoomName", str)

HOUSE = StreamName("house")


def session_stream(session_id: SessionId) -> StreamName:
    """Return the stream of one session; it has one writer, held by a lease."""
    return StreamName(f"session/{session_id}")


def person_stream(person_id: PersonId) -> StreamName:
    """Return the stream of one person; many writers."""
    return StreamName(f"person/{person_id}")


def uuid7() -> str:
    """Return a new UUIDv7 in its 36-character form: unique, and ordered by time of creation."""
    return str(uuid_utils.uuid7())


def random_bytes(count: int) -> bytes:
    """Return ``count`` bytes nobody can guess."""
    return secrets.token_bytes(count)


def random_name(count: int = 16) -> str:
    """Return an unguessable URL-safe name made of ``count`` random bytes."""
    return secrets.token_urlsafe(count)
