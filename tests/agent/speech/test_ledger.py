"""What was heard. Every case is a sentence."""

import pytest

from agent.speech.phases import Phase
from tests.agent.speech.saying import (
    ANNA,
    S,
    end_of,
    heard_of,
    ledger_with,
    some_words,
    speaking,
    timed,
)
from trail.errors import ContractError
from trail.events.delivery import (
    CutBy,
    DeliveryState,
    Evidence,
    How,
    MessageDisplayed,
    SegmentProgressed,
)
from trail.events.generation import Origin, ReplyWithdrawn
from trail.ids import SegmentId, TurnId


def test_given_a_listener_throughout_when_all_was_played_then_all_was_heard() -> None:
    ledger = speaking("meet me tomorrow")

    ledger.ran(S, 0.0, 3.0)
    end = end_of(ledger.finished(S, 3.0, interrupted=False, listener_present=True))

    assert (end.state, end.how, end.evidence) == (
        DeliveryState.FULL,
        How.FINISHED,
        Evidence.SERVER,
    )
    assert heard_of(ledger, end) == "meet me tomorrow"
    assert (end.heard_s, end.of_s, end.cut_by, end.error_s) == (3.0, 3.0, CutBy.NOTHING, 0.0)


def test_given_three_words_when_interrupted_within_the_third_then_two_were_heard() -> None:
    ledger = speaking("meet me tomorrow")

    ledger.ran(S, 0.0, 2.6)
    end = end_of(ledger.finished(S, 2.6, interrupted=True, listener_present=True))

    assert (end.state, end.how) == (DeliveryState.PARTIAL, How.INTERRUPTED)
    assert heard_of(ledger, end) == "meet me"
    assert end.cut_by is CutBy.VOICE_TIMES
    assert end.error_s > 0


def test_given_a_voice_without_times_when_interrupted_then_the_cut_is_an_estimate() -> None:
    ledger = speaking("meet me tomorrow", words=())

    ledger.ran(S, 0.0, 1.5)
    end = end_of(ledger.finished(S, 1.5, interrupted=True, listener_present=True))

    assert heard_of(ledger, end) == "meet me"
    assert end.cut_by is CutBy.ESTIMATE


def test_given_a_queued_reply_when_cut_off_before_its_first_sound_then_none_was_heard() -> None:
    ledger = ledger_with("meet me")
    ledger.voiced(S, chars=(0, 7), start_s=0.0, duration_s=2.0)
    ledger.queued(S)

    end = end_of(ledger.finished(S, 0.0, interrupted=True, listener_present=True))

    assert (end.state, end.how) == (DeliveryState.NONE, How.INTERRUPTED)
    assert (end.heard_chars, end.heard_s) == (0, 0.0)


def test_given_a_first_word_when_cut_within_it_then_no_word_was_heard() -> None:
    ledger = speaking("tomorrow then")

    ledger.ran(S, 0.0, 0.4)
    end = end_of(ledger.finished(S, 0.4, interrupted=True, listener_present=True))

    assert (end.state, end.heard_chars, end.heard_s) == (DeliveryState.NONE, 0, 0.4)


def test_given_nobody_interrupted_when_the_sink_says_so_then_only_what_was_played_counts() -> None:
    ledger = speaking("one two three four")

    ledger.ran(S, 0.0, 2.0)
    end = end_of(ledger.finished(S, 2.0, interrupted=True, listener_present=True))

    assert (end.state, heard_of(ledger, end)) == (DeliveryState.PARTIAL, "one two")


def test_given_the_listener_went_away_when_all_was_played_then_hearing_is_unknown() -> None:
    ledger = speaking("meet me tomorrow")

    ledger.ran(S, 0.0, 3.0)
    end = end_of(ledger.finished(S, 3.0, interrupted=False, listener_present=False))

    assert (end.state, end.how) == (DeliveryState.UNKNOWN, How.VANISHED)
    assert end.evidence is Evidence.UNKNOWN
    assert (end.heard_chars, end.heard_s) == (0, 0.0)
    assert ledger.heard(S).chars == 0


def test_given_playing_when_the_sink_vanishes_then_hearing_is_unknown() -> None:
    ledger = speaking("meet me tomorrow")
    ledger.ran(S, 0.0, 2.0)

    end = end_of(ledger.vanished(S))

    assert (end.state, end.heard_chars) == (DeliveryState.UNKNOWN, 0)


def test_given_runs_of_a_second_when_the_sink_claims_ten_then_hearing_is_unknown() -> None:
    ledger = speaking("one two three four five six seven eight nine ten")

    ledger.ran(S, 0.0, 1.0)
    end = end_of(ledger.finished(S, 10.0, interrupted=False, listener_present=True))

    assert (end.state, end.how, end.heard_chars) == (DeliveryState.UNKNOWN, How.FINISHED, 0)


def test_given_sound_that_nobody_entered_when_it_ends_then_hearing_is_unknown() -> None:
    ledger = ledger_with("meet me")
    ledger.queued(S)
    ledger.started(S, addressee=ANNA, audience=(ANNA,))

    ledger.ran(S, 0.0, 2.0)
    end = end_of(ledger.finished(S, 2.0, interrupted=True, listener_present=True))

    assert (end.state, end.heard_chars) == (DeliveryState.UNKNOWN, 0)


def test_given_a_sink_without_runs_when_it_finishes_then_its_position_counts() -> None:
    ledger = speaking("meet me tomorrow")

    end = end_of(ledger.finished(S, 2.0, interrupted=True, listener_present=True))

    assert (end.state, heard_of(ledger, end)) == (DeliveryState.PARTIAL, "meet me")


def test_given_a_pause_when_a_whole_word_was_dropped_then_the_heard_text_ends_before_it() -> None:
    ledger = speaking("yes not now please")

    ledger.ran(S, 0.0, 1.0)
    ledger.ran(S, 2.0, 2.0)
    end = end_of(ledger.finished(S, 3.0, interrupted=False, listener_present=True))

    assert (end.state, end.how) == (DeliveryState.PARTIAL, How.FINISHED)
    assert heard_of(ledger, end) == "yes"
    assert end.heard_s == 1.0


def test_given_a_pause_when_a_fraction_of_a_word_was_dropped_then_all_was_heard() -> None:
    ledger = speaking("yes not now please")

    ledger.ran(S, 0.0, 1.2)
    ledger.ran(S, 1.4, 2.6)
    end = end_of(ledger.finished(S, 3.8, interrupted=False, listener_present=True))

    assert (end.state, heard_of(ledger, end)) == (DeliveryState.FULL, "yes not now please")
    assert end.heard_s == pytest.approx(3.8)


def test_given_text_but_no_sound_when_it_finishes_then_none_was_heard_and_it_failed() -> None:
    ledger = ledger_with("meet me")

    end = end_of(ledger.finished(S, 0.0, interrupted=False, listener_present=True))

    assert (end.state, end.how, end.heard_chars) == (DeliveryState.NONE, How.FAILED, 0)


def test_given_no_sound_yet_when_interrupted_then_none_was_heard_and_nothing_failed() -> None:
    ledger = ledger_with("meet me")

    end = end_of(ledger.finished(S, 0.0, interrupted=True, listener_present=True))

    assert (end.state, end.how) == (DeliveryState.NONE, How.INTERRUPTED)


def test_given_a_run_that_was_played_before_when_it_ends_then_hearing_is_unknown() -> None:
    ledger = speaking("meet me tomorrow")

    ledger.ran(S, 0.0, 2.0)
    ledger.ran(S, 1.0, 2.0)
    end = end_of(ledger.finished(S, 2.0, interrupted=False, listener_present=True))

    assert (end.state, end.heard_chars) == (DeliveryState.UNKNOWN, 0)


@pytest.mark.parametrize(
    ("played_s", "state"),
    [(3.0, DeliveryState.FULL), (1.0, DeliveryState.PARTIAL), (0.0, DeliveryState.NONE)],
)
def test_given_sound_without_words_then_the_seconds_played_decide(
    played_s: float, state: DeliveryState
) -> None:
    ledger = ledger_with("")
    ledger.voiced(S, chars=(0, 0), start_s=0.0, duration_s=3.0)
    ledger.queued(S)

    end = end_of(ledger.finished(S, played_s, interrupted=True, listener_present=True))

    assert (end.state, end.heard_s, end.heard_chars) == (state, played_s, 0)


def test_given_a_voice_that_failed_after_one_sentence_then_only_that_one_was_heard() -> None:
    ledger = ledger_with("One two. Three four.")
    ledger.voiced(S, chars=(0, 9), start_s=0.0, duration_s=2.0)
    ledger.queued(S)
    ledger.started(S, addressee=ANNA, audience=(ANNA,))

    ledger.ran(S, 0.0, 2.0)
    end = end_of(ledger.finished(S, 2.0, interrupted=False, listener_present=True))

    assert (end.state, heard_of(ledger, end)) == (DeliveryState.PARTIAL, "One two.")


def test_given_a_sentence_the_voice_left_out_then_what_follows_is_no_heard_prefix() -> None:
    ledger = ledger_with("One. Two. Three.")
    ledger.voiced(S, chars=(0, 5), start_s=0.0, duration_s=1.0)
    ledger.voiced(S, chars=(10, 16), start_s=1.0, duration_s=1.0)
    ledger.queued(S)
    ledger.started(S, addressee=ANNA, audience=(ANNA,))

    ledger.ran(S, 0.0, 2.0)
    end = end_of(ledger.finished(S, 2.0, interrupted=False, listener_present=True))

    assert (end.state, heard_of(ledger, end)) == (DeliveryState.PARTIAL, "One.")


def test_given_text_that_may_still_grow_when_playing_ends_then_it_is_not_heard_in_full() -> None:
    ledger = speaking("meet me", complete=False)

    ledger.ran(S, 0.0, 2.0)
    end = end_of(ledger.finished(S, 2.0, interrupted=True, listener_present=True))
    ledger.extend(S, " tomorrow")
    generated = ledger.complete(S, complete=False)

    assert (end.state, heard_of(ledger, end)) == (DeliveryState.PARTIAL, "meet me")
    assert generated.text == "meet me tomorrow"


def test_given_a_reply_prepared_ahead_when_withdrawn_then_it_was_canceled() -> None:
    ledger = ledger_with("meet me")

    dropped, end = ledger.withdrawn(S, some_words())

    assert isinstance(dropped, ReplyWithdrawn)
    assert end_of((end,)).state is DeliveryState.CANCELED
    assert ledger.phase(S) is Phase.CANCELED


def test_given_a_queued_reply_when_another_takes_its_place_then_it_was_superseded() -> None:
    ledger = ledger_with("meet me")
    ledger.queued(S)

    end = end_of(ledger.superseded(S, some_words()))

    assert (end.state, end.heard_chars) == (DeliveryState.SUPERSEDED, 0)


def test_given_a_message_when_displayed_then_it_is_not_said_to_have_been_spoken() -> None:
    ledger = ledger_with("see you at five")

    facts = ledger.displayed(S)

    assert [type(fact) for fact in facts] == [MessageDisplayed]
    assert ledger.heard(S).chars == len("see you at five")


@pytest.mark.parametrize("order", ["queued", "withdrawn", "superseded", "displayed"])
def test_given_an_ended_segment_when_we_order_anything_then_it_is_a_contract_error(
    order: str,
) -> None:
    ledger = speaking("done")
    ledger.ran(S, 0.0, 1.0)
    ledger.finished(S, 1.0, interrupted=False, listener_present=True)
    arguments = (S, some_words()) if order in {"withdrawn", "superseded"} else (S,)

    with pytest.raises(ContractError, match="impossible while delivered"):
        getattr(ledger, order)(*arguments)


def test_given_an_ended_segment_when_reports_come_late_then_they_change_nothing() -> None:
    ledger = speaking("done now")
    first = ledger.finished(S, 1.0, interrupted=True, listener_present=True)

    late = (
        *ledger.started(S, addressee=ANNA, audience=()),
        *ledger.ran(S, 1.0, 1.0),
        *ledger.finished(S, 2.0, interrupted=False, listener_present=True),
        *ledger.vanished(S),
        *ledger.failed(S),
    )

    assert late == ()
    assert ledger.heard(S).chars == end_of(first).heard_chars


def test_given_a_segment_not_queued_when_it_starts_then_it_is_a_contract_error() -> None:
    ledger = ledger_with("meet me")

    with pytest.raises(ContractError, match="impossible while generated"):
        ledger.started(S, addressee=ANNA, audience=(ANNA,))


def test_given_a_long_segment_when_it_plays_then_progress_is_durable_once_a_second() -> None:
    ledger = speaking("one two three four five")

    due = [fact for at in range(0, 50) for fact in ledger.progressed(S, at / 10)]

    assert all(isinstance(fact, SegmentProgressed) for fact in due)
    assert len(due) == 4


def test_given_playing_when_asked_live_then_it_tells_the_word_being_said() -> None:
    ledger = speaking("meet me tomorrow")

    heard = ledger.heard(S, 1.5)

    assert (heard.chars, heard.saying_chars) == (len("meet"), len("meet me"))


def test_given_a_sentence_still_being_made_when_it_grows_then_the_later_entry_counts() -> None:
    text = "one two three four"
    ledger = ledger_with(text)
    whole = (0, len(text))
    ledger.voiced(S, chars=whole, start_s=0.0, duration_s=2.0, words=timed("one two"), whole=False)
    ledger.queued(S)
    ledger.started(S, addressee=ANNA, audience=(ANNA,))
    early = ledger.heard(S, 2.0)

    ledger.voiced(S, chars=whole, start_s=0.0, duration_s=4.0, words=timed(text))

    assert text[: early.chars] == "one two"
    assert text[: ledger.heard(S, 3.0).chars] == "one two three"
    assert ledger.of_s(S) == 4.0


def test_given_open_segments_when_the_session_closes_then_what_had_begun_is_unknown() -> None:
    ledger = speaking("meet me")
    ledger.open(
        SegmentId("s2"),
        TurnId("t2"),
        answers=None,
        origin=Origin.REPLY,
        provider="local",
        model="m",
    )

    first, second = (end_of((fact,)) for fact in ledger.settle())

    assert (first.state, second.state) == (DeliveryState.UNKNOWN, DeliveryState.CANCELED)
    assert ledger.unended() == ()
