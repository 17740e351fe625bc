"""Feeds the recorded reports of a session to today's ledger and compares the ends."""

from collections.abc import Mapping
from dataclasses import replace

from agent.speech.ledger import Ledger
from agent.speech.phases import FINAL, Phase
from agent.speech.turns import AvatarSegment, Turns
from trail.content import ContentRef
from trail.envelope import Envelope, Fact
from trail.errors import ContractError, ReplayDivergence
from trail.events.delivery import (
    DeliveryState,
    How,
    MessageDisplayed,
    PlaybackEnded,
    SegmentFinished,
    SegmentProgressed,
    SegmentRan,
    SegmentStarted,
    SegmentVoiced,
)
from trail.events.generation import Origin, SegmentGenerated
from trail.ids import ContentId, ParticipantId, SegmentId

_NO_WORDS = ContentRef(content_id=ContentId(""), digest="", words=0, chars=0)
_NEEDS_NO_WORDS = frozenset({DeliveryState.CANCELED, DeliveryState.SUPERSEDED})


class Deliveries:
    """The ledger of a session, lived through again."""

    def __init__(self, turns: Turns, texts: Mapping[ContentId, str]) -> None:
        self.erased = 0
        """Ends whose words are gone, so that nothing could be recomputed."""
        self._turns = turns
        self._texts = texts
        self._ledger = Ledger(ParticipantId("replay"))
        self._opened: set[SegmentId] = set()
        self._expected: dict[SegmentId, SegmentFinished] = {}
        self._progress: dict[SegmentId, int] = {}

    def feed(self, envelope: Envelope[Fact]) -> None:
        """Take one fact, in order.

        Raises:
            ReplayDivergence: it does not follow from the facts before it.
        """
        try:
            self._feed(envelope)
        except ContractError as error:
            raise ReplayDivergence(
                envelope.position, recorded=envelope.event_type, recomputed=str(error)
            ) from error

    def _feed(self, envelope: Envelope[Fact]) -> None:
        match envelope.fact:
            case SegmentGenerated() as fact:
                self._open(fact.segment)
                self._ledger.complete(fact.segment, complete=fact.complete)
            case SegmentVoiced() as fact:
                self._open(fact.segment)
                self._taken(self._ledger.say(fact))
            case SegmentStarted() as fact:
                self._queue(fact.segment)
                self._taken(
                    self._ledger.started(
                        fact.segment, addressee=fact.addressee, audience=fact.audience
                    )
                )
            case SegmentRan() as fact:
                self._taken(self._ledger.ran(fact.segment, fact.offset_s, fact.duration_s))
            case SegmentProgressed() as fact:
                self._advanced(envelope.position, fact)
            case PlaybackEnded() as fact:
                self._open(fact.segment)
                self._taken(
                    self._ledger.finished(
                        fact.segment,
                        fact.position_s,
                        interrupted=fact.interrupted,
                        listener_present=fact.listener_present,
                    ),
                )
            case MessageDisplayed() as fact:
                self._open(fact.segment)
                self._ledger.displayed(fact.segment)
            case SegmentFinished() as fact:
                self._compare(envelope.position, fact)
            case _:
                pass

    def _open(self, segment: SegmentId) -> None:
        if segment in self._opened:
            return
        self._opened.add(segment)
        known = self._turns.segments[segment]
        self._ledger.open(
            segment,
            known.turn,
            answers=known.answers,
            origin=known.origin or Origin.REPLY,
            provider="",
            model="",
        )
        text = self._text(known)
        if text is not None and known.words is not None and len(text) != known.words.chars:
            raise ContractError(f"{len(text)} characters of text, {known.words.chars} recorded")
        self._ledger.extend(segment, text or "")

    def _queue(self, segment: SegmentId) -> None:
        self._open(segment)
        if self._ledger.phase(segment) is Phase.GENERATED:
            self._ledger.queued(segment)

    def _text(self, segment: AvatarSegment) -> str | None:
        return self._texts.get(segment.words.content_id) if segment.words else None

    def _taken(self, facts: tuple[Fact, ...]) -> None:
        """Keep the end among ``facts``. No facts: the report came after the end."""
        if not facts:
            raise ContractError("nothing, because the segment had ended")
        for fact in facts:
            if isinstance(fact, SegmentFinished):
                self._expected[fact.segment] = fact

    def _advanced(self, position: int, fact: SegmentProgressed) -> None:
        known = self._turns.segments[fact.segment]
        chars = known.words.chars if known.words else fact.heard_chars
        before = self._progress.get(fact.segment, 0)
        if not before <= fact.heard_chars <= chars:
            raise ReplayDivergence(position, recorded=fact.heard_chars, recomputed=(before, chars))
        self._progress[fact.segment] = fact.heard_chars

    def _compare(self, position: int, fact: SegmentFinished) -> None:
        self._open(fact.segment)
        if self._ledger.phase(fact.segment) not in FINAL:
            self._taken(self._ended_otherwise(fact))
        recomputed = self._expected.pop(fact.segment, None)
        if recomputed is None:
            raise ReplayDivergence(
                position, recorded=fact, recomputed="nothing, because it had ended"
            )
        known = self._turns.segments[fact.segment]
        if self._text(known) is None and fact.state not in _NEEDS_NO_WORDS:
            self.erased += known.words is not None
            return
        if fact.how is How.VANISHED:
            # A worker that takes over does not know how much audio the dead one had made.
            recomputed = replace(recomputed, of_s=fact.of_s)
        if recomputed != fact:
            raise ReplayDivergence(position, recorded=fact, recomputed=recomputed)

    def _ended_otherwise(self, fact: SegmentFinished) -> tuple[Fact, ...]:
        """Return the end that follows when no report of the sink preceded it."""
        match fact.state, fact.how:
            case DeliveryState.SUPERSEDED, _:
                return self._ledger.superseded(fact.segment, _NO_WORDS)
            case DeliveryState.CANCELED, _:
                return self._ledger.withdrawn(fact.segment, _NO_WORDS)
            case _, How.WITHDRAWN:
                self._queue(fact.segment)
                return self._ledger.withdrawn(fact.segment, _NO_WORDS)
            case _, How.FAILED:
                return self._ledger.failed(fact.segment)
            case _:
                return self._ledger.vanished(fact.segment)
