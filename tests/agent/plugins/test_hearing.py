"""The streaming ears, with sound from the local voice."""

import asyncio
import threading
from collections.abc import Sequence

import numpy as np
import pytest
from livekit import rtc
from livekit.agents import stt
from numpy.typing import NDArray
from typing_extensions import override

from agent.local.recogniser import Recognised, Recogniser, Samples
from agent.local.synthesiser import Synthesiser
from agent.worker.plugins.hearing import LocalSTT
from tests.models import agreement

pytestmark = pytest.mark.anyio
FINAL, INTERIM = stt.SpeechEventType.FINAL_TRANSCRIPT, stt.SpeechEventType.INTERIM_TRANSCRIPT
RATE_HZ = 24_000
QUIET = np.zeros(RATE_HZ // 2, np.int16)


class CountingEars:
    """Understands everything at once; counts, and notices two decodings at the same time."""

    def __init__(self) -> None:
        self.lengths: list[int] = []
        self.overlapped = False
        self._one = threading.Lock()

    def transcribe(self, pcm: Samples) -> Recognised:
        if not self._one.acquire(blocking=False):
            self.overlapped = True
        else:
            self._one.release()
        with self._one:
            self.lengths.append(len(pcm))
        return Recognised(text=f"words {len(pcm)}", confidence=0.9, no_speech=0.0)


def at_rate(pcm: NDArray[np.int16], rate_hz: int) -> NDArray[np.int16]:
    at_s = np.arange(int(len(pcm) / RATE_HZ * rate_hz)) / rate_hz
    return np.interp(at_s, np.arange(len(pcm)) / RATE_HZ, pcm).astype(np.int16)


def frames(pcm: NDArray[np.int16], rate_hz: int, channels: int = 1) -> Sequence[rtc.AudioFrame]:
    step = rate_hz // 50
    return [
        rtc.AudioFrame(np.repeat(pcm[at : at + step], channels).tobytes(), rate_hz, channels, step)
        for at in range(0, len(pcm) - step + 1, step)
    ]


async def heard(
    ears: LocalSTT, pcm: NDArray[np.int16], *, rate_hz: int = RATE_HZ, channels: int = 1
) -> list[stt.SpeechEvent]:
    """Feed sound faster than it lasts, but leave time to decode, and return all events."""
    events: list[stt.SpeechEvent] = []

    async def feed(stream: stt.RecognizeStream) -> None:
        for number, frame in enumerate(frames(at_rate(pcm, rate_hz), rate_hz, channels)):
            stream.push_frame(frame)
            await asyncio.sleep(0.001 if number % 5 == 0 else 0)
        stream.end_input()

    async with ears.stream() as stream, asyncio.TaskGroup() as group:
        group.create_task(feed(stream))
        events.extend([event async for event in stream])
    return events


def texts(events: list[stt.SpeechEvent], kind: stt.SpeechEventType) -> list[str]:
    return [event.alternatives[0].text for event in events if event.type is kind]


@pytest.mark.parametrize(("rate_hz", "channels"), [(16_000, 1), (24_000, 1), (48_000, 2)])
async def test_given_speech_at_any_rate_when_it_ends_then_its_text_is_final(
    rate_hz: int, channels: int, synthesiser: Synthesiser, recogniser: Recogniser
) -> None:
    sentence = "What is the capital of Portugal?"
    pcm = np.concatenate([QUIET, synthesiser.speak(sentence).pcm, QUIET])

    events = await heard(LocalSTT(recogniser), pcm, rate_hz=rate_hz, channels=channels)

    (final,) = [event for event in events if event.type is FINAL]
    data = final.alternatives[0]
    assert agreement(sentence, data.text) >= 0.8
    assert 0.3 < data.start_time < 0.7
    assert data.start_time + 1.0 < data.end_time < len(pcm) / RATE_HZ
    assert 0 < data.confidence <= 1
    assert [event.type for event in events][-2:] == [
        stt.SpeechEventType.END_OF_SPEECH,
        stt.SpeechEventType.RECOGNITION_USAGE,
    ] or events[-1].type is stt.SpeechEventType.END_OF_SPEECH


async def test_given_two_sentences_with_a_pause_when_heard_then_finals_are_increments(
    synthesiser: Synthesiser, recogniser: Recogniser
) -> None:
    said = ("My name is Ada.", "I live near the harbour.")
    pcm = np.concatenate([QUIET, *(p for s in said for p in (synthesiser.speak(s).pcm, QUIET))])

    finals = texts(await heard(LocalSTT(recogniser), pcm), FINAL)

    assert len(finals) == 2
    assert agreement(" ".join(said), " ".join(finals)) >= 0.8


async def test_given_noise_when_heard_then_nothing_is_said(recogniser: Recogniser) -> None:
    noise = np.random.default_rng(0).normal(0, 3_000, RATE_HZ * 3).astype(np.int16)

    assert await heard(LocalSTT(recogniser), noise) == []


async def test_given_words_that_turn_out_to_be_noise_when_it_ends_then_they_are_withdrawn(
    synthesiser: Synthesiser,
) -> None:
    class Doubting(CountingEars):
        @override
        def transcribe(self, pcm: Samples) -> Recognised:
            super().transcribe(pcm)
            text = "perhaps a word" if len(self.lengths) == 1 else ""
            return Recognised(text=text, confidence=0.9, no_speech=0.0)

    pcm = np.concatenate([QUIET, synthesiser.speak("Tell me a long story, please.").pcm, QUIET])

    events = await heard(LocalSTT(Doubting()), pcm)

    assert texts(events, FINAL) == []
    assert texts(events, INTERIM) == ["perhaps a word", ""]


async def test_given_quick_ears_when_somebody_speaks_then_interims_come_and_the_end_needs_no_work(
    synthesiser: Synthesiser,
) -> None:
    ears = CountingEars()
    sentence = synthesiser.speak("Please tell me a long story about the sea and the harbour").pcm

    events = await heard(LocalSTT(ears), np.concatenate([QUIET, sentence, QUIET]))

    spoken_s = len(sentence) / RATE_HZ
    assert len(texts(events, INTERIM)) >= spoken_s / 0.5 - 2
    assert texts(events, FINAL)
    assert len(ears.lengths) == len(texts(events, INTERIM)) + len(texts(events, FINAL))
    assert not ears.overlapped


async def test_given_speech_when_flushed_then_the_final_text_comes_without_waiting_for_silence(
    synthesiser: Synthesiser,
) -> None:
    ears = CountingEars()
    pcm = synthesiser.speak("What is the capital of Portugal?").pcm[: RATE_HZ * 3 // 2]

    async with LocalSTT(ears).stream() as stream:
        for frame in frames(pcm, RATE_HZ):
            stream.push_frame(frame)
        stream.flush()
        kinds: list[stt.SpeechEventType] = []
        async for event in stream:
            kinds.append(event.type)
            if event.type is FINAL:
                break

    assert kinds[-1] is FINAL


async def test_given_two_people_at_once_when_heard_by_the_same_ears_then_they_do_not_mix(
    synthesiser: Synthesiser, recogniser: Recogniser
) -> None:
    ears = LocalSTT(recogniser)
    said = ("What is the capital of Portugal?", "The train leaves at seven in the morning.")
    sounds = [np.concatenate([QUIET, synthesiser.speak(s).pcm, QUIET]) for s in said]

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(heard(ears, sound)) for sound in sounds]

    for sentence, task in zip(said, tasks, strict=True):
        assert agreement(sentence, " ".join(texts(task.result(), FINAL))) >= 0.8
