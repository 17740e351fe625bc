"""What the model may read of a conversation."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.speech.history import History, Line, history_from, prompt_messages, remember
from tests.agent.replay.tale import ANNA, Tale
from trail.events.delivery import DeliveryState

ANSWER = "The capital of Portugal is Lisbon."


def asked() -> Tale:
    tale = Tale()
    tale.joins(ANNA)
    tale.says("What is the capital?", turn="p1", from_s=1.0, to_s=3.0)
    return tale


def prompt(tale: Tale) -> list[tuple[str, str]]:
    lines = prompt_messages(history_from(tale.envelopes(), tale.texts()))
    return [(line.role, line.text) for line in lines]


def test_given_an_answer_heard_in_full_then_the_model_reads_it_without_a_note() -> None:
    tale = asked()
    tale.replies(ANSWER, turn="a1", answers="p1", at_s=4.0)

    assert prompt(tale) == [("user", "What is the capital?"), ("assistant", ANSWER)]


def test_given_a_barge_in_then_the_model_reads_what_was_heard_and_a_note_of_ours() -> None:
    tale = asked()
    tale.replies(ANSWER, turn="a1", answers="p1", at_s=4.0, heard_s=1.6)
    tale.says("Stop.", turn="p2", from_s=3.9, to_s=5.8, interrupts="a1")

    before, heard, note, stop = prompt(tale)

    assert (before[0], heard, stop) == (
        "user",
        ("assistant", "The capital of"),
        ("user", "Stop."),
    )
    assert note[0] == "system"
    assert 'only up to "The capital of"' in note[1]
    assert "Lisbon" not in note[1]


def test_given_a_listener_who_vanished_then_the_model_learns_that_nobody_knows() -> None:
    tale = asked()
    segment = tale.generates(ANSWER, turn="a1", answers="p1")
    tale.voices(segment)
    tale.starts(segment, at_s=4.0)
    tale.plays(segment, 3.0, listener_present=False)

    lines = prompt(tale)

    assert [role for role, _ in lines] == ["user", "system"]
    assert "not known whether" in lines[1][1]
    assert "Lisbon" not in lines[1][1]


def test_given_an_unknown_end_that_claims_words_then_the_model_reads_none_of_them() -> None:
    tale = asked()
    end = tale.replies(ANSWER, turn="a1", answers="p1", at_s=4.0)
    tale.record([replace(end, state=DeliveryState.UNKNOWN)])

    assert [role for role, _ in prompt(tale)] == ["user", "system"]


def test_given_a_reply_that_nobody_heard_then_the_model_reads_nothing_of_it() -> None:
    tale = asked()
    dropped = tale.generates(ANSWER, turn="a1", answers="p1")
    tale.record(tale.ledger.withdrawn(dropped, tale.contents[-1].ref))
    mute = tale.generates(ANSWER, turn="a2", answers="p1")
    tale.record(tale.ledger.finished(mute, 0.0, interrupted=False, listener_present=True))

    assert prompt(tale) == [("user", "What is the capital?")]


def test_given_a_reply_still_being_spoken_then_the_model_reads_what_was_heard_so_far() -> None:
    tale = asked()
    segment = tale.generates(ANSWER, turn="a1", answers="p1")
    tale.voices(segment)
    tale.starts(segment, at_s=4.0)
    tale.record(tale.ledger.progressed(segment, 1.0))

    assert prompt(tale)[1] == ("assistant", "The capital")
    assert "still speaking" in prompt(tale)[2][1]


def test_given_a_message_that_was_displayed_then_the_model_reads_it() -> None:
    tale = asked()
    segment = tale.generates(ANSWER, turn="a1", answers="p1")
    tale.record(tale.ledger.displayed(segment))

    assert prompt(tale)[1] == ("assistant", ANSWER)


def test_given_erased_words_then_the_model_reads_nothing_in_their_place() -> None:
    tale = asked()
    tale.replies(ANSWER, turn="a1", answers="p1", at_s=4.0)

    assert prompt_messages(history_from(tale.envelopes(), {})) == ()


@settings(max_examples=25)
@given(
    heard=st.lists(
        st.one_of(st.none(), st.floats(min_value=0, max_value=3)), min_size=1, max_size=6
    )
)
def test_a_restored_history_is_the_one_that_was_lived(heard: list[float | None]) -> None:
    tale = asked()
    for number, heard_s in enumerate(heard):
        tale.replies(ANSWER, turn=f"a{number}", answers="p1", at_s=tale.at_s, heard_s=heard_s)
    lived = History()
    for entry in tale.entries:
        lived = remember(lived, entry.fact, at_s=entry.at_s or 0.0, contents=entry.contents)

    restored = history_from(tale.envelopes(), tale.texts())

    assert prompt_messages(restored) == prompt_messages(lived)


@settings(max_examples=25)
@given(
    heard=st.lists(
        st.one_of(st.none(), st.floats(min_value=0, max_value=3)), min_size=1, max_size=6
    )
)
def test_more_turns_leave_what_the_model_has_read_as_it_is(heard: list[float | None]) -> None:
    tale = asked()
    read: tuple[Line, ...] = ()
    for number, heard_s in enumerate(heard):
        tale.replies(ANSWER, turn=f"a{number}", answers="p1", at_s=tale.at_s, heard_s=heard_s)
        lines = prompt_messages(history_from(tale.envelopes(), tale.texts()))
        assert lines[: len(read)] == read
        read = lines
