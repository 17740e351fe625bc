"""Ears, voice and mind in LiveKit's own session, with nothing of ours around them.

A microphone and a loudspeaker stand in for the room. Time is real.
"""

import asyncio
import itertools
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import numpy as np
import pytest
from livekit import rtc
from livekit.agents import Agent, AgentSession, UserInputTranscribedEvent
from livekit.agents.types import TimedString
from livekit.agents.voice.io import AudioInput, AudioOutput, AudioOutputCapabilities, TextOutput
from numpy.typing import NDArray
from typing_extensions import override

from agent.local.recogniser import Recogniser
from agent.local.synthesiser import RATE_HZ, Synthesiser
from agent.worker.plugins.hearing import LocalSTT
from agent.worker.plugins.speaking import LocalTTS
from agent.worker.plugins.thinking import LocalLLM
from tests.models import KEY, ModelServer, agreement, for_ears

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]
QUESTION = "What is the capital of France?"
FRAME = RATE_HZ // 50


class Microphone(AudioInput):
    """Plays what is put before it, at the pace of speech, and silence otherwise."""

    def __init__(self) -> None:
        super().__init__(label="microphone")
        self._sound: list[NDArray[np.int16]] = []

    def hear(self, pcm: NDArray[np.int16]) -> None:
        self._sound += [pcm[at : at + FRAME] for at in range(0, len(pcm) - FRAME + 1, FRAME)]

    @override
    async def __anext__(self) -> rtc.AudioFrame:
        await asyncio.sleep(0.02)
        piece = self._sound.pop(0) if self._sound else np.zeros(FRAME, np.int16)
        return rtc.AudioFrame(piece.tobytes(), RATE_HZ, 1, FRAME)


class Loudspeaker(AudioOutput):
    """Plays everything at once and keeps it."""

    def __init__(self) -> None:
        super().__init__(
            label="loudspeaker",
            capabilities=AudioOutputCapabilities(pause=False),
            sample_rate=RATE_HZ,
        )
        self.pcm = np.zeros(0, np.int16)
        self.silent = asyncio.Event()
        """Set when something was played to its end."""
        self._segment_s = 0.0

    @override
    async def capture_frame(self, frame: rtc.AudioFrame) -> None:
        await super().capture_frame(frame)
        if not self._segment_s:
            self.on_playback_started(created_at=0.0)
        self._segment_s += frame.duration
        self.pcm = np.concatenate([self.pcm, np.frombuffer(frame.data, np.int16)])

    @override
    def flush(self) -> None:
        super().flush()
        self._finish(interrupted=False)

    @override
    def clear_buffer(self) -> None:
        self._finish(interrupted=True)

    def _finish(self, *, interrupted: bool) -> None:
        if self._segment_s:
            played_s, self._segment_s = self._segment_s, 0.0
            self.on_playback_finished(playback_position=played_s, interrupted=interrupted)
            self.silent.set()


class Subtitles(TextOutput):
    """Keeps the words of the reply as they come."""

    def __init__(self) -> None:
        super().__init__(label="subtitles", next_in_chain=None)
        self.words: list[str] = []

    @override
    async def capture_text(self, text: str) -> None:
        self.words.append(text)

    @override
    def flush(self) -> None:
        """Nothing is held back."""


class Room:
    """What a session hears and where it speaks."""

    def __init__(self) -> None:
        self.microphone = Microphone()
        self.loudspeaker = Loudspeaker()
        self.subtitles = Subtitles()
        self.heard: list[UserInputTranscribedEvent] = []


@asynccontextmanager
async def talking(
    recogniser: Recogniser, synthesiser: Synthesiser, server: ModelServer
) -> AsyncGenerator[tuple[Room, AgentSession[None]]]:
    mind = LocalLLM(
        base_url=server.base_url,
        api_key=KEY,
        context_tokens=1_024,
        reply_tokens=24,
        temperature=0.0,
    )
    room = Room()
    session = AgentSession[None](
        stt=LocalSTT(recogniser),
        llm=mind,
        tts=LocalTTS(synthesiser),
        turn_handling={"turn_detection": "vad", "interruption": {"mode": "vad"}},
        use_tts_aligned_transcript=True,
        aec_warmup_duration=None,
    )
    session.input.audio = room.microphone
    session.output.audio = room.loudspeaker
    session.output.transcription = room.subtitles
    session.on("user_input_transcribed", room.heard.append)
    await session.start(Agent(instructions="You are a friendly companion. Be brief."), record=False)
    try:
        yield room, session
    finally:
        await session.aclose()
        await mind.aclose()


async def test_given_a_plain_session_when_asked_aloud_then_it_hears_answers_and_speaks_in_time(
    recogniser: Recogniser, synthesiser: Synthesiser, model_server: ModelServer
) -> None:
    async with talking(recogniser, synthesiser, model_server) as (room, session):
        room.microphone.hear(synthesiser.speak(QUESTION).pcm)
        async with asyncio.timeout(60):
            await room.loudspeaker.silent.wait()
            await session.wait_for_idle()

    asked, answered = [item for item in session.history.items if item.type == "message"]
    reply = answered.text_content or ""
    assert (asked.role, answered.role) == ("user", "assistant")
    assert agreement(QUESTION, asked.text_content or "") >= 0.8
    assert any(not event.is_final for event in room.heard)
    assert "Paris" in reply
    aloud = recogniser.transcribe(for_ears(room.loudspeaker.pcm)).text
    assert agreement(reply, aloud) >= 0.7

    timed = [word for word in room.subtitles.words if isinstance(word, TimedString)]
    length_s = len(room.loudspeaker.pcm) / RATE_HZ
    assert "".join(room.subtitles.words).split() == reply.split()
    assert len(timed) >= len(reply.split())
    for word, following in itertools.pairwise(timed):
        assert isinstance(word.start_time, float)
        assert isinstance(word.end_time, float)
        assert isinstance(following.start_time, float)
        assert word.start_time <= word.end_time <= length_s
        assert word.end_time <= following.start_time + 1e-6
