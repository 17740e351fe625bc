"""The turns of a session as its facts tell them, in the order in which they were heard.

A pure fold. The prompt, the transcript and the timeline are made from it, so that they cannot
disagree about what was said, what was heard and what came first.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from trail.content import ContentRef
from trail.envelope import Envelope, Fact
from trail.events.delivery import (
    CutBy,
    DeliveryState,
    Evidence,
    How,
    MessageDisplayed,
    SegmentFinished,
    SegmentProgressed,
    SegmentStarted,
)
from trail.events.generation import Origin, ReplyWithdrawn, SegmentGenerated
from trail.events.interaction import TurnCommitted
from trail.events.session import ParticipantJoined, ParticipantLeft
from trail.ids import ParticipantId, SegmentId, TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonTurn:
    """What a person said or typed."""

    fact: TurnCommitted

    @property
    def turn(self) -> TurnId:
        """Its id."""
        return self.fact.turn

    @property
    def at_s(self) -> float:
        """Session time of its onset, seconds."""
        return self.fact.started_s


@dataclass(frozen=True, slots=True, kw_only=True)
class AvatarSegment:
    """A stretch of the avatar's speech, or a message of it, and what became of it."""

    segment: SegmentId
    turn: TurnId
    at_s: float
    """Session time of its first sound, or of the first fact about it until there is one."""
    audience: frozenset[ParticipantId]
    """Who could hear it; until its first sound, who would have."""
    started: bool = False
    displayed: bool = False
    answers: TurnId | None = None
    origin: Origin | None = None
    words: ContentRef | None = None
    """What was generated; None until that has ended."""
    state: DeliveryState = DeliveryState.PENDING
    how: How | None = None
    evidence: Evidence | None = None
    cut_by: CutBy = CutBy.NOTHING
    heard_s: float = 0.0
    of_s: float | None = None
    heard_chars: int = 0
    """Of a pending one: durable progress."""


Turn = PersonTurn | AvatarSegment


@dataclass(frozen=True, slots=True, kw_only=True)
class Turns:
    """Everything that was said in a session."""

    people: tuple[PersonTurn, ...] = ()
    segments: dict[SegmentId, AvatarSegment] = field(default_factory=dict[SegmentId, AvatarSegment])
    present: frozenset[ParticipantId] = frozenset()
    """Who can hear or see at the moment; the avatar not."""


def fold(turns: Turns, fact: Fact, at_s: float) -> Turns:
    """Return ``turns`` with one more fact, recorded at session time ``at_s``."""
    match fact:
        case ParticipantJoined(audience=audience) | ParticipantLeft(audience=audience):
            return replace(turns, present=frozenset(audience))
        case TurnCommitted():
            return replace(turns, people=(*turns.people, PersonTurn(fact=fact)))
        case SegmentGenerated():
            before = _segment(turns, fact.segment, fact.turn, at_s)
            return _with(
                turns,
                replace(before, answers=fact.answers, origin=fact.origin, words=fact.words),
            )
        case ReplyWithdrawn():
            before = _segment(turns, fact.segment, None, at_s)
            return _with(turns, replace(before, words=fact.words))
        case SegmentStarted():
            before = _segment(turns, fact.segment, fact.turn, at_s)
            hearers = frozenset((*fact.audience, fact.addressee))
            return _with(turns, replace(before, at_s=at_s, audience=hearers, started=True))
        case SegmentProgressed():
            before = _segment(turns, fact.segment, fact.turn, at_s)
            return _with(turns, replace(before, heard_s=fact.heard_s, heard_chars=fact.heard_chars))
        case SegmentFinished():
            return _with(turns, _finished(_segment(turns, fact.segment, fact.turn, at_s), fact))
        case MessageDisplayed():
            before = _segment(turns, fact.segment, fact.turn, at_s)
            return _with(turns, _displayed(replace(before, at_s=at_s)))
        case _:
            return turns


def turns_of(envelopes: Iterable[Envelope[Fact]]) -> Turns:
    """Return the turns that recorded facts tell of."""
    turns = Turns()
    for envelope in envelopes:
        turns = fold(turns, envelope.fact, envelope.at_s or 0.0)
    return turns


def in_order(turns: Turns) -> tuple[Turn, ...]:
    """Return everything said in the order in which it was heard.

    Things begin when their first sound does; a turn that was cut off comes before the words that
    interrupted it, and an answer after what it answers.
    """
    spoken: list[Turn] = [*turns.people, *turns.segments.values()]
    ordered = sorted(spoken, key=lambda turn: turn.at_s)
    for person in turns.people:
        if person.fact.interrupts is not None:
            _bring_before(ordered, person, person.fact.interrupts)
    return tuple(ordered)


def _bring_before(ordered: list[Turn], person: PersonTurn, interrupted: TurnId) -> None:
    place = ordered.index(person)
    late = [turn for turn in ordered[place:] if _is_segment_of(turn, interrupted)]
    for turn in late:
        ordered.remove(turn)
    place = ordered.index(person)
    ordered[place:place] = late


def _is_segment_of(turn: Turn, avatar_turn: TurnId) -> bool:
    return isinstance(turn, AvatarSegment) and turn.turn == avatar_turn


def _segment(turns: Turns, segment: SegmentId, turn: TurnId | None, at_s: float) -> AvatarSegment:
    known = turns.segments.get(segment)
    if known is None:
        # A withdrawal names no turn; the end that is recorded with it does.
        return AvatarSegment(
            segment=segment, turn=turn or TurnId(segment), at_s=at_s, audience=turns.present
        )
    return known if turn is None else replace(known, turn=turn)


def _with(turns: Turns, segment: AvatarSegment) -> Turns:
    return replace(turns, segments={**turns.segments, segment.segment: segment})


def _finished(segment: AvatarSegment, fact: SegmentFinished) -> AvatarSegment:
    return replace(
        segment,
        state=fact.state,
        how=fact.how,
        evidence=fact.evidence,
        cut_by=fact.cut_by,
        heard_s=fact.heard_s,
        of_s=fact.of_s,
        heard_chars=fact.heard_chars,
    )


def _displayed(segment: AvatarSegment) -> AvatarSegment:
    chars = segment.words.chars if segment.words else 0
    return replace(
        segment,
        displayed=True,
        state=DeliveryState.FULL,
        how=How.FINISHED,
        evidence=Evidence.SERVER,
        of_s=0.0,
        heard_chars=chars,
    )
