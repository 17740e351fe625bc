"""What is asked fits what the model can read."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from livekit.agents.llm import ChatContext, ChatMessage, FunctionCall, FunctionCallOutput

from agent.worker.plugins.context_window import ITEM_TOKENS, ContextWindow

pytestmark = pytest.mark.anyio
ROOM = 1_000


async def count(text: str) -> int:
    """Count a token a word."""
    return len(text.split())


def total(context: ChatContext) -> int:
    return sum(len((text_of(item)).split()) + ITEM_TOKENS for item in context.items)


def text_of(item: object) -> str:
    assert isinstance(item, ChatMessage)
    return item.raw_text_content or ""


def conversation(*lengths: int, instructions: int = 50) -> ChatContext:
    context = ChatContext.empty()
    context.add_message(role="system", content="be " * instructions)
    for number, length in enumerate(lengths):
        context.add_message(role="assistant" if number % 2 else "user", content="word " * length)
    return context


@given(st.lists(st.integers(1, 3_000), min_size=1, max_size=30), st.integers(1, 3_000))
async def test_whatever_is_asked_fits_and_keeps_instructions_and_the_newest(
    lengths: list[int], instructions: int
) -> None:
    context = conversation(*lengths, instructions=instructions)

    fitted = await ContextWindow(count, tokens=ROOM).fit(context)

    assert total(fitted) <= ROOM
    assert fitted.items[0].id == context.items[0].id
    assert fitted.items[-1].id == context.items[-1].id


async def test_given_a_conversation_that_fits_when_asked_then_nothing_is_changed() -> None:
    context = conversation(10, 20, 30)

    fitted = await ContextWindow(count, tokens=ROOM).fit(context)

    assert [item.id for item in fitted.items] == [item.id for item in context.items]


async def test_given_a_growing_conversation_when_cut_then_its_beginning_stays_for_many_turns() -> (
    None
):
    window = ContextWindow(count, tokens=ROOM)
    context = conversation()
    beginnings: list[str] = []
    for number in range(60):
        context.add_message(role="assistant" if number % 2 else "user", content="word " * 30)
        beginnings.append((await window.fit(context)).items[1].id)

    changes = sum(a != b for a, b in pairwise(beginnings))
    assert changes <= 6


async def test_given_somebody_waits_then_short_texts_are_not_counted_and_all_fits() -> None:
    counted: list[str] = []

    async def counting(text: str) -> int:
        counted.append(text)
        return len(text.split())

    window = ContextWindow(counting, tokens=ROOM)
    context = conversation(5, 5, 200)

    fitted = await window.fit(context, hurried=True)

    assert counted == ["word " * 200]
    assert [item.id for item in fitted.items] == [item.id for item in context.items]
    context.add_message(role="user", content="word " * 70)
    await window.fit(context)
    assert len(counted) == 4


async def test_given_a_huge_message_when_asked_then_its_ends_are_kept_and_the_cut_is_told() -> None:
    context = conversation()
    context.add_message(role="user", content="first " + "word " * 50_000 + "last")

    fitted = await ContextWindow(count, tokens=ROOM).fit(context)

    text = text_of(fitted.items[-1])
    assert text.startswith("first")
    assert text.endswith("last")
    assert "left out" in text


async def test_given_a_tool_call_when_old_items_go_then_no_answer_stands_without_its_call() -> None:
    context = conversation(100, 100)
    context.insert(FunctionCall(call_id="c", name="look", arguments="{}"))
    context.insert(FunctionCallOutput(call_id="c", name="look", output="x " * 300, is_error=False))
    for _ in range(6):
        context.add_message(role="user", content="word " * 90)

    fitted = await ContextWindow(count, tokens=ROOM).fit(context)

    assert isinstance(fitted.items[1], ChatMessage)
