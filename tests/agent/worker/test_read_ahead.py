"""What the model reads while somebody speaks."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from livekit.agents import llm

from agent.conversation.cast import Engine
from agent.worker.read_ahead import ReadAhead
from policy.requests import Provider
from tests.agent.conversation.talks import Talk

pytestmark = pytest.mark.anyio


class Notes:
    """Reads at once and writes down the last words of what it read."""

    def __init__(self, *, has_own_slot: bool = True) -> None:
        self.has_own_slot = has_own_slot
        self.read: list[str] = []

    async def warm(self, chat_ctx: llm.ChatContext) -> None:
        last = chat_ctx.items[-1]
        assert isinstance(last, llm.ChatMessage)
        self.read.append(last.text_content or "" if last.role == "user" else last.role)


@asynccontextmanager
async def reading(ahead: ReadAhead) -> AsyncIterator[None]:
    async with asyncio.TaskGroup() as group:
        task = group.create_task(ahead.run())
        await settled()
        yield
        await settled()
        task.cancel()


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def say(ahead: ReadAhead, *interims: str) -> None:
    for words in interims:
        ahead.heard(words, is_final=False)
        await settled()


async def test_given_somebody_who_speaks_then_it_is_read_every_few_words() -> None:
    notes = Notes()
    ahead = ReadAhead(Talk().conversation, notes)

    async with reading(ahead):
        await say(ahead, "What", "What is the", "What is the big", "What is the big old")

    assert notes.read == ["system", "What", "What is the big old"]


async def test_given_a_pause_in_a_turn_then_what_was_said_before_it_is_read_too() -> None:
    notes = Notes()
    ahead = ReadAhead(Talk().conversation, notes)

    async with reading(ahead):
        await say(ahead, "One")
        ahead.heard("One moment.", is_final=True)
        await say(ahead, "Where was I then")
        ahead.committed()
        await say(ahead, "Next")

    assert notes.read == ["system", "One", "One moment. Where was I then", "Next"]


async def test_given_more_conversations_than_slots_then_only_the_beginning_is_read() -> None:
    notes = Notes(has_own_slot=False)
    ahead = ReadAhead(Talk().conversation, notes)

    async with reading(ahead):
        await say(ahead, "What is the capital of Portugal")

    assert notes.read == ["system"]


async def test_given_the_avatar_speaks_then_words_over_it_are_not_read() -> None:
    notes = Notes()
    stage = Talk()
    ahead = ReadAhead(stage.conversation, notes)
    stage.playing = (stage.conversation.speak("speech-1").segment, 0.5, True)

    async with reading(ahead):
        await say(ahead, "Stop that now please")

    assert notes.read == ["system"]


async def test_given_words_that_may_not_reach_the_model_then_nothing_is_read() -> None:
    notes = Notes()
    away = Engine(provider=Provider(name="cloud", is_local=False), model="big")
    ahead = ReadAhead(Talk(thinking=away).conversation, notes)

    async with reading(ahead):
        await say(ahead, "What is the capital of Portugal")

    assert notes.read == []
