"""A recorded session told step by step, with ids that are the same each time."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from agent.speech.alignment import TimedWord
from agent.speech.ledger import Ledger
from trail.chain import GENESIS
from trail.content import Content, ContentRef, digest
from trail.envelope import Entry, Envelope, Fact, PrivacyClass
from trail.events.delivery import SegmentFinished
from trail.events.generation import Origin
from trail.events.interaction import Channel, TurnCommitted
from trail.events.session import (
    Departure,
    ParticipantJoined,
    ParticipantLeft,
    SessionEnd,
    SessionEnded,
    SessionOpened,
    SessionResumed,
)
from trail.ids import (
    CharacterId,
    ContentId,
    EventId,
    ParticipantId,
    PersonId,
    RoomName,
    SegmentId,
    SessionId,
    TurnId,
    session_stream,
)
from trail.seal import seal

SESSION = SessionId("01900000-0000-7000-8000-000000000001")
OPENED = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
ANNA = ParticipantId("anna")
AVATAR = ParticipantId("avatar-ada")


class Tale:
    """Facts of one session, through the real ledger."""

    def __init__(self, *, session_id: SessionId = SESSION, logic_version: int = 1) -> None:
        self.session_id = session_id
        self.contents: list[Content] = []
        self.entries: list[Entry] = []
        self.at_s = 0.0
        self.present: tuple[ParticipantId, ...] = ()
        self.ledger = Ledger(AVATAR)
        self._count = 0
        opened = SessionOpened(
            owner=PersonId(ANNA),
            room=RoomName("room-1"),
            character_id=CharacterId("ada"),
            time_zone="Europe/Lisbon",
            language="en-GB",
            logic_version=logic_version,
            software="0.1.0",
            settings=self.words("{}", owner=None),
        )
        self.note(opened, contents=self.contents[-1:])
        self.note(ParticipantJoined(participant=AVATAR, is_avatar=True, audience=()))

    # What happens.

    def joins(self, who: ParticipantId) -> None:
        self.present = (*self.present, who)
        self.note(ParticipantJoined(participant=who, is_avatar=False, audience=self.present))

    def leaves(self, who: ParticipantId, *, how: Departure = Departure.LEFT) -> None:
        self.present = tuple(one for one in self.present if one != who)
        self.note(ParticipantLeft(participant=who, how=how, audience=self.present))

    def says(
        self,
        text: str,
        *,
        turn: str,
        from_s: float,
        to_s: float,
        who: ParticipantId = ANNA,
        channel: Channel = Channel.SPEECH,
        interrupts: str | None = None,
        audience: Sequence[ParticipantId] | None = None,
    ) -> None:
        self.at_s = max(self.at_s, to_s + 0.3)
        words = self.words(text, owner=PersonId(who))
        self.note(
            TurnCommitted(
                turn=TurnId(turn),
                speaker=who,
                addressee=AVATAR,
                audience=self.present if audience is None else tuple(audience),
                channel=channel,
                words=words,
                language="en",
                started_s=from_s,
                ended_s=to_s,
                observations=(),
                interrupts=TurnId(interrupts) if interrupts else None,
            ),
            turn=turn,
            who=who,
            contents=self.contents[-1:],
        )

    def generates(
        self, text: str, *, turn: str, answers: str | None = None, complete: bool = True
    ) -> SegmentId:
        segment = SegmentId(f"{turn}-s{sum(s.startswith(turn) for s in self._segments()) + 1}")
        self.ledger.open(
            segment,
            TurnId(turn),
            answers=TurnId(answers) if answers else None,
            origin=Origin.REPLY if answers else Origin.GREETING,
            provider="local",
            model="small",
        )
        self.ledger.extend(segment, text)
        made = self.ledger.complete(segment, complete=complete)
        fact = made.fact(self.words(text, owner=None))
        self.note(fact, turn=turn, who=AVATAR, contents=self.contents[-1:])
        return segment

    def voices(self, segment: SegmentId, *, word_s: float = 0.5) -> None:
        """Make its whole text one sentence, every word ``word_s`` long."""
        text = self.ledger.text(segment)
        words = tuple(
            TimedWord(text=word, start_s=index * word_s, end_s=(index + 1) * word_s)
            for index, word in enumerate(text.split())
        )
        self.record(
            self.ledger.voiced(
                segment,
                chars=(0, len(text)),
                start_s=0.0,
                duration_s=len(words) * word_s,
                words=words,
            )
        )
        self.record(self.ledger.queued(segment))

    def starts(self, segment: SegmentId, *, at_s: float) -> None:
        self.at_s = at_s
        self.record(self.ledger.started(segment, addressee=ANNA, audience=self.present))

    def plays(
        self,
        segment: SegmentId,
        seconds: float,
        *,
        interrupted: bool = False,
        listener_present: bool = True,
    ) -> SegmentFinished:
        self.at_s += seconds
        self.record(self.ledger.ran(segment, 0.0, seconds))
        facts = self.ledger.finished(
            segment, seconds, interrupted=interrupted, listener_present=listener_present
        )
        self.record(facts)
        (end,) = (fact for fact in facts if isinstance(fact, SegmentFinished))
        return end

    def replies(
        self,
        text: str,
        *,
        turn: str,
        answers: str | None = None,
        at_s: float,
        heard_s: float | None = None,
    ) -> SegmentFinished:
        """Generate, voice and play; ``heard_s`` is where it is interrupted."""
        segment = self.generates(text, turn=turn, answers=answers)
        self.voices(segment)
        self.starts(segment, at_s=at_s)
        whole_s = self.ledger.of_s(segment)
        return self.plays(
            segment, whole_s if heard_s is None else heard_s, interrupted=heard_s is not None
        )

    def resumes(self) -> None:
        self.record(self.ledger.settle())
        self.note(SessionResumed(software="0.1.0", last_position=len(self.entries)))

    def ends(self, reason: SessionEnd = SessionEnd.LEFT) -> None:
        self.note(SessionEnded(reason=reason))

    # How it is written down.

    def words(self, text: str, *, owner: PersonId | None) -> ContentRef:
        salt = bytes(16)
        ref = ContentRef(
            content_id=ContentId(f"c{len(self.contents) + 1}"),
            digest=digest(salt, text),
            words=len(text.split()),
            chars=len(text),
        )
        self.contents.append(Content(ref=ref, owner=owner, salt=salt, text=text))
        return ref

    def record(self, facts: Sequence[Fact]) -> None:
        for fact in facts:
            turn = getattr(fact, "turn", None)
            self.note(fact, turn=turn if isinstance(turn, str) else None, who=AVATAR)

    def note(
        self,
        fact: Fact,
        *,
        turn: str | None = None,
        who: ParticipantId | None = None,
        contents: Sequence[Content] = (),
        cause: str | None = None,
    ) -> EventId:
        self._count += 1
        entry = Entry(
            fact=fact,
            privacy_class=PrivacyClass.PERSONAL if turn else PrivacyClass.OPERATIONAL,
            event_id=EventId(f"e{self._count}"),
            occurred_at=OPENED + timedelta(seconds=self.at_s),
            at_s=self.at_s,
            session_id=self.session_id,
            participant_id=who,
            turn_id=TurnId(turn) if turn else None,
            causation_id=EventId(cause) if cause else None,
            contents=tuple(contents),
        )
        self.entries.append(entry)
        return entry.event_id

    def envelopes(self) -> Sequence[Envelope[Fact]]:
        return seal(
            self.entries,
            stream=session_stream(self.session_id),
            source="worker",
            now=OPENED,
            head=0,
            previous=GENESIS,
        )

    def texts(self) -> dict[ContentId, str]:
        return {content.ref.content_id: content.text for content in self.contents}

    def _segments(self) -> set[str]:
        return {str(getattr(entry.fact, "segment", "")) for entry in self.entries}


def resealed(envelopes: Sequence[Envelope[Fact]]) -> Sequence[Envelope[Fact]]:
    """Chain changed facts again, as somebody would who forges a whole trail."""
    entries = [
        replace(
            Entry(fact=e.fact),
            event_id=e.event_id,
            occurred_at=e.occurred_at,
            at_s=e.at_s,
            session_id=e.session_id,
            participant_id=e.participant_id,
            turn_id=e.turn_id,
            causation_id=e.causation_id,
            privacy_class=e.privacy_class,
        )
        for e in envelopes
    ]
    return seal(
        entries,
        stream=envelopes[0].stream,
        source="worker",
        now=OPENED,
        head=0,
        previous=GENESIS,
    )
