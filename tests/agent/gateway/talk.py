"""A short conversation as its trail, for the gateway's tests."""

from collections.abc import Sequence
from dataclasses import dataclass

from trail.content import Content, content
from trail.envelope import Entry, Fact, PrivacyClass
from trail.events.delivery import (
    CutBy,
    DeliveryState,
    Evidence,
    How,
    SegmentFinished,
    SegmentStarted,
)
from trail.events.generation import Origin, SegmentGenerated
from trail.events.interaction import Channel, TurnCommitted
from trail.events.session import (
    Departure,
    ParticipantJoined,
    ParticipantLeft,
    SessionEnd,
    SessionEnded,
    SessionOpened,
)
from trail.ids import (
    CharacterId,
    ParticipantId,
    PersonId,
    RoomName,
    SegmentId,
    SessionId,
    TurnId,
)

AVATAR = ParticipantId("avatar-1")


@dataclass(frozen=True)
class Talk:
    """Builds entries of one session."""

    session_id: SessionId
    owner: PersonId

    def opened(self) -> Entry:
        words = content("{}", owner=None)
        return self._entry(
            SessionOpened(
                owner=self.owner,
                room=RoomName("room"),
                character_id=CharacterId("ada"),
                time_zone="Etc/UTC",
                language="en",
                logic_version=1,
                software="1",
                settings=words.ref,
            ),
            contents=(words,),
        )

    def joined(self, *people: str) -> Entry:
        who = tuple(ParticipantId(one) for one in people)
        return self._entry(ParticipantJoined(participant=who[-1], is_avatar=False, audience=who))

    def left(self, person: str, *others: str) -> Entry:
        return self._entry(
            ParticipantLeft(
                participant=ParticipantId(person),
                how=Departure.LEFT,
                audience=tuple(ParticipantId(one) for one in others),
            )
        )

    def said(self, text: str, turn: str, *audience: str, at_s: float = 1.0) -> Entry:
        words = content(text, owner=PersonId(audience[0]))
        fact = TurnCommitted(
            turn=TurnId(turn),
            speaker=ParticipantId(audience[0]),
            addressee=AVATAR,
            audience=tuple(ParticipantId(one) for one in audience),
            channel=Channel.TEXT,
            words=words.ref,
            language="en",
            started_s=at_s,
            ended_s=at_s + 1,
            observations=(),
            interrupts=None,
        )
        return self._entry(fact, at_s=at_s + 1, contents=(words,))

    def answered(
        self, text: str, turn: str, answers: str, *audience: str, at_s: float = 3.0
    ) -> Sequence[Entry]:
        words = content(text, owner=None)
        segment, mine = SegmentId(f"{turn}-1"), TurnId(turn)
        hearers = tuple(ParticipantId(one) for one in audience)
        return (
            self._entry(
                SegmentGenerated(
                    segment=segment,
                    turn=mine,
                    answers=TurnId(answers),
                    origin=Origin.REPLY,
                    words=words.ref,
                    provider="local",
                    model="m",
                    complete=True,
                ),
                at_s=at_s,
                contents=(words,),
            ),
            self._entry(
                SegmentStarted(segment=segment, turn=mine, addressee=hearers[0], audience=hearers),
                at_s=at_s,
            ),
            self._entry(
                SegmentFinished(
                    segment=segment,
                    turn=mine,
                    state=DeliveryState.FULL,
                    how=How.FINISHED,
                    evidence=Evidence.SERVER,
                    heard_s=1.0,
                    of_s=1.0,
                    heard_chars=len(text),
                    cut_by=CutBy.NOTHING,
                    error_s=0.0,
                ),
                at_s=at_s + 1,
            ),
        )

    def ended(self) -> Entry:
        return self._entry(SessionEnded(reason=SessionEnd.LEFT), at_s=60.0)

    def _entry(self, fact: Fact, *, at_s: float = 0.0, contents: tuple[Content, ...] = ()) -> Entry:
        return Entry(
            fact=fact,
            privacy_class=PrivacyClass.PERSONAL,
            session_id=self.session_id,
            at_s=at_s,
            contents=contents,
        )
