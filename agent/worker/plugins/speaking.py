"""A LiveKit voice over the local synthesiser; usable in a plain AgentSession.

Word times come with the audio (``aligned_transcript``), and each word carries its phonemes for the
face. A sentence is spoken as soon as its end is known. A text with nothing to say aloud (an emoji)
gives a breath of silence, because the framework takes no sound at all for a failure.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from livekit.agents import tts
from livekit.agents.types import (
    DEFAULT_API_CONNECT_OPTIONS,
    NOT_GIVEN,
    APIConnectOptions,
    NotGivenOr,
    TimedString,
)
from typing_extensions import override

from agent.local.synthesiser import RATE_HZ, Spoken, Synthesiser
from agent.speech.sentences import Sentences
from trail.ids import uuid7

BREATH_S = 0.02
Phoneme = tuple[str, float, float]


class SpokenWord(TimedString):
    """A word with its times and those of its phonemes, in seconds from the first sample."""

    phonemes: tuple[Phoneme, ...]

    def __new__(
        cls,
        text: str,
        start_time: NotGivenOr[float] = NOT_GIVEN,
        end_time: NotGivenOr[float] = NOT_GIVEN,
        confidence: NotGivenOr[float] = NOT_GIVEN,
        start_time_offset: NotGivenOr[float] = NOT_GIVEN,
        speaker_id: str | None = None,
        *,
        phonemes: tuple[Phoneme, ...] = (),
    ) -> "SpokenWord":
        """Return a word; the phonemes' times have the same origin as the word's."""
        word = super().__new__(
            cls, text, start_time, end_time, confidence, start_time_offset, speaker_id
        )
        assert isinstance(word, SpokenWord)
        word.phonemes = phonemes
        return word


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a character speaks: factors on the voice's own pitch, range, pace and loudness."""

    pitch: float = 1.0
    speed: float = 1.0
    pitch_range: float = 1.0
    gain: float = 1.0


class LocalTTS(tts.TTS[str]):
    """The voice of one character."""

    def __init__(
        self,
        synthesiser: Synthesiser,
        *,
        pitch: float = 1.0,
        speed: float = 1.0,
        pitch_range: float = 1.0,
        gain: float = 1.0,
    ) -> None:
        """Speak with a synthesiser that many rooms may share."""
        super().__init__(
            capabilities=tts.TTSCapabilities(streaming=True, aligned_transcript=True),
            sample_rate=RATE_HZ,
            num_channels=1,
        )
        self._synthesiser = synthesiser
        self.manner = Manner(pitch=pitch, speed=speed, pitch_range=pitch_range, gain=gain)

    @property
    @override
    def model(self) -> str:
        return "hibari-heart"

    @property
    @override
    def provider(self) -> str:
        return "local"

    @override
    def synthesize(
        self, text: str, *, conn_options: APIConnectOptions = DEFAULT_API_CONNECT_OPTIONS
    ) -> tts.ChunkedStream:
        return _WholeText(self, text, conn_options)

    @override
    def stream(
        self, *, conn_options: APIConnectOptions = DEFAULT_API_CONNECT_OPTIONS
    ) -> tts.SynthesizeStream:
        return _AsWritten(self, conn_options)

    async def say(self, sentence: str) -> Spoken:
        """Return the sound of one sentence; the work is done in a thread."""
        manner = self.manner
        return await asyncio.to_thread(
            self._synthesiser.speak,
            sentence,
            pitch=manner.pitch,
            speed=manner.speed,
            pitch_range=manner.pitch_range,
            gain=manner.gain,
        )


class _Utterance:
    """Sentences on their way into one emitter, on one time line."""

    def __init__(self, voice: LocalTTS, emitter: tts.AudioEmitter) -> None:
        self._voice = voice
        self._emitter = emitter
        self._length_s = 0.0

    async def say(self, sentence: str) -> None:
        spoken = await self._voice.say(sentence)
        for word in words_of(spoken, self._length_s):
            self._emitter.push_timed_transcript(word)
        if spoken.pcm.size:
            self._emitter.push(spoken.pcm.tobytes())
            self._length_s += spoken.duration_s

    def breathe(self) -> None:
        """Be silent for a moment if nothing was said."""
        if not self._length_s:
            self._emitter.push(bytes(int(BREATH_S * RATE_HZ) * 2))


class _WholeText(tts.ChunkedStream):
    def __init__(self, voice: LocalTTS, text: str, conn_options: APIConnectOptions) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType] - TTS is generic, bare there
            tts=voice, input_text=text, conn_options=conn_options
        )
        self._voice = voice

    @override
    async def _run(self, output_emitter: tts.AudioEmitter) -> None:
        output_emitter.initialize(
            request_id=uuid7(), sample_rate=RATE_HZ, num_channels=1, mime_type="audio/pcm"
        )
        utterance = _Utterance(self._voice, output_emitter)
        splitter = Sentences(early_clause=False)
        for sentence in (*splitter.push(self.input_text), *splitter.end()):
            await utterance.say(sentence)
        utterance.breathe()
        output_emitter.flush()


class _AsWritten(tts.SynthesizeStream):
    def __init__(self, voice: LocalTTS, conn_options: APIConnectOptions) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType] - TTS is generic, bare there
            tts=voice, conn_options=conn_options
        )
        self._voice = voice

    @override
    async def _run(self, output_emitter: tts.AudioEmitter) -> None:
        request = uuid7()
        output_emitter.initialize(
            request_id=request,
            sample_rate=RATE_HZ,
            num_channels=1,
            mime_type="audio/pcm",
            stream=True,
        )
        output_emitter.start_segment(segment_id=request)
        utterance = _Utterance(self._voice, output_emitter)
        splitter = Sentences()
        async for piece in self._input_ch:
            self._mark_started()
            ready = splitter.push(piece) if isinstance(piece, str) else splitter.end()
            for sentence in ready:
                await utterance.say(sentence)
        for sentence in splitter.end():
            await utterance.say(sentence)
        utterance.breathe()
        output_emitter.end_segment()


def words_of(spoken: Spoken, offset_s: float = 0.0) -> Iterable[SpokenWord]:
    """Yield the words of a sentence, each followed by a space, with the phonemes up to the next.

    The first word also carries what sounds before it, so that no phoneme is lost.
    """
    starts = [word.start_s for word in spoken.words]
    for index, word in enumerate(spoken.words):
        begin = 0.0 if index == 0 else word.start_s
        end = starts[index + 1] if index + 1 < len(starts) else float("inf")
        yield SpokenWord(
            f"{word.text} ",
            start_time=offset_s + word.start_s,
            end_time=offset_s + word.end_s,
            phonemes=tuple(
                (phoneme.text, offset_s + phoneme.start_s, offset_s + phoneme.end_s)
                for phoneme in spoken.phonemes
                if begin <= phoneme.start_s < end
            ),
        )
