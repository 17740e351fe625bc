"""The LiveKit agent of a conversation: what the model reads, and how its words become sound.

LiveKit keeps a history of its own, of what it believes was said. It is not used: the prompt is
made from the conversation, which holds what was heard. Speech leaves here, at one point, a
sentence at a time and at most one ahead of the one being played.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, Sequence
from typing import Any

from livekit import rtc
from livekit.agents import Agent, APIError, FlushSentinel, ModelSettings, llm, stt, tts
from livekit.agents.voice import agent_activity
from typing_extensions import override

from agent.conversation.conversation import Conversation
from agent.conversation.saying import Saying, Sentence
from agent.speech.alignment import speakable
from agent.speech.history import Line
from agent.speech.release import may_release
from agent.speech.sentences import Sentences
from agent.worker.utterance import SentenceAudio
from policy.errors import PolicyDenied
from trail.events.generation import Role
from trail.ids import ParticipantId

LOOK_AGAIN_S = 0.05
"""How often a waiting sentence looks whether it may leave; a twentieth of the shortest one."""


ENTER_EVERY_S = 1.0
"""A voice that takes longer over a sentence is entered in steps, or a cut would lose its words."""


DEAF_AT_FIRST_S = 0.5
DEAF_AT_MOST_S = 30.0
"""Pauses before a failed recogniser is tried again, doubling from the first to the last."""


class Companion(Agent):
    """Thinks with the conversation's prompt and speaks through the release point."""

    def __init__(
        self,
        conversation: Conversation,
        *,
        thinker: llm.LLM[Any],
        voice: tts.TTS[Any],
        instructions: str,
        sentences_at_most: int,
        output_rate_hz: int,
    ) -> None:
        # the framework leaves type parameters of its own out
        super().__init__(instructions=instructions)  # pyright: ignore[reportUnknownMemberType]
        self._conversation = conversation
        self._thinker = thinker
        self._voice = voice
        self._sentences_at_most = sentences_at_most
        self._output_rate_hz = output_rate_hz

    @override
    async def stt_node(
        self, audio: AsyncIterable[rtc.AudioFrame], model_settings: ModelSettings
    ) -> AsyncGenerator[stt.SpeechEvent, None]:
        """Yield what is recognised. A recogniser that fails is started again, ever more patiently.

        The framework would stay deaf after the first unrecoverable error.
        """
        failures = 0
        while True:
            try:
                async for event in Agent.default.stt_node(
                    self, self.permitted(audio), model_settings
                ):
                    failures = 0
                    yield event
            except APIError as error:
                self._conversation.provider_failed(Role.HEARING, error, recovered=False)
            else:
                return
            await asyncio.sleep(min(DEAF_AT_MOST_S, DEAF_AT_FIRST_S * 2**failures))
            failures += 1

    async def permitted(
        self, audio: AsyncIterable[rtc.AudioFrame]
    ) -> AsyncGenerator[rtc.AudioFrame, None]:
        """Yield the frames that may be captured and recognised; the rest reaches no recogniser.

        Asked frame by frame, which a standing decision makes cheap, so that a change of audience
        or consent holds from the next frame on.
        """
        talk = self._conversation
        owner = ParticipantId(talk.cast.scene.owner)
        refused = False
        async for frame in audio:
            if owner not in talk.presence.people:
                continue
            try:
                talk.permission.to_hear(owner, talk.cast.hearing)
            except PolicyDenied:
                if not refused:
                    talk.live.say("notice", code="not_heard", values={"participant_id": owner})
                refused = True
            else:
                refused = False
                yield frame

    @override
    async def llm_node(
        self, chat_ctx: llm.ChatContext, tools: list[llm.Tool], model_settings: ModelSettings
    ) -> AsyncGenerator[llm.ChatChunk | str | FlushSentinel, None]:
        """Yield the reply to the conversation as it was heard, plus what was said just now."""
        talk = self._conversation
        saying = talk.prepare(_speech_id())
        try:
            talk.permission.to_think(saying.listeners.addressee, talk.cast.thinking)
        except PolicyDenied:
            saying.extend(refusal := talk.refusal())
            yield refusal
            return
        prompt = chat_context(talk.prompt(_spoken_by_people(chat_ctx)))
        cap = SentenceCap(self._sentences_at_most)
        try:
            async with self._thinker.chat(chat_ctx=prompt, tools=[]) as stream:
                async for chunk in stream:
                    if chunk.delta and chunk.delta.content:
                        saying.first_token_s = saying.first_token_s or talk.now_s()
                        text = cap.take(chunk.delta.content)
                        saying.extend(text)
                        yield text
                        if cap.reached:
                            break
            # Known in full before it is spoken: recorded now, it outlives this process.
            saying.generated(complete=True)
        except APIError as error:
            talk.provider_failed(Role.THINKING, error, recovered=False)
            if saying.first_token_s is None:
                saying.extend(apology := talk.apology())
                yield apology
            else:
                saying.generated(complete=False)

    @override
    async def tts_node(
        self, text: AsyncIterable[str], model_settings: ModelSettings
    ) -> AsyncGenerator[rtc.AudioFrame, None]:
        """Yield the audio of ``text``, sentence by sentence, as the release point lets it go."""
        talk = self._conversation
        saying = talk.speak(_speech_id())
        complete = False
        try:
            async for sentence in self._sentences(text, saying):
                await self._released(saying, sentence.index)
                talk.permission.to_speak(saying.listeners.addressee, talk.cast.speaking)
                async for frame in self._spoken(sentence, saying):
                    yield frame
            complete = True
        except PolicyDenied:
            saying.fail()
        except APIError as error:
            talk.provider_failed(Role.SPEAKING, error, recovered=False)
            saying.fail()
        finally:
            saying.generated(complete=complete)

    async def _sentences(
        self, text: AsyncIterable[str], saying: Saying
    ) -> AsyncGenerator[Sentence, None]:
        """Yield sentences with their character range in the generated text."""
        splitter = Sentences()
        cursor = count = 0
        async for piece in text:
            if not saying.has_model:
                saying.extend(piece)
            for sentence in splitter.push(piece):
                yield Sentence(index=count, text=sentence, start=cursor)
                cursor += len(sentence)
                count += 1
        for sentence in splitter.end():
            yield Sentence(index=count, text=sentence, start=cursor)
            cursor += len(sentence)
            count += 1

    async def _released(self, saying: Saying, index: int) -> None:
        """Wait until the sentence with this index may leave."""
        while not may_release(index, saying.playing_index()):  # noqa: ASYNC110 - time is the event
            await asyncio.sleep(LOOK_AGAIN_S)

    async def _spoken(
        self, sentence: Sentence, saying: Saying
    ) -> AsyncGenerator[rtc.AudioFrame, None]:
        """Yield the frames of one sentence and say what was voiced when."""
        audio = SentenceAudio(saying.segment, start_s=saying.voiced_s, rate_hz=self._output_rate_hz)
        if not speakable(sentence.text):
            saying.voiced(sentence, duration_s=0.0, words=(), whole=True)
            return
        whole, entered_at_s = False, self._conversation.now_s()
        try:
            async with self._voice.synthesize(sentence.text.strip()) as stream:
                async for event in stream:
                    saying.first_audio_s = saying.first_audio_s or self._conversation.now_s()
                    for frame in audio.frames(event.frame):
                        yield frame
                    if self._conversation.now_s() - entered_at_s >= ENTER_EVERY_S:
                        entered_at_s = self._conversation.now_s()
                        _enter(saying, sentence, audio, whole=False)
            for frame in audio.rest():
                yield frame
            whole = True
        finally:
            if audio.duration_s:
                _enter(saying, sentence, audio, whole=whole)


def _enter(saying: Saying, sentence: Sentence, audio: SentenceAudio, *, whole: bool) -> None:
    saying.voiced(sentence, duration_s=audio.duration_s, words=audio.words, whole=whole)


class SentenceCap:
    """Ends a reply after so many sentences; small models do not end by themselves."""

    def __init__(self, at_most: int) -> None:
        self._left = at_most
        self._splitter = Sentences(early_clause=False)
        self._given = 0
        self._whole = 0

    @property
    def reached(self) -> bool:
        """Whether no more may follow."""
        return self._left <= 0

    def take(self, text: str) -> str:
        """Return as much of ``text`` as may be said."""
        for sentence in self._splitter.push(text):
            self._whole += len(sentence)
            self._left -= 1
            if self.reached:
                return text[: max(0, self._whole - self._given)]
        self._given += len(text)
        return text


def _speech_id() -> str:
    """Return LiveKit's id of the speech in whose task this runs.

    A node is not told which speech it works for, and ``session.current_speech`` is another one
    while a reply is prepared ahead. The framework keeps the answer in this context variable.
    """
    spoken = agent_activity._SpeechHandleContextVar  # pyright: ignore[reportPrivateUsage]
    handle = spoken.get(None)
    return handle.id if handle is not None else ""


def chat_context(lines: Sequence[Line]) -> llm.ChatContext:
    """Return the lines of a prompt as LiveKit's models take them.

    A line has the same id in every prompt, so that whoever shortens a long conversation finds the
    place again where it began the last time.
    """
    context = llm.ChatContext.empty()
    for number, line in enumerate(lines):
        context.add_message(role=line.role, content=line.text, id=f"line{number}")
    return context


def _spoken_by_people(chat_ctx: llm.ChatContext) -> list[tuple[str, str]]:
    """Return id and text of the messages of people, in order."""
    return [
        (item.id, item.text_content or "")
        for item in chat_ctx.items
        if isinstance(item, llm.ChatMessage) and item.role == "user"
    ]
