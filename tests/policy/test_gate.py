"""The gate: what it writes down, when, and what it lets through."""

from datetime import timedelta

import pytest

from policy.consent import Consents, fold
from policy.engine import EVALUATION_FAILED
from policy.errors import PolicyDenied
from policy.gate import STANDING, Gate
from policy.requests import Action, DataClass, Request
from policy.ruleset import RuleSet
from tests.policy.builders import ANNA, BEN, ELSEWHERE, NOW, reading, request
from trail.clock import ManualClock
from trail.codec import decode, encode
from trail.envelope import Fact, PrivacyClass
from trail.errors import ContractError, DependencyUnavailable
from trail.events.policy import (
    ConsentGiven,
    ConsentWithdrawn,
    DecisionsUsed,
    Effect,
    PolicyDecided,
    Purpose,
)
from trail.ids import EventId, ParticipantId, PersonId

TYPED = request(
    Action.CAPTURE, data_class=DataClass.TRANSCRIPT, privacy_class=PrivacyClass.PERSONAL
)
VIDEO = request(Action.CAPTURE, data_class=DataClass.VIDEO)
REMOTE = request(provider=ELSEWHERE)


class Notebook:
    """A recorder that remembers what is durable, and can be out of order."""

    def __init__(self) -> None:
        self.waiting: list[Fact] = []
        self.durable: list[Fact] = []
        self.owners: list[ParticipantId | None] = []
        self.is_broken = False

    def note(
        self,
        fact: Fact,
        *,
        privacy_class: PrivacyClass = PrivacyClass.OPERATIONAL,
        participant_id: ParticipantId | None = None,
    ) -> EventId:
        assert privacy_class is PrivacyClass.OPERATIONAL
        self.waiting.append(fact)
        self.owners.append(participant_id)
        return EventId(str(len(self.owners)))

    async def flush(self) -> None:
        if self.is_broken:
            raise DependencyUnavailable("trail", "disk full")
        self.durable += self.waiting
        self.waiting.clear()

    @property
    def decided(self) -> list[PolicyDecided]:
        return [f for f in self.durable + self.waiting if isinstance(f, PolicyDecided)]

    @property
    def uses(self) -> list[int]:
        return [f.count for f in self.durable + self.waiting if isinstance(f, DecisionsUsed)]


class Room:
    """A gate with its surroundings: a clock, a notebook, and people who consent or do not."""

    def __init__(self, rules: RuleSet, clock: ManualClock) -> None:
        self.clock = clock
        self.notebook = Notebook()
        self.people: dict[PersonId, Consents] = {}
        self.gate = Gate(rules, self.notebook, clock=clock, consents=self.consents)

    def consents(self, person: PersonId) -> Consents:
        return self.people.get(person, Consents(person=person))

    def learn(self, fact: ConsentGiven | ConsentWithdrawn) -> None:
        self.people[fact.person] = fold(self.consents(fact.person), fact)

    def effects(self, *requests: Request) -> list[str]:
        answers: list[str] = []
        for asked in requests:
            try:
                answers.append(self.gate.standing(asked).effect)
            except PolicyDenied as denied:
                answers.append(denied.decision.effect)
        return answers


@pytest.fixture
def room(rules: RuleSet, clock: ManualClock) -> Room:
    return Room(rules, clock)


async def test_given_a_permitted_reading_when_required_then_the_decision_is_durable(
    room: Room,
) -> None:
    decision = await room.gate.require(reading())

    assert decision.allowed
    (fact,) = room.notebook.durable
    assert isinstance(fact, PolicyDecided)
    assert (fact.decision_id, fact.effect, fact.rules, fact.resource, fact.standing) == (
        decision.decision_id,
        Effect.ALLOW,
        ("audit.own-sessions",),
        "trail/s1",
        False,
    )
    assert room.notebook.owners == [ParticipantId(ANNA)]


async def test_given_a_stranger_when_required_then_it_is_refused_and_the_refusal_is_durable(
    room: Room,
) -> None:
    with pytest.raises(PolicyDenied, match="no rule permits it") as refused:
        await room.gate.require(reading(subject="carl"))

    (fact,) = room.notebook.decided
    assert room.notebook.waiting == []
    assert (fact.decision_id, fact.effect, fact.subject) == (
        refused.value.decision.decision_id,
        Effect.DENY,
        "carl",
    )


async def test_given_another_reads_when_required_then_the_owner_finds_it_under_their_name(
    room: Room,
) -> None:
    await room.gate.require(reading(subject=BEN, audience=(ANNA, BEN)))

    assert room.notebook.owners == [ParticipantId(ANNA)]


async def test_given_a_trail_out_of_order_when_required_then_nothing_is_let_through(
    room: Room,
) -> None:
    room.notebook.is_broken = True

    with pytest.raises(DependencyUnavailable):
        await room.gate.require(reading())


async def test_every_reading_is_a_decision_of_its_own(room: Room) -> None:
    await room.gate.require(reading())
    await room.gate.require(reading())

    assert len({fact.decision_id for fact in room.notebook.decided}) == 2


def test_given_a_standing_question_when_asked_again_then_one_decision_holds(room: Room) -> None:
    first = room.gate.standing(request())
    second = room.gate.standing(request(resource_id="another-sentence"))

    assert first is second
    assert [fact.standing for fact in room.notebook.decided] == [True]


def test_given_a_standing_question_about_one_thing_when_noted_then_it_names_the_kind_only(
    room: Room,
) -> None:
    room.gate.standing(request(resource_id="one-sentence"))

    assert [fact.resource for fact in room.notebook.decided] == ["audio/s1"]


def test_given_a_standing_denial_when_asked_again_then_it_is_refused_with_its_reason(
    room: Room,
) -> None:
    for _ in range(2):
        with pytest.raises(PolicyDenied, match="has not consented to models elsewhere"):
            room.gate.standing(REMOTE)

    assert [fact.effect for fact in room.notebook.decided] == [Effect.DENY]


def test_given_different_kinds_of_question_when_asked_in_turn_then_each_is_decided_once(
    room: Room,
) -> None:
    room.effects(*[request(), TYPED, VIDEO, REMOTE] * 3)

    assert [(fact.action, fact.data_class) for fact in room.notebook.decided] == [
        ("egress", "audio"),
        ("capture", "transcript"),
        ("capture", "video"),
        ("egress", "audio"),
    ]


def test_given_somebody_joins_and_leaves_when_asked_then_each_change_is_decided_anew(
    room: Room,
) -> None:
    alone, together = request(), request(audience=(ANNA, BEN))

    room.effects(alone, together, together, alone)

    audiences = [fact.audience for fact in room.notebook.decided]
    assert audiences == [("anna",), ("anna", "ben"), ("anna",)]


def test_given_the_owner_leaves_when_asked_then_it_is_decided_anew(room: Room) -> None:
    assert room.effects(request(audience=(ANNA, BEN)), request(audience=(BEN,))) == [
        "allow",
        "deny",
    ]


def test_given_a_consent_comes_and_goes_when_asked_then_the_answer_follows_at_once(
    room: Room,
) -> None:
    before = room.effects(REMOTE)
    room.learn(ConsentGiven(person=ANNA, purpose=Purpose.REMOTE_MODELS, until=None))
    during = room.effects(REMOTE)
    room.learn(ConsentWithdrawn(person=ANNA, purpose=Purpose.REMOTE_MODELS))
    after = room.effects(REMOTE)

    assert before + during + after == ["deny", "allow", "deny"]
    first, second, third = (fact.consents for fact in room.notebook.decided)
    assert first == third != second


def test_given_a_consent_with_an_end_when_it_comes_then_the_standing_permission_ends(
    room: Room,
) -> None:
    end = NOW + timedelta(seconds=5)
    room.learn(ConsentGiven(person=ANNA, purpose=Purpose.REMOTE_MODELS, until=end))

    before = room.effects(REMOTE)
    room.clock.advance(5)
    after = room.effects(REMOTE)

    assert before + after == ["allow", "deny"]


def test_given_uses_when_noted_then_they_are_counted_once(room: Room) -> None:
    room.effects(request(), request(), request(), REMOTE)

    room.gate.note_uses()
    room.gate.note_uses()
    room.effects(request())
    room.gate.note_uses()

    assert room.notebook.uses == [3, 1, 1]


def test_given_a_changed_audience_when_uses_are_noted_then_both_decisions_keep_theirs(
    room: Room,
) -> None:
    room.effects(request(), request(), request(audience=(ANNA, BEN)))

    room.gate.note_uses()

    assert room.notebook.uses == [2, 1]


@pytest.mark.parametrize("action", sorted(set(Action) - STANDING))
def test_given_an_action_decided_each_time_when_asked_standing_then_it_is_a_bug(
    room: Room, action: Action
) -> None:
    with pytest.raises(ContractError, match="use require"):
        room.gate.standing(request(action))

    assert room.notebook.decided == []


def test_given_anothers_consents_when_asked_then_it_is_a_bug(
    rules: RuleSet, clock: ManualClock
) -> None:
    gate = Gate(rules, Notebook(), clock=clock, consents=lambda _: Consents(person=BEN))

    with pytest.raises(ContractError, match="another's"):
        gate.standing(request())


async def test_given_an_id_that_cannot_be_judged_when_required_then_the_reason_is_recorded(
    room: Room,
) -> None:
    with pytest.raises(PolicyDenied, match="could not be evaluated"):
        await room.gate.require(reading(subject="\ud800", audience=("\ud800",)))

    assert [fact.rules for fact in room.notebook.decided] == [(EVALUATION_FAILED.rule_id,)]


def test_what_the_gate_notes_can_be_stored(room: Room) -> None:
    room.effects(request(), REMOTE)
    room.gate.note_uses()

    for fact in room.notebook.waiting:
        stored = encode(fact)
        assert decode(stored.event_type, stored.schema_version, stored.payload).fact == fact
