"""A LiveKit recogniser over the local ears; usable in a plain AgentSession.

Interim words come about every half second of speech. When a pause begins the utterance is decoded
at once and nothing said of it, so that its final text is ready when the pause has lasted long
enough to be an end: within 0.3 s of the end of speech. Noise without words gives nothing. Two
decodings never run at the same time for one stream; interim ones are skipped while another runs.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from livekit import rtc
from livekit.agents import APIConnectionError, LanguageCode, stt, utils
from livekit.agents.types import (
    DEFAULT_API_CONNECT_OPTIONS,
    NOT_GIVEN,
    APIConnectOptions,
    NotGivenOr,
)
from livekit.local_inference import VAD
from numpy.typing import NDArray
from typing_extensions import override

from agent.local.recogniser import RATE_HZ, Recognised, Samples, is_doubtful
from agent.worker.plugins.utterances import WINDOW_SAMPLES, Cue, CueKind, Pace, Utterances
from trail.clock import unix_s
from trail.errors import EarwitnessError


class Ears(Protocol):
    """What turns sound into words: a `Recogniser`."""

    def transcribe(self, pcm: Samples) -> Recognised:
        """Return the words of one utterance; blocks, may be called from any thread."""
        ...


Probability = Callable[[NDArray[np.int16]], float]
LANGUAGE = LanguageCode("en")


class LocalSTT(stt.STT[Any]):
    """Ears that many rooms may share."""

    def __init__(self, recogniser: Ears, *, pace: Pace | None = None) -> None:
        """Hear with a recogniser that is loaded once."""
        super().__init__(capabilities=stt.STTCapabilities(streaming=True, interim_results=True))
        self._recogniser = recogniser
        self._pace = pace or Pace()

    @property
    @override
    def model(self) -> str:
        return "whisper-tiny-en-int8"

    @property
    @override
    def provider(self) -> str:
        return "local"

    @override
    async def _recognize_impl(
        self,
        buffer: utils.AudioBuffer,
        *,
        language: NotGivenOr[str] = NOT_GIVEN,
        conn_options: APIConnectOptions = DEFAULT_API_CONNECT_OPTIONS,
    ) -> stt.SpeechEvent:
        pcm = samples_of(rtc.combine_audio_frames(buffer))
        heard = await asyncio.to_thread(self._recogniser.transcribe, pcm)
        data = _data(heard, 0.0, len(pcm) / RATE_HZ)
        return stt.SpeechEvent(type=stt.SpeechEventType.FINAL_TRANSCRIPT, alternatives=[data])

    @override
    def stream(
        self,
        *,
        language: NotGivenOr[str] = NOT_GIVEN,
        conn_options: APIConnectOptions = DEFAULT_API_CONNECT_OPTIONS,
    ) -> stt.RecognizeStream:
        return _Listening(self, self._recogniser, self._pace, conn_options)


class _Listening(stt.RecognizeStream):
    def __init__(
        self,
        ears: LocalSTT,
        recogniser: Ears,
        pace: Pace,
        conn_options: APIConnectOptions,
    ) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType] - STT is generic, bare there
            stt=ears, conn_options=conn_options, sample_rate=RATE_HZ
        )
        self._recogniser = recogniser
        self._pace = pace

    @override
    def push_frame(self, frame: rtc.AudioFrame) -> None:
        if frame.num_channels > 1:  # the framework's resampler would take them for one channel
            samples = mono(frame)
            frame = rtc.AudioFrame(samples.tobytes(), frame.sample_rate, 1, len(samples))
        super().push_frame(frame)

    @override
    async def _run(self) -> None:
        desk = _Desk(self._recogniser, self._tell)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(desk.run())
                await self._listen(desk)
                desk.close()
        except* EarwitnessError as failures:
            raise APIConnectionError(str(failures.exceptions[0])) from failures

    async def _listen(self, desk: "_Desk") -> None:
        utterances = Utterances(self._pace)
        probability: Probability = VAD().predict
        rest = np.zeros(0, np.int16)
        async for item in self._input_ch:
            if isinstance(item, self._FlushSentinel):
                desk.take(utterances.flush())
                continue
            rest = np.concatenate([rest, mono(item)])
            while len(rest) >= WINDOW_SAMPLES:
                window, rest = rest[:WINDOW_SAMPLES], rest[WINDOW_SAMPLES:]
                desk.take(utterances.push(window, probability(window)))
            desk.listened_s = utterances.listened_s
        desk.take(utterances.flush())

    def _tell(
        self, kind: stt.SpeechEventType, cue: Cue, heard: Recognised, behind_s: float
    ) -> None:
        start_s = self.start_time_offset + cue.start_s
        end_s = self.start_time_offset + cue.end_s
        is_final = kind is stt.SpeechEventType.FINAL_TRANSCRIPT
        self._event_ch.send_nowait(
            stt.SpeechEvent(
                type=kind,
                request_id=f"utterance-{cue.utterance}",
                alternatives=[_data(heard, start_s, end_s)],
                speech_end_time=unix_s() - behind_s if is_final else None,
            )
        )
        if is_final:
            usage = stt.RecognitionUsage(audio_duration=len(cue.pcm) / RATE_HZ)
            self._event_ch.send_nowait(
                stt.SpeechEvent(type=stt.SpeechEventType.RECOGNITION_USAGE, recognition_usage=usage)
            )


Tell = Callable[[stt.SpeechEventType, Cue, Recognised, float], None]
_NOTHING = Recognised(text="", confidence=0.0, no_speech=1.0)


class _Desk:
    """Decodes one thing at a time: ends in their order, then the latest of what is not over."""

    def __init__(self, recogniser: Ears, tell: Tell) -> None:
        self.listened_s = 0.0
        self._recogniser = recogniser
        self._tell = tell
        self._ends: deque[Cue] = deque()
        self._latest: Cue | None = None
        self._paused: tuple[Cue, Recognised] | None = None
        self._shown = ""
        self._is_free = True
        self._closed = False
        self._wake = asyncio.Event()

    def take(self, cues: list[Cue]) -> None:
        """Take in what became known; returns at once."""
        for cue in cues:
            match cue.kind:
                case CueKind.ENDED | CueKind.VANISHED:
                    self._ends.append(cue)
                    self._latest = None
                case CueKind.PAUSED:
                    self._latest = cue
                case CueKind.GROWN:
                    self._latest = cue if self._is_free else self._latest
            self._wake.set()

    def close(self) -> None:
        """Let `run` return when all ends were decoded."""
        self._closed = True
        self._wake.set()

    async def run(self) -> None:
        """Decode until closed."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            self._is_free = False
            while self._ends or self._latest:
                if self._ends:
                    await self._finish(self._ends.popleft())
                elif (cue := self._latest) is not None:
                    self._latest = None
                    await self._show(cue)
            self._is_free = True
            if self._closed:
                return

    async def _show(self, cue: Cue) -> None:
        heard = await self._decoded(cue)
        if cue.kind is CueKind.PAUSED:
            self._paused = (cue, heard)  # the final words follow at once, or more is said
            return
        is_over = any(end.utterance == cue.utterance for end in self._ends)
        if heard.text and heard.text != self._shown and not is_over and not is_doubtful(heard):
            if not self._shown:
                self._say(stt.SpeechEventType.START_OF_SPEECH, cue, heard)
            self._shown = heard.text
            self._say(stt.SpeechEventType.INTERIM_TRANSCRIPT, cue, heard)

    async def _finish(self, cue: Cue) -> None:
        heard = _NOTHING
        if cue.kind is CueKind.ENDED:
            heard = self._same_speech(cue) or await self._decoded(cue)
        if heard.text:
            if not self._shown:
                self._say(stt.SpeechEventType.START_OF_SPEECH, cue, heard)
            self._say(stt.SpeechEventType.FINAL_TRANSCRIPT, cue, heard)
            self._say(stt.SpeechEventType.END_OF_SPEECH, cue, heard)
        elif self._shown:
            self._say(stt.SpeechEventType.INTERIM_TRANSCRIPT, cue, _NOTHING)
            self._say(stt.SpeechEventType.END_OF_SPEECH, cue, heard)
        self._shown = ""
        self._paused = None

    def _same_speech(self, cue: Cue) -> Recognised | None:
        if self._paused is None:
            return None
        paused, heard = self._paused
        same = (paused.utterance, paused.revision) == (cue.utterance, cue.revision)
        return heard if same else None

    async def _decoded(self, cue: Cue) -> Recognised:
        return await asyncio.to_thread(self._recogniser.transcribe, cue.pcm)

    def _say(self, kind: stt.SpeechEventType, cue: Cue, heard: Recognised) -> None:
        self._tell(kind, cue, heard, self.listened_s - cue.end_s)


def mono(frame: rtc.AudioFrame) -> NDArray[np.int16]:
    """Return the samples of a frame, channels averaged."""
    samples = np.frombuffer(frame.data, dtype=np.int16)
    if frame.num_channels == 1:
        return samples
    averaged: NDArray[np.int16] = (
        samples.reshape(-1, frame.num_channels).mean(axis=1).astype(np.int16)
    )
    return averaged


def samples_of(frame: rtc.AudioFrame) -> Samples:
    """Return a frame as the recogniser wants it: mono, 16 kHz, -1..1."""
    samples = mono(frame)
    if frame.sample_rate != RATE_HZ:
        resampler = rtc.AudioResampler(frame.sample_rate, RATE_HZ)
        whole = rtc.AudioFrame(samples.tobytes(), frame.sample_rate, 1, len(samples))
        parts = [*resampler.push(whole), *resampler.flush()]
        samples = np.concatenate([mono(part) for part in parts] or [np.zeros(0, np.int16)])
    return samples.astype(np.float32) / 32768.0


def _data(heard: Recognised, start_s: float, end_s: float) -> stt.SpeechData:
    return stt.SpeechData(
        language=LANGUAGE,
        text=heard.text,
        start_time=start_s,
        end_time=end_s,
        confidence=heard.confidence,
    )
