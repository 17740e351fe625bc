"""A transcript in a terminal."""

import pytest

from agent.replay.excerpt import between, seconds, turns_between
from agent.replay.text import as_text, clock_time, printable
from agent.replay.transcript import transcript
from tests.agent.replay.tale import ANNA, AVATAR, Tale

NAMES = {ANNA: "Anna", AVATAR: "ada"}


def told() -> Tale:
    tale = Tale()
    tale.joins(ANNA)
    tale.says("What is the capital?", turn="p1", from_s=61.0, to_s=62.0)
    tale.replies("The capital is Lisbon.", turn="a1", answers="p1", at_s=63.0, heard_s=1.1)
    tale.says("Stop.", turn="p2", from_s=64.0, to_s=64.5, interrupts="a1")
    segment = tale.generates("Are you there?", turn="a2")
    tale.voices(segment)
    tale.starts(segment, at_s=70.0)
    tale.plays(segment, 1.5, listener_present=False)
    return tale


def lines(tale: Tale, *, coloured: bool = False) -> list[str]:
    read = transcript(tale.envelopes(), tale.texts(), perceiver=None)
    return list(as_text(read, names=NAMES, coloured=coloured))


def test_given_a_session_when_printed_then_what_was_not_heard_stands_apart() -> None:
    assert lines(told()) == [
        "   1:01  Anna  What is the capital?",
        "   1:03  ada   The capital [interrupted, not heard: is Lisbon.]",
        "   1:04  Anna  Stop.",
        "   1:10  ada   [not known whether heard: Are you there?]",
    ]


def test_given_a_terminal_when_printed_then_only_what_was_not_heard_is_dim() -> None:
    assert lines(told(), coloured=True)[1].endswith(
        "The capital \x1b[2m[interrupted, not heard: is Lisbon.]\x1b[0m"
    )


def test_given_words_that_command_a_terminal_when_printed_then_they_do_not() -> None:
    assert printable("a\x1b[2Jb\u202ec\x07\nd") == "a\ufffd[2Jb\ufffdc\ufffd d"


@pytest.mark.parametrize(("at_s", "shown"), [(0, "0:00"), (61.9, "1:01"), (3_725, "1:02:05")])
def test_session_time_reads_like_a_clock(at_s: float, shown: str) -> None:
    assert clock_time(at_s) == shown


@pytest.mark.parametrize(("given", "meant"), [("90", 90), ("1:30", 90), ("1:02:03.5", 3723.5)])
def test_a_time_may_be_given_as_seconds_or_as_a_clock_shows_it(given: str, meant: float) -> None:
    assert seconds(given) == meant


@pytest.mark.parametrize("given", ["", "x", "-1", "1:", "nan", "inf"])
def test_given_no_time_then_it_is_refused(given: str) -> None:
    with pytest.raises(ValueError, match="is no time"):
        seconds(given)


def test_an_excerpt_holds_what_happened_in_between() -> None:
    tale = told()
    read = transcript(tale.envelopes(), tale.texts(), perceiver=None)

    some = turns_between(read, from_s=63.0, to_s=64.0)
    facts = between(tale.envelopes(), from_s=69.0, to_s=None)

    assert [turn.turn_id for turn in some.turns] == ["a1", "p2"]
    assert min(envelope.at_s or 0.0 for envelope in facts) >= 69.0
