"""What is being said is read by the local model while it is said.

Reading is the slow part of a first word: ten tokens take as long as five words of an answer. Read
ahead, the reply before and the first words of a turn need not be read when it is over. Nothing is
answered and nothing kept: it is the prompt that will be asked, as far as it is known.
"""

import asyncio
from typing import Protocol

from livekit.agents import llm

from agent.conversation.conversation import Conversation
from agent.worker.companion import chat_context
from policy.errors import PolicyDenied
from trail.ids import ParticipantId

WORTH_WORDS = 4
"""New words for which the model is asked again: fewer are read as fast at the end, and a reading
that has begun has to be waited for."""


class Reader(Protocol):
    """A model that remembers what it has read: a `LocalLLM`."""

    @property
    def has_own_slot(self) -> bool:
        """Whether what it reads drives no other conversation out."""
        ...

    async def warm(self, chat_ctx: llm.ChatContext) -> None:
        """Read a prompt."""
        ...


class ReadAhead:
    """Keeps one conversation's model up to what is being said."""

    def __init__(self, conversation: Conversation, model: Reader) -> None:
        self._talk = conversation
        self._model = model
        self._said: list[str] = []
        self._saying = ""
        self._read_words = -WORTH_WORDS
        self._news = asyncio.Event()

    def heard(self, words: str, *, is_final: bool) -> None:
        """Take in words of the turn that is going on; interim ones replace each other."""
        if is_final:
            self._said.append(words)
            self._saying = ""
            return
        self._saying = words
        if len(self._words.split()) >= self._read_words + WORTH_WORDS:
            self._news.set()

    def committed(self) -> None:
        """Note that the turn has become part of the conversation."""
        self._said, self._saying = [], ""
        self._read_words = -WORTH_WORDS
        self._news.clear()

    async def run(self) -> None:
        """Read what every prompt begins with, then what is said, until cancelled."""
        await self._read()
        while True:
            await self._news.wait()
            self._news.clear()
            # what was heard of a turn in the air changes with every word
            if self._model.has_own_slot and self._talk.mouth.turn_in_the_air() is None:
                self._read_words = len(self._words.split())
                await self._read()

    @property
    def _words(self) -> str:
        return " ".join(filter(None, [*self._said, self._saying]))

    async def _read(self) -> None:
        talk = self._talk
        try:
            talk.permission.to_think(ParticipantId(talk.cast.scene.owner), talk.cast.thinking)
        except PolicyDenied:
            return
        await self._model.warm(chat_context(talk.prompt([("", self._words)])))
