"""What a conversation remembers, tells the page and lets the model read."""

from dataclasses import replace

import pytest

from agent.conversation.listening import Timing
from policy.errors import PolicyDenied
from policy.requests import Provider
from tests.agent.conversation.talks import ANNA, BEN, LOCAL, SESSION, Talk
from trail.events.delivery import DeliveryState, Evidence, SegmentFinished
from trail.events.generation import ReplyWithdrawn, SegmentGenerated
from trail.events.interaction import Channel, TurnAnswered, TurnCommitted
from trail.events.perception import ObservationReceived
from trail.events.policy import PolicyDecided
from trail.events.session import (
    Departure,
    ParticipantJoined,
    ParticipantLeft,
    SessionResumed,
)
from trail.ids import TurnId, session_stream


def says(talk: Talk, text: str, *, item: str) -> TurnId:
    now_s = talk.clock.session_s()
    turn = talk.conversation.listening.commit(
        ANNA,
        text,
        channel=Channel.SPEECH,
        item=item,
        timing=Timing(started_s=max(0.0, now_s - 1), ended_s=now_s),
        language="en",
    )
    assert turn is not None
    return turn


async def test_given_a_reply_played_to_its_end_then_all_of_it_was_heard() -> None:
    talk = Talk()

    saying = talk.reply("speech_1", "Lisbon. ", "It lies on the Tejo.")
    talk.play(saying, 2.0, interrupted=False)

    [end] = [fact for fact in await talk.facts() if isinstance(fact, SegmentFinished)]
    assert (end.state, end.evidence) == (DeliveryState.FULL, Evidence.SERVER)
    assert end.heard_chars == len("Lisbon. It lies on the Tejo.")


async def test_given_an_interruption_then_the_prompt_holds_what_was_heard_and_says_so() -> None:
    talk = Talk()
    says(talk, "Tell me about Lisbon.", item="i1")
    saying = talk.reply("speech_1", "Lisbon is old. ", "It was shaken in 1755.")

    talk.playing = (saying.segment, 1.0, True)
    talk.conversation.listening.onset()
    talk.play(saying, 1.0, interrupted=True)
    talk.playing = None
    says(talk, "Stop, wait.", item="i2")

    lines = talk.conversation.prompt([])
    said = [(line.role, line.text) for line in lines]
    assert said[0] == ("system", "Be kind.")
    assert ("assistant", "Lisbon is old.") in said
    assert said[-1] == ("user", "Stop, wait.")
    assert "interrupted" in said[-2][1]
    assert "1755" not in "".join(text for _, text in said)


async def test_given_words_not_yet_committed_then_the_model_reads_them_once() -> None:
    talk = Talk()

    before = talk.conversation.prompt([("i1", "What time is it?")])
    says(talk, "What time is it?", item="i1")
    after = talk.conversation.prompt([("i1", "What time is it?")])

    assert [line.text for line in before] == [line.text for line in after]


async def test_given_a_prepared_reply_that_is_not_spoken_then_it_is_on_record_as_withdrawn() -> (
    None
):
    talk = Talk()

    saying = talk.conversation.prepare("speech_1")
    saying.extend("Perhaps")
    talk.conversation.mouth.closed("speech_1")

    facts = await talk.facts()
    assert [type(f) for f in facts if isinstance(f, ReplyWithdrawn | SegmentGenerated)] == [
        ReplyWithdrawn
    ]
    [end] = [fact for fact in facts if isinstance(fact, SegmentFinished)]
    assert end.state is DeliveryState.CANCELED
    assert await talk.messages("generated") == []


async def test_given_a_listener_who_leaves_during_a_reply_then_nobody_can_tell_what_was_heard() -> (
    None
):
    talk = Talk()

    saying = talk.reply("speech_1", "A long story. ", "It goes on.")
    talk.conversation.left(ANNA, Departure.VANISHED)
    talk.play(saying, 2.0, interrupted=False)

    [end] = [fact for fact in await talk.facts() if isinstance(fact, SegmentFinished)]
    assert (end.state, end.heard_chars) == (DeliveryState.UNKNOWN, 0)


async def test_given_a_sink_that_never_reports_then_the_watchdog_ends_the_segment() -> None:
    talk = Talk()

    talk.reply("speech_1", "Hello there.")
    talk.clock.advance(10.9)
    talk.conversation.mouth.tick()
    still_open = [fact for fact in await talk.facts() if isinstance(fact, SegmentFinished)]
    talk.clock.advance(0.2)
    talk.conversation.mouth.tick()

    [end] = [fact for fact in await talk.facts() if isinstance(fact, SegmentFinished)]
    assert still_open == []
    assert end.state is DeliveryState.UNKNOWN


async def test_given_a_turn_then_its_speaker_audience_and_observation_are_on_record() -> None:
    talk = Talk()
    talk.conversation.joined(BEN)

    turn = says(talk, "Hello Ben.", item="i1")

    facts = await talk.facts()
    [committed] = [fact for fact in facts if isinstance(fact, TurnCommitted)]
    [observed] = [fact for fact in facts if isinstance(fact, ObservationReceived)]
    assert (committed.turn, committed.speaker) == (turn, ANNA)
    assert committed.audience == (ANNA, BEN)
    assert committed.observations == (observed.observation_id,)
    assert not observed.media_retained


async def test_given_people_who_come_and_go_then_the_audience_is_on_record() -> None:
    talk = Talk()

    talk.conversation.joined(BEN)
    talk.conversation.left(ANNA, Departure.LEFT)
    talk.conversation.left(ANNA, Departure.LEFT)

    facts = await talk.facts()
    assert [f.audience for f in facts if isinstance(f, ParticipantJoined)] == [
        (ANNA,),
        (ANNA, BEN),
    ]
    assert [f.audience for f in facts if isinstance(f, ParticipantLeft)] == [(BEN,)]


async def test_given_an_answer_then_the_page_learns_how_long_it_took() -> None:
    talk = Talk()
    turn = says(talk, "Hello?", item="i1")

    talk.clock.advance(0.8)
    talk.reply("speech_1", "Yes.")

    [answered] = [fact for fact in await talk.facts() if isinstance(fact, TurnAnswered)]
    assert (answered.turn, round(answered.answer_s, 3)) == (turn, 0.8)
    [told] = await talk.messages("answered")
    assert (told["turn_id"], told["answer_ms"]) == (turn, 800)


async def test_given_two_questions_of_one_kind_then_the_boundary_is_asked_once_and_recorded() -> (
    None
):
    talk = Talk()

    talk.conversation.permission.to_think(ANNA, LOCAL)
    talk.conversation.permission.to_think(ANNA, LOCAL)

    decided = [fact for fact in await talk.facts() if isinstance(fact, PolicyDecided)]
    assert [(fact.action, fact.effect) for fact in decided] == [("egress", "allow")]


async def test_given_a_session_that_closes_then_what_was_playing_is_unknown() -> None:
    talk = Talk()

    talk.reply("speech_1", "Hello there.")
    talk.conversation.mouth.settle()

    [end] = [fact for fact in await talk.facts() if isinstance(fact, SegmentFinished)]
    assert end.state is DeliveryState.UNKNOWN


async def test_given_somebody_who_comes_mid_sentence_then_the_page_is_told_it_again() -> None:
    talk = Talk()

    talk.reply("speech_1", "A long story. ", "It goes on.")
    talk.conversation.joined(BEN)

    told = await talk.messages("generated")
    assert (told[-1]["offset"], told[-1]["text"]) == (0, "A long story. It goes on.")


async def test_given_an_open_session_then_every_later_fact_names_its_first_cause() -> None:
    talk = Talk()
    opened = talk.conversation.record.opened(SessionResumed(software="1", last_position=1))

    talk.conversation.permission.to_think(ANNA, LOCAL)
    says(talk, "Hello.", item="i1")
    await talk.journal.flush()

    envelopes = await talk.store.read(session_stream(SESSION))
    after = [e for e in envelopes if e.position > 2]
    assert len(after) == 3
    assert {e.correlation_id for e in after} == {opened}
    assert None not in {e.causation_id for e in after}


async def test_given_a_fallback_that_may_not_be_used_then_the_chain_is_refused_at_each_use() -> (
    None
):
    talk = Talk()
    chain = replace(LOCAL, fallbacks=(Provider(name="openai", is_local=False),))

    with pytest.raises(PolicyDenied):
        talk.conversation.permission.to_think(ANNA, chain)

    decided = [fact for fact in await talk.facts() if isinstance(fact, PolicyDecided)]
    assert [(d.provider, d.effect) for d in decided] == [("local", "allow"), ("openai", "deny")]
