"""A session as a conversation: who said what, and what of it was heard. Pure.

The shape is the published one; the gateway serves it and the command line prints it as it is.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from agent.speech.history import heard_text
from agent.speech.turns import AvatarSegment, PersonTurn, Turn, Turns, in_order, turns_of
from trail.content import ContentRef
from trail.envelope import Envelope, Fact
from trail.events.delivery import DeliveryState, Evidence, How, SegmentStarted
from trail.events.generation import SegmentGenerated
from trail.events.session import ParticipantJoined
from trail.ids import ContentId, ParticipantId, SessionId, TurnId

DROPPED: Final = frozenset({DeliveryState.CANCELED, DeliveryState.SUPERSEDED})
"""Turns that nobody could hear because we took them back; shown only when all are asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """What became of a turn of the avatar."""

    state: DeliveryState
    how: How | None
    """None while it is pending."""
    evidence: Evidence | None
    heard_s: float
    of_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptTurn:
    """One turn, as it was said (person) or heard (avatar)."""

    turn_id: TurnId
    speaker: Literal["person", "avatar"]
    participant_id: ParticipantId
    channel: Literal["speech", "text"]
    at_s: float
    text: str
    generated_text: str | None
    """What the avatar would have said; None for people."""
    delivery: Delivery | None
    supersedes: TurnId | None
    """The turn whose place this one took, because that was replaced before it was played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A session in the order in which things were heard."""

    session_id: SessionId | None
    turns: tuple[TranscriptTurn, ...]

    def to_json(self) -> dict[str, Any]:
        """Return it in the published shape."""
        return asdict(self)


def transcript(
    envelopes: Iterable[Envelope[Fact]],
    texts: Mapping[ContentId, str],
    *,
    perceiver: ParticipantId | None,
    everything: bool = False,
) -> Transcript:
    """Return the transcript of one session.

    Args:
        envelopes: The whole stream of the session, in order.
        texts: The words that still exist; what is missing was erased.
        perceiver: Whose eyes and ears; turns that they could not perceive are left out. None
            reads as the operator, who sees all.
        everything: Also turns that were taken back before anybody could hear them.
    """
    recorded = tuple(envelopes)
    turns = turns_of(recorded)
    avatar = avatar_of(recorded)
    rows = _rows(in_order(turns), texts, avatar=avatar, perceiver=perceiver)
    return Transcript(
        session_id=next((e.session_id for e in recorded if e.session_id), None),
        turns=tuple(row for row in rows if everything or not _dropped(row)),
    )


def content_ids(envelopes: Iterable[Envelope[Fact]]) -> tuple[ContentId, ...]:
    """Return the ids of all words that the transcript of these facts shows."""
    turns = turns_of(envelopes)
    return tuple(ref.content_id for ref in _references(turns))


def erased(ref: ContentRef) -> str:
    """Return what stands where words were erased."""
    return f"[erased, {ref.words} {'word' if ref.words == 1 else 'words'}]"


def _references(turns: Turns) -> Iterable[ContentRef]:
    yield from (person.fact.words for person in turns.people)
    yield from (it.words for it in turns.segments.values() if it.words is not None)


def avatar_of(envelopes: Iterable[Envelope[Fact]]) -> ParticipantId:
    """Return the avatar's identity in a session's room; ``avatar`` if it never spoke."""
    for envelope in envelopes:
        match envelope.fact:
            case ParticipantJoined(is_avatar=True, participant=avatar):
                return avatar
            case SegmentGenerated() | SegmentStarted() if envelope.participant_id is not None:
                return envelope.participant_id
            case _:
                pass
    return ParticipantId("avatar")


def _rows(
    ordered: Sequence[Turn],
    texts: Mapping[ContentId, str],
    *,
    avatar: ParticipantId,
    perceiver: ParticipantId | None,
) -> list[TranscriptTurn]:
    rows: list[TranscriptTurn] = []
    done: set[TurnId] = set()
    replaced: list[TurnId] = []
    for turn in ordered:
        match turn:
            case PersonTurn():
                if _perceived(perceiver, (*turn.fact.audience, turn.fact.speaker)):
                    rows.append(_said(turn, texts))
            case AvatarSegment():
                if turn.turn in done or not _perceived(perceiver, turn.audience):
                    continue
                done.add(turn.turn)
                parts = [part for part in ordered if _part_of(part, turn, perceiver)]
                row = _spoken(
                    [part for part in parts if isinstance(part, AvatarSegment)],
                    texts,
                    avatar=avatar,
                    supersedes=replaced.pop() if replaced and not _taken_back(turn) else None,
                )
                rows.append(row)
                if turn.state is DeliveryState.SUPERSEDED:
                    replaced.append(turn.turn)
    return rows


def _part_of(part: Turn, whole: AvatarSegment, perceiver: ParticipantId | None) -> bool:
    return (
        isinstance(part, AvatarSegment)
        and part.turn == whole.turn
        and _perceived(perceiver, part.audience)
    )


def _perceived(perceiver: ParticipantId | None, audience: Iterable[ParticipantId]) -> bool:
    return perceiver is None or perceiver in audience


def _taken_back(segment: AvatarSegment) -> bool:
    return segment.state in DROPPED


def _dropped(row: TranscriptTurn) -> bool:
    return row.delivery is not None and row.delivery.state in DROPPED


def _said(person: PersonTurn, texts: Mapping[ContentId, str]) -> TranscriptTurn:
    fact = person.fact
    return TranscriptTurn(
        turn_id=fact.turn,
        speaker="person",
        participant_id=fact.speaker,
        channel=fact.channel.value,
        at_s=fact.started_s,
        text=texts.get(fact.words.content_id, erased(fact.words)),
        generated_text=None,
        delivery=None,
        supersedes=None,
    )


def _spoken(
    parts: Sequence[AvatarSegment],
    texts: Mapping[ContentId, str],
    *,
    avatar: ParticipantId,
    supersedes: TurnId | None,
) -> TranscriptTurn:
    first = parts[0]
    return TranscriptTurn(
        turn_id=first.turn,
        speaker="avatar",
        participant_id=avatar,
        channel="text" if all(part.displayed for part in parts) else "speech",
        at_s=first.at_s,
        text=_joined(_heard(part, texts) for part in parts),
        generated_text=_joined(_generated(part, texts) for part in parts),
        delivery=_delivery(parts),
        supersedes=supersedes,
    )


def _joined(texts: Iterable[str]) -> str:
    return " ".join(text for text in texts if text)


def _generated(segment: AvatarSegment, texts: Mapping[ContentId, str]) -> str:
    if segment.words is None:
        return ""
    return texts.get(segment.words.content_id, erased(segment.words))


def _heard(segment: AvatarSegment, texts: Mapping[ContentId, str]) -> str:
    if segment.words is not None and segment.words.content_id not in texts:
        return erased(segment.words) if segment.heard_chars else ""
    return heard_text(segment, texts)


def _delivery(parts: Sequence[AvatarSegment]) -> Delivery:
    states = [part.state for part in parts]
    lengths = [part.of_s for part in parts if part.of_s is not None]
    last = parts[-1]
    return Delivery(
        state=_together(states),
        how=last.how,
        evidence=_weakest([part.evidence for part in parts]),
        heard_s=sum(part.heard_s for part in parts),
        of_s=sum(lengths) if len(lengths) == len(parts) else None,
    )


def _together(states: Sequence[DeliveryState]) -> DeliveryState:
    """Return the state of a turn whose segments have these states."""
    kept = [state for state in states if state not in DROPPED] or list(states)
    for decisive in (DeliveryState.PENDING, DeliveryState.UNKNOWN):
        if decisive in kept:
            return decisive
    return kept[0] if len(set(kept)) == 1 else DeliveryState.PARTIAL


def _weakest(evidences: Sequence[Evidence | None]) -> Evidence | None:
    for evidence in (None, Evidence.UNKNOWN, Evidence.SERVER):
        if evidence in evidences:
            return evidence
    return Evidence.LISTENER
