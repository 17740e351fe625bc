"""A recorded session is whole, or the first fault is named."""

from dataclasses import replace
from typing import Any

import pytest

from agent.replay.verify import Verified, verify_session
from tests.agent.replay.tale import ANNA, Tale, resealed
from trail.envelope import Envelope, Fact
from trail.errors import ReplayDivergence, TrailCorrupt
from trail.events.delivery import DeliveryState, SegmentFinished, SegmentProgressed, SegmentStarted
from trail.ids import EventId

ANSWER = "The capital of Portugal is Lisbon."


def conversation(*, logic_version: int = 1) -> Tale:
    """One of everything that can become of a segment."""
    tale = Tale(logic_version=logic_version)
    tale.joins(ANNA)
    tale.replies("Hello, I am Ada.", turn="a0", at_s=1.0)
    tale.says("What is the capital?", turn="p1", from_s=4.0, to_s=5.0)
    dropped = tale.generates("Well", turn="a1", answers="p1", complete=False)
    tale.record(tale.ledger.withdrawn(dropped, tale.contents[-1].ref))
    tale.replies(ANSWER, turn="a2", answers="p1", at_s=6.0, heard_s=1.6)
    tale.says("Stop.", turn="p2", from_s=7.0, to_s=7.6, interrupts="a2")
    mute = tale.generates("Nobody hears this.", turn="a3", answers="p2")
    tale.record(tale.ledger.finished(mute, 0.0, interrupted=False, listener_present=True))
    lost = tale.generates("Are you there?", turn="a4")
    tale.voices(lost)
    tale.starts(lost, at_s=9.0)
    tale.plays(lost, 1.5, listener_present=False)
    shown = tale.generates("Goodbye.", turn="a5")
    tale.record(tale.ledger.displayed(shown))
    cut = tale.generates("I am not done", turn="a6")
    tale.voices(cut)
    tale.starts(cut, at_s=12.0)
    tale.resumes()
    tale.ends()
    return tale


def verified(tale: Tale) -> Verified:
    return verify_session(tale.envelopes(), tale.texts())


def changed(tale: Tale, kind: type[Fact], **fields: Any) -> list[Envelope[Fact]]:
    """The same trail, its first fact of a kind changed, and chained anew."""
    envelopes = list(tale.envelopes())
    index = next(i for i, e in enumerate(envelopes) if isinstance(e.fact, kind))
    envelopes[index] = replace(
        envelopes[index],
        fact=replace(envelopes[index].fact, **fields),  # type: ignore[type-var]
    )
    return list(resealed(envelopes))


def test_a_fresh_trail_never_diverges() -> None:
    tale = conversation()

    found = verified(tale)

    assert found.facts == len(tale.entries)
    assert (found.deliveries, found.erased, found.other_logic) == (6, 0, None)


def test_given_a_fact_was_changed_when_verified_then_its_position_is_named() -> None:
    envelopes = list(conversation().envelopes())
    envelopes[4] = replace(envelopes[4], at_s=99.0)

    with pytest.raises(TrailCorrupt, match="at 5: digest does not match"):
        verify_session(envelopes, {})


def test_given_a_fact_is_missing_when_verified_then_the_gap_is_named() -> None:
    envelopes = list(conversation().envelopes())
    del envelopes[4]

    with pytest.raises(TrailCorrupt, match="at 6"):
        verify_session(envelopes, {})


def test_given_a_forged_end_when_verified_then_it_does_not_follow_from_the_reports() -> None:
    tale = conversation()
    forged = changed(tale, SegmentFinished, state=DeliveryState.PARTIAL, heard_chars=5)

    with pytest.raises(ReplayDivergence, match="heard_chars=5"):
        verify_session(forged, tale.texts())


def test_given_progress_beyond_the_text_when_verified_then_it_diverges() -> None:
    tale = conversation()
    forged = changed(tale, SegmentProgressed, heard_chars=5_000)

    with pytest.raises(ReplayDivergence, match="5000"):
        verify_session(forged, tale.texts())


def test_given_words_that_are_not_the_recorded_ones_when_verified_then_it_diverges() -> None:
    tale = conversation()
    texts = {content_id: f"{text} and more" for content_id, text in tale.texts().items()}

    with pytest.raises(ReplayDivergence, match="characters of text"):
        verify_session(tale.envelopes(), texts)


def test_given_a_start_after_the_end_when_verified_then_it_diverges() -> None:
    tale = conversation()
    start = next(e for e in tale.entries if isinstance(e.fact, SegmentStarted))
    tale.entries.append(replace(start, event_id=EventId("late")))

    with pytest.raises(ReplayDivergence, match="had ended"):
        verified(tale)


def test_given_two_ends_of_one_segment_when_verified_then_it_diverges() -> None:
    tale = conversation()
    end = next(e for e in tale.entries if isinstance(e.fact, SegmentFinished))
    tale.entries.append(replace(end, event_id=EventId("twice")))

    with pytest.raises(ReplayDivergence, match="had ended"):
        verified(tale)


def test_given_erased_words_when_verified_then_that_is_counted_and_no_fault() -> None:
    found = verify_session(conversation().envelopes(), {})

    assert found.erased > 0
    assert found.deliveries + found.erased == 6


def test_given_another_logic_version_when_verified_then_only_chain_and_causes_are() -> None:
    tale = conversation(logic_version=99)
    forged = changed(tale, SegmentFinished, heard_chars=5)

    found = verify_session(forged, tale.texts())

    assert (found.other_logic, found.deliveries) == (99, 0)


def test_given_a_cause_that_comes_later_when_verified_then_it_is_named() -> None:
    tale = Tale()
    tale.note(tale.entries[-1].fact, cause="e4")
    tale.ends()

    with pytest.raises(TrailCorrupt, match="its cause e4 comes later"):
        verified(tale)


def test_given_a_cause_in_another_stream_when_verified_then_it_is_handed_back() -> None:
    tale = Tale()
    tale.note(tale.entries[-1].fact, cause="elsewhere")

    assert verified(tale).causes_elsewhere == ("elsewhere",)
