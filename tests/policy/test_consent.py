"""Consent facts and what they amount to."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from policy.consent import Consents, consents_of, fold
from tests.policy.builders import ANNA, BEN, NOW
from trail.envelope import Envelope, Fact, PrivacyClass
from trail.events.policy import ConsentGiven, ConsentWithdrawn, Purpose
from trail.ids import EventId, PersonId, person_stream

LATER = NOW + timedelta(days=1)


def given_(purpose: Purpose, until: datetime | None = None, who: PersonId = ANNA) -> Fact:
    return ConsentGiven(person=who, purpose=purpose, until=until)


def withdrawn(purpose: Purpose, who: PersonId = ANNA) -> Fact:
    return ConsentWithdrawn(person=who, purpose=purpose)


def folded(*facts: Fact) -> Consents:
    consents = Consents(person=ANNA)
    for fact in facts:
        consents = fold(consents, fact)
    return consents


def envelope(position: int, fact: Fact) -> Envelope[Fact]:
    return Envelope(
        event_id=EventId(str(position)),
        event_type="policy.consent_given",
        source="test",
        occurred_at=NOW,
        stream=person_stream(ANNA),
        position=position,
        session_id=None,
        at_s=None,
        participant_id=None,
        turn_id=None,
        correlation_id=None,
        causation_id=None,
        privacy_class=PrivacyClass.OPERATIONAL,
        schema_version=1,
        fact=fact,
        digest="",
    )


def test_given_no_facts_when_asked_then_nothing_is_consented_to() -> None:
    assert not any(Consents(person=ANNA).permits(purpose, NOW) for purpose in Purpose)


def test_given_a_consent_when_asked_then_it_holds_for_its_purpose_only() -> None:
    consents = folded(given_(Purpose.CAMERA))

    assert [p for p in Purpose if consents.permits(p, NOW)] == [Purpose.CAMERA]


def test_given_a_withdrawal_when_asked_then_the_consent_is_gone() -> None:
    consents = folded(given_(Purpose.CAMERA), given_(Purpose.MEMORY), withdrawn(Purpose.CAMERA))

    assert consents.purposes == {Purpose.MEMORY}


def test_given_an_end_when_it_comes_then_the_consent_no_longer_holds() -> None:
    consents = folded(given_(Purpose.CAMERA, LATER))

    just_before = LATER - timedelta(microseconds=1)
    assert consents.permits(Purpose.CAMERA, just_before)
    assert not consents.permits(Purpose.CAMERA, LATER)
    assert consents.at(LATER) == Consents(person=ANNA)


def test_given_a_second_consent_when_folded_then_its_end_replaces_the_first() -> None:
    longer = folded(given_(Purpose.CAMERA, NOW), given_(Purpose.CAMERA))
    shorter = folded(given_(Purpose.CAMERA), given_(Purpose.CAMERA, NOW))

    assert longer.permits(Purpose.CAMERA, LATER)
    assert not shorter.permits(Purpose.CAMERA, NOW)


def test_given_somebody_elses_facts_when_folded_then_nothing_changes() -> None:
    own = folded(given_(Purpose.CAMERA))

    assert fold(own, given_(Purpose.MEMORY, who=BEN)) == own
    assert fold(own, withdrawn(Purpose.CAMERA, who=BEN)) == own


def test_given_facts_out_of_order_when_folded_then_their_positions_decide() -> None:
    facts = [
        envelope(3, withdrawn(Purpose.CAMERA)),
        envelope(1, given_(Purpose.CAMERA)),
        envelope(2, given_(Purpose.MEMORY)),
    ]

    assert consents_of(ANNA, facts).purposes == {Purpose.MEMORY}


def test_given_the_same_consents_by_another_way_when_digested_then_the_digest_is_the_same() -> None:
    one = folded(given_(Purpose.CAMERA), given_(Purpose.MEMORY))
    other = folded(given_(Purpose.MEMORY), withdrawn(Purpose.MEMORY), given_(Purpose.CAMERA))

    assert fold(other, given_(Purpose.MEMORY)).digest == one.digest
    assert len({one.digest, other.digest, Consents(person=BEN).digest}) == 3


@given(
    st.lists(
        st.builds(
            ConsentGiven,
            person=st.sampled_from([ANNA, BEN]),
            purpose=st.sampled_from(Purpose),
            until=st.none() | st.datetimes(timezones=st.just(UTC)),
        )
    )
)
def test_what_everybody_withdraws_is_not_consented_to(facts: list[ConsentGiven]) -> None:
    consents = folded(*facts, *(withdrawn(purpose) for purpose in Purpose))

    assert consents == Consents(person=ANNA)
