"""What of a session's trail one person may read (pure): what they could perceive when it
happened. Every other position appears as its number and digest, so that the chain stays whole.
"""

from typing import Any, Final

from agent.speech.turns import AvatarSegment, Turns, fold
from trail.codec import envelope_to_json
from trail.envelope import Envelope, Fact
from trail.events.delivery import (
    MessageDisplayed,
    PlaybackEnded,
    SegmentFinished,
    SegmentProgressed,
    SegmentRan,
    SegmentStarted,
    SegmentVoiced,
)
from trail.events.generation import ProviderFailed, ReplyWithdrawn, SegmentGenerated
from trail.events.interaction import TurnAnswered, TurnCommitted
from trail.events.perception import ObservationReceived
from trail.events.policy import DecisionsUsed, PolicyDecided
from trail.events.session import (
    ParticipantJoined,
    ParticipantLeft,
    SessionEnded,
    SessionOpened,
    SessionResumed,
)
from trail.ids import DecisionId, ParticipantId, SegmentId, TurnId

_NOBODY: Final = frozenset[ParticipantId]()


class View:
    """One reader's view of one session's stream; shown every envelope in order, once."""

    def __init__(self, reader: ParticipantId | None) -> None:
        """Create the view of ``reader``; None sees everything."""
        self._reader = reader
        self._turns = Turns()
        self._answered: dict[TurnId, frozenset[ParticipantId]] = {}
        self._decisions: set[DecisionId] = set()

    def show(self, envelope: Envelope[Fact]) -> dict[str, Any]:
        """Return ``envelope`` as JSON, or only its position and digest."""
        if self._perceived(envelope):
            return envelope_to_json(envelope)
        return {"position": envelope.position, "digest": envelope.digest}

    def _perceived(self, envelope: Envelope[Fact]) -> bool:
        fact = envelope.fact
        present_before = self._turns.present
        self._turns = fold(self._turns, fact, envelope.at_s or 0.0)
        if isinstance(fact, TurnCommitted):
            self._answered[fact.turn] = frozenset((*fact.audience, fact.speaker))
        if self._reader is None:
            return True
        if isinstance(fact, PolicyDecided) and fact.subject == self._reader:
            self._decisions.add(fact.decision_id)
        return self._reader in self._perceivers(envelope, fact, present_before)

    def _perceivers(
        self, envelope: Envelope[Fact], fact: Fact, present: frozenset[ParticipantId]
    ) -> frozenset[ParticipantId]:
        match fact:
            case SessionResumed() | SessionEnded():
                return self._everybody()
            case SessionOpened():
                return frozenset((ParticipantId(fact.owner),))
            case ParticipantJoined() | ParticipantLeft():
                return frozenset((*fact.audience, fact.participant)) | present
            case TurnCommitted() | TurnAnswered():
                return self._answered.get(fact.turn, _NOBODY)
            case (
                SegmentGenerated()
                | SegmentVoiced()
                | SegmentRan()
                | PlaybackEnded()
                | SegmentStarted()
                | SegmentProgressed()
                | SegmentFinished()
                | MessageDisplayed()
                | ReplyWithdrawn()
            ):
                return self._hearers(fact.segment)
            case ProviderFailed():
                return present
            case ObservationReceived():
                return frozenset(fact.participants)
            case PolicyDecided():
                return frozenset((fact.subject,))
            case DecisionsUsed():
                return self._everybody() if fact.decision_id in self._decisions else _NOBODY
            case _:
                about = envelope.participant_id
                return frozenset((about,)) if about else _NOBODY

    def _hearers(self, segment: SegmentId) -> frozenset[ParticipantId]:
        known: AvatarSegment | None = self._turns.segments.get(segment)
        return known.audience if known else self._turns.present

    def _everybody(self) -> frozenset[ParticipantId]:
        return frozenset((self._reader,)) if self._reader else _NOBODY
