"""What a session says to those who read it later."""

from agent.replay.transcript import Transcript, content_ids, transcript
from agent.speech.phases import Phase
from tests.agent.replay.tale import ANNA, AVATAR, SESSION, Tale
from trail.events.delivery import DeliveryState, How
from trail.events.interaction import Channel
from trail.ids import ParticipantId

BEN = ParticipantId("ben")
QUESTION = "What is the capital of Portugal?"
ANSWER = "The capital of Portugal is Lisbon."


def read(
    tale: Tale, *, everything: bool = False, perceiver: ParticipantId | None = None
) -> Transcript:
    return transcript(tale.envelopes(), tale.texts(), perceiver=perceiver, everything=everything)


def asked() -> Tale:
    tale = Tale()
    tale.joins(ANNA)
    tale.says(QUESTION, turn="p1", from_s=1.0, to_s=3.0)
    return tale


def test_given_an_answer_heard_in_full_then_it_reads_as_published() -> None:
    tale = asked()
    tale.replies(ANSWER, turn="a1", answers="p1", at_s=4.0)

    shown = read(tale).to_json()

    assert shown == {
        "session_id": SESSION,
        "turns": (
            {
                "turn_id": "p1",
                "speaker": "person",
                "participant_id": ANNA,
                "channel": "speech",
                "at_s": 1.0,
                "text": QUESTION,
                "generated_text": None,
                "delivery": None,
                "supersedes": None,
            },
            {
                "turn_id": "a1",
                "speaker": "avatar",
                "participant_id": AVATAR,
                "channel": "speech",
                "at_s": 4.0,
                "text": ANSWER,
                "generated_text": ANSWER,
                "delivery": {
                    "state": "full",
                    "how": "finished",
                    "evidence": "server",
                    "heard_s": 3.0,
                    "of_s": 3.0,
                },
                "supersedes": None,
            },
        ),
    }


def test_given_a_barge_in_then_the_cut_turn_precedes_the_words_that_cut_it() -> None:
    tale = asked()
    tale.replies(ANSWER, turn="a1", answers="p1", at_s=4.0, heard_s=1.6)
    tale.says("Stop.", turn="p2", from_s=3.9, to_s=5.8, interrupts="a1")

    turns = read(tale).turns

    assert [turn.turn_id for turn in turns] == ["p1", "a1", "p2"]
    assert turns[1].text == "The capital of"
    assert turns[1].generated_text == ANSWER


def test_given_a_listener_who_vanished_then_no_word_is_shown_as_heard() -> None:
    tale = asked()
    segment = tale.generates(ANSWER, turn="a1", answers="p1")
    tale.voices(segment)
    tale.starts(segment, at_s=4.0)
    tale.plays(segment, 3.0, listener_present=False)

    turn = read(tale).turns[1]

    assert turn.delivery is not None
    assert (turn.text, turn.delivery.state, turn.delivery.how) == (
        "",
        DeliveryState.UNKNOWN,
        How.VANISHED,
    )


def test_given_a_replaced_reply_then_it_is_shown_only_when_all_is_asked_for() -> None:
    tale = asked()
    first = tale.generates("Well", turn="a1", answers="p1", complete=False)
    tale.record(tale.ledger.superseded(first, tale.contents[-1].ref))
    tale.replies(ANSWER, turn="a2", answers="p1", at_s=4.0)

    kept, every = read(tale).turns, read(tale, everything=True).turns

    assert [turn.turn_id for turn in kept] == ["p1", "a2"]
    assert [(turn.turn_id, turn.supersedes) for turn in every] == [
        ("p1", None),
        ("a1", None),
        ("a2", "a1"),
    ]
    assert tale.ledger.phase(first) is Phase.SUPERSEDED


def test_given_erased_words_then_their_number_stands_there() -> None:
    tale = asked()
    tale.replies(ANSWER, turn="a1", answers="p1", at_s=4.0)

    turns = transcript(tale.envelopes(), {}, perceiver=None).turns

    assert [turn.text for turn in turns] == ["[erased, 6 words]", "[erased, 6 words]"]


def test_given_somebody_who_came_later_then_they_read_only_what_they_could_perceive() -> None:
    tale = asked()
    tale.replies(ANSWER, turn="a1", answers="p1", at_s=4.0)
    tale.joins(BEN)
    tale.says("And of Spain?", turn="p2", from_s=8.0, to_s=9.0)
    tale.replies("Madrid.", turn="a2", answers="p2", at_s=10.0)

    assert [turn.turn_id for turn in read(tale, perceiver=BEN).turns] == ["p2", "a2"]
    assert len(read(tale, perceiver=ANNA).turns) == 4


def test_given_a_typed_message_then_it_is_a_turn_with_its_channel() -> None:
    tale = Tale()
    tale.joins(ANNA)
    tale.says("hello", turn="p1", from_s=1.0, to_s=1.0, channel=Channel.TEXT)

    assert read(tale).turns[0].channel == "text"


def test_given_a_reply_in_two_segments_then_it_is_one_turn() -> None:
    tale = asked()
    tale.replies("Let me see.", turn="a1", answers="p1", at_s=4.0)
    tale.replies("It is Lisbon.", turn="a1", answers="p1", at_s=6.0, heard_s=1.0)

    turn = read(tale).turns[1]

    assert turn.delivery is not None
    assert turn.text == "Let me see. It is"
    assert turn.delivery.state is DeliveryState.PARTIAL
    assert turn.delivery.heard_s == 2.5


def test_given_a_segment_still_playing_then_it_is_pending_with_what_was_heard_so_far() -> None:
    tale = asked()
    segment = tale.generates(ANSWER, turn="a1", answers="p1")
    tale.voices(segment)
    tale.starts(segment, at_s=4.0)
    tale.record(tale.ledger.progressed(segment, 1.0))

    turn = read(tale).turns[1]

    assert turn.delivery is not None
    assert (turn.text, turn.delivery.state, turn.delivery.of_s) == (
        "The capital",
        DeliveryState.PENDING,
        None,
    )


def test_content_ids_are_those_of_what_is_shown() -> None:
    tale = asked()
    tale.replies(ANSWER, turn="a1", answers="p1", at_s=4.0)

    texts = [tale.texts()[content_id] for content_id in content_ids(tale.envelopes())]

    assert texts == [QUESTION, ANSWER]


def test_given_no_entrance_of_the_avatar_then_its_speech_tells_who_it_is() -> None:
    tale = asked()
    tale.replies(ANSWER, turn="a1", answers="p1", at_s=4.0)
    without = [e for e in tale.envelopes() if not getattr(e.fact, "is_avatar", False)]

    assert transcript(without, tale.texts(), perceiver=None).turns[1].participant_id == AVATAR
