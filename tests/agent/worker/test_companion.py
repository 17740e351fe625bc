"""How long a reply may be, and how a sentence becomes frames of the room."""

from collections.abc import AsyncGenerator
from itertools import pairwise
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from livekit import rtc
from livekit.agents import llm, tts
from livekit.agents.types import USERDATA_TIMED_TRANSCRIPT

from agent.conversation.cast import Engine
from agent.speech.history import Line
from agent.worker.companion import Companion, SentenceCap, chat_context
from agent.worker.errand import errand_of
from agent.worker.face_tap import PHONEMES
from agent.worker.plugins.speaking import SpokenWord
from agent.worker.utterance import SentenceAudio
from agent.worker.voice import SEGMENT_KEY
from policy.requests import Provider
from tests.agent.conversation.talks import ANNA, Talk
from trail.events.policy import PolicyDecided
from trail.events.session import Departure
from trail.ids import SegmentId

STORY = "It was late at night. The sea was calm and dark. Nobody was there. He slept."


@given(cuts=st.lists(st.integers(0, len(STORY)), max_size=8), at_most=st.integers(1, 6))
def test_a_capped_reply_is_a_prefix_of_the_whole_however_it_arrives(
    cuts: list[int], at_most: int
) -> None:
    cap = SentenceCap(at_most)
    places = [0, *sorted(cuts), len(STORY)]

    said = ""
    for start, end in pairwise(places):
        if cap.reached:
            break
        said += cap.take(STORY[start:end])

    assert STORY.startswith(said)
    assert cap.reached or said == STORY


def test_given_a_cap_of_one_sentence_then_nothing_of_the_second_is_said() -> None:
    cap = SentenceCap(1)

    said = cap.take(STORY)

    assert cap.reached
    assert said.strip() == "It was late at night."


@pytest.mark.parametrize("rate_hz", [24_000, 16_000])
def test_given_a_voice_of_any_rate_then_every_frame_is_labelled_and_no_time_is_lost(
    rate_hz: int,
) -> None:
    audio = SentenceAudio(SegmentId("s1"), start_s=2.0, rate_hz=24_000)
    word = SpokenWord("hello", start_time=0.1, end_time=0.4, phonemes=(("h", 0.1, 0.2),))
    frames = [
        rtc.AudioFrame(np.zeros(rate_hz // 10, np.int16).tobytes(), rate_hz, 1, rate_hz // 10)
        for _ in range(10)
    ]
    frames[0].userdata[USERDATA_TIMED_TRANSCRIPT] = [word]

    out = [part for frame in frames for part in audio.frames(frame)] + list(audio.rest())

    assert {frame.userdata[SEGMENT_KEY] for frame in out} == {"s1"}
    assert {frame.sample_rate for frame in out} == {24_000}
    assert audio.duration_s == pytest.approx(1.0, abs=0.02)
    assert [(w.text, w.start_s, w.end_s) for w in audio.words] == [("hello", 0.1, 0.4)]
    [phonemes] = [frame.userdata[PHONEMES] for frame in out if PHONEMES in frame.userdata]
    assert phonemes == (("h", 2.1, 2.2),)


def test_a_prompt_keeps_its_order_and_roles() -> None:
    lines = [Line(role="system", text="Be kind."), Line(role="user", text="Hello.")]

    context = chat_context(lines)

    assert [(item.role, item.text_content) for item in context.messages()] == [
        ("system", "Be kind."),
        ("user", "Hello."),
    ]


@pytest.mark.parametrize("metadata", ["", "[]", "null", "{}", '{"session_id": "s"}', "{"])
def test_given_a_dispatch_that_is_not_ours_then_it_is_refused(metadata: str) -> None:
    with pytest.raises(ValueError, match=r"session|Expecting"):
        errand_of(metadata)


def companion(talk: Talk) -> Companion:
    """Return LiveKit's agent of ``talk``; it neither thinks nor speaks here."""
    return Companion(
        talk.conversation,
        thinker=cast("llm.LLM[Any]", None),
        voice=cast("tts.TTS[Any]", None),
        instructions="Be kind.",
        sentences_at_most=6,
        output_rate_hz=24_000,
    )


async def sound(count: int) -> AsyncGenerator[rtc.AudioFrame]:
    for _ in range(count):
        yield rtc.AudioFrame(bytes(2_400), 24_000, 1, 1_200)


async def test_given_a_person_in_the_room_then_capture_is_decided_once_and_recorded() -> None:
    talk = Talk()

    heard = [frame async for frame in companion(talk).permitted(sound(3))]

    decided = [fact for fact in await talk.facts() if isinstance(fact, PolicyDecided)]
    assert len(heard) == 3
    assert [(d.action, d.effect) for d in decided] == [("capture", "allow"), ("egress", "allow")]


async def test_given_ears_elsewhere_without_consent_then_nothing_reaches_them() -> None:
    talk = Talk(hearing=Engine(provider=Provider(name="deepgram", is_local=False), model="m"))

    heard = [frame async for frame in companion(talk).permitted(sound(3))]

    assert heard == []
    assert [notice["code"] for notice in await talk.messages("notice")] == ["not_heard"]


async def test_given_nobody_in_the_room_then_nothing_is_captured_and_nobody_is_asked() -> None:
    talk = Talk()
    talk.conversation.left(ANNA, Departure.LEFT)

    heard = [frame async for frame in companion(talk).permitted(sound(3))]

    assert heard == []
    assert [fact for fact in await talk.facts() if isinstance(fact, PolicyDecided)] == []


def test_given_a_growing_conversation_then_its_lines_keep_their_ids() -> None:
    lines = [Line(role="system", text="Be kind."), Line(role="user", text="Hello.")]

    before = chat_context(lines)
    after = chat_context([*lines, Line(role="assistant", text="Hello, Anna.")])

    assert [item.id for item in after.items][:2] == [item.id for item in before.items]
