"""What of a trail one reader may see: what they could perceive, and of the rest only the chain."""

from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.gateway.perceivable import View
from tests.agent.gateway.talk import Talk
from trail.adapters.in_memory import InMemoryStore
from trail.catalogue import NAMES
from trail.chain import verify
from trail.envelope import Entry, Envelope, Fact, PrivacyClass
from trail.events.generation import ReplyWithdrawn
from trail.events.policy import DecisionsUsed, Effect, PolicyDecided
from trail.events.session import SessionEnded, SessionResumed
from trail.ids import (
    DecisionId,
    EventId,
    ParticipantId,
    PersonId,
    SegmentId,
    SessionId,
    session_stream,
)

ADA, BO = ParticipantId("ada"), ParticipantId("bo")
SESSION = SessionId("s")
TALK = Talk(session_id=SESSION, owner=PersonId("ada"))


def one_of(fact: Fact) -> Envelope[Fact]:
    return Envelope(
        event_id=EventId("e"),
        event_type="session.resumed",
        source="test",
        occurred_at=datetime(2026, 1, 1, tzinfo=UTC),
        stream=session_stream(SESSION),
        position=1,
        session_id=SESSION,
        at_s=0.0,
        participant_id=None,
        turn_id=None,
        correlation_id=None,
        causation_id=None,
        privacy_class=PrivacyClass.PERSONAL,
        schema_version=1,
        fact=fact,
        digest="d",
    )


async def recorded(*entries: Entry) -> list[Envelope[Fact]]:
    store = InMemoryStore()
    return list(await store.append(session_stream(SESSION), entries, expected=0))


def visible(reader: ParticipantId | None, envelopes: list[Envelope[Fact]]) -> list[int]:
    view = View(reader)
    shown = [view.show(envelope) for envelope in envelopes]
    return [item["position"] for item in shown if "payload" in item]


@pytest.mark.parametrize(
    "kind", [kind for kind, _ in NAMES.values()], ids=lambda kind: kind.__name__
)
@given(data=st.data())
@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_is_recorded_a_stranger_sees_nothing_of_it(
    kind: type[Fact], data: st.DataObject
) -> None:
    envelope = one_of(data.draw(st.from_type(kind)))

    shown = View(ParticipantId("somebody who was not there")).show(envelope)

    if kind not in {SessionEnded, SessionResumed}:
        assert shown == {"position": 1, "digest": "d"}


async def test_the_operator_sees_every_position() -> None:
    envelopes = await recorded(TALK.opened(), TALK.joined(ADA), TALK.ended())

    verify(envelopes)
    assert visible(None, envelopes) == [1, 2, 3]


async def test_given_a_reply_prepared_for_one_when_another_joins_later_then_it_is_not_theirs() -> (
    None
):
    envelopes = await recorded(
        TALK.joined(ADA),
        TALK.answered("a greeting", "a1", "none", ADA)[0],
        TALK.joined(ADA, BO),
    )

    assert visible(ADA, envelopes) == [1, 2, 3]
    assert visible(BO, envelopes) == [3]


async def test_given_a_withdrawn_reply_when_read_then_those_it_was_for_see_it() -> None:
    words = TALK.answered("never said", "a1", "none", ADA)[0]
    withdrawn = ReplyWithdrawn(segment=SegmentId("a1-1"), words=words.contents[0].ref)
    envelopes = await recorded(TALK.joined(ADA), words, Entry(fact=withdrawn), TALK.joined(ADA, BO))

    assert visible(ADA, envelopes) == [1, 2, 3, 4]
    assert visible(BO, envelopes) == [4]


async def test_given_a_decision_about_one_person_when_read_then_it_and_its_uses_are_theirs() -> (
    None
):
    decided = PolicyDecided(
        decision_id=DecisionId("d"),
        action="capture",
        effect=Effect.ALLOW,
        subject=ADA,
        resource="audio/s",
        purpose="conversation",
        data_class="audio",
        provider="local",
        provider_is_local=True,
        audience=(ADA, BO),
        rules=("capture.own",),
        obligations=(),
        rule_set="0",
        consents="0",
        standing=True,
    )
    envelopes = await recorded(
        TALK.joined(ADA, BO),
        Entry(fact=decided),
        Entry(fact=DecisionsUsed(decision_id=DecisionId("d"), count=3)),
    )

    assert visible(ADA, envelopes) == [1, 2, 3]
    assert visible(BO, envelopes) == [1]
