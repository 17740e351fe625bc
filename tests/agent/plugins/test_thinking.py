"""The local language model as LiveKit sees it, over the real model server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from livekit.agents import APIConnectionError, APIStatusError, llm
from livekit.agents.types import APIConnectOptions

from agent.local.seats import Seats
from agent.worker.plugins.thinking import LocalLLM
from tests.models import KEY, ModelServer

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(600)]
PROMPT = "You are Ada, a friendly companion. " + "Be kind and be brief. " * 15
ONCE = APIConnectOptions(max_retry=0)


@asynccontextmanager
async def thinker(
    server: ModelServer, *, seats: Seats | None = None, key: str = KEY
) -> AsyncIterator[LocalLLM]:
    model = LocalLLM(
        base_url=server.base_url,
        api_key=key,
        context_tokens=1_024,
        reply_tokens=8,
        temperature=0.0,
        seats=seats,
    )
    try:
        yield model
    finally:
        await model.aclose()


async def answer(model: LocalLLM, context: llm.ChatContext) -> tuple[str, int]:
    """Return the reply and how many tokens of the prompt the server had to read for it."""
    text, read = "", -1
    async with model.chat(chat_ctx=context, conn_options=ONCE) as stream:
        async for chunk in stream:
            if chunk.delta and chunk.delta.content:
                text += chunk.delta.content
            if chunk.usage:
                read = chunk.usage.prompt_tokens - chunk.usage.prompt_cached_tokens
    return text, read


def conversation(*said: str) -> llm.ChatContext:
    context = llm.ChatContext.empty()
    context.add_message(role="system", content=PROMPT)
    for number, text in enumerate(said):
        context.add_message(role="assistant" if number % 2 else "user", content=text)
    return context


async def test_given_a_warm_conversation_when_asked_then_only_the_question_is_read(
    model_server: ModelServer,
) -> None:
    async with thinker(model_server) as model:
        await model.warm(conversation())

        text, read = await answer(model, conversation("What is the capital of France?"))

    assert "Paris" in text
    assert 0 < read < 40


async def test_given_words_read_ahead_when_more_was_said_then_only_the_rest_is_read(
    model_server: ModelServer,
) -> None:
    said = "I have been walking along the river all day and I would like to know one thing."
    async with thinker(model_server) as model:
        await model.warm(conversation())
        _, cold = await answer(model, conversation(f"{said} Is the sea deep?"))
        await model.warm(conversation("Hello."))
        await model.warm(conversation(said))
        _, ahead = await answer(model, conversation(f"{said} Is the sea deep?"))

    assert 0 < ahead < cold / 1.5


async def test_given_a_question_while_a_long_prompt_is_read_then_the_reading_ends(
    model_server: ModelServer,
) -> None:
    async with thinker(model_server) as model, asyncio.TaskGroup() as group:
        reading = group.create_task(model.warm(conversation("word " * 700)))
        await asyncio.sleep(0.2)
        with model.question(), model.question():
            text, _ = await answer(model, conversation("What is the capital of France?"))
            await model.warm(conversation("word " * 600))

        assert text
        assert reading.done()


async def turns(model: LocalLLM, context: llm.ChatContext, told: list[int], question: str) -> None:
    context.add_message(role="user", content=question)
    text, read = await answer(model, context)
    context.add_message(role="assistant", content=text)
    told.append(read)


@pytest.mark.parametrize(("rooms", "ratio"), [(2, 1.5), (3, 3.0)])
async def test_given_rooms_that_talk_in_turn_when_asked_then_each_finds_its_prompt_again(
    rooms: int, ratio: float, model_server: ModelServer
) -> None:
    alone: list[int] = []
    in_turn: list[int] = []
    questions = ["Is the sea deep?", "Is the moon far?", "Do birds sing?"]
    async with thinker(model_server) as model:
        context = conversation()
        await model.warm(context)
        for question in questions:
            await turns(model, context, alone, question)

    seats = Seats()
    models = [
        LocalLLM(
            base_url=model_server.base_url,
            api_key=KEY,
            context_tokens=1_024,
            reply_tokens=8,
            temperature=0.0,
            seats=seats,
        )
        for _ in range(rooms)
    ]
    contexts = [conversation() for _ in models]
    for model, context in zip(models, contexts, strict=True):
        await model.warm(context)
    for question in questions:
        for model, context in zip(models, contexts, strict=True):
            await turns(model, context, in_turn, f"{question} {models.index(model)}")
    for model in models:
        await model.aclose()

    assert max(in_turn[rooms:]) <= ratio * max(alone[1:])


async def test_given_a_message_far_too_long_when_asked_then_there_is_an_answer(
    model_server: ModelServer,
) -> None:
    async with thinker(model_server) as model:
        text, read = await answer(model, conversation("Tell me. " + "word " * 100_000))

    assert text
    assert read <= 1_024


async def test_given_a_wrong_key_when_asked_then_it_is_an_error_that_is_not_tried_again(
    model_server: ModelServer,
) -> None:
    async with thinker(model_server, key="wrong") as model:
        with pytest.raises((APIStatusError, APIConnectionError)):
            await answer(model, conversation("Hello?"))


async def test_given_no_server_when_warmed_then_the_conversation_starts_all_the_same() -> None:
    model = LocalLLM(base_url="http://127.0.0.1:9", api_key=KEY)

    await model.warm(conversation())

    await model.aclose()


CHUNK = (
    b'data: {"id":"1","object":"chat.completion.chunk","created":1,"model":"m",'
    b'"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}\n\n'
)


class DyingServer:
    """Answers a few words and then breaks the connection; counts what it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            (
                int(line.split(b":")[1])
                for line in head.lower().splitlines()
                if line.startswith(b"content-length")
            ),
            0,
        )
        await reader.readexactly(length)
        if b"/tokenize" in head.splitlines()[0]:
            body = b'{"tokens":[1]}'
            writer.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
            )
        else:
            self.asked += 1
            writer.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                b"Content-Length: 100000\r\n\r\n" + CHUNK
            )
        await writer.drain()
        writer.close()


async def test_given_a_server_that_dies_mid_answer_when_words_came_then_it_is_asked_once() -> None:
    dying = DyingServer()
    server = await asyncio.start_server(dying.serve, "127.0.0.1", 0)
    model = LocalLLM(base_url=f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", api_key=KEY)
    heard: list[str] = []

    with pytest.raises(APIConnectionError):
        await listen(model, heard)

    await model.aclose()
    server.close()
    assert (heard, dying.asked) == (["Hello"], 1)


async def listen(model: LocalLLM, heard: list[str]) -> None:
    patient = APIConnectOptions(max_retry=3)
    async with model.chat(chat_ctx=conversation("Hello?"), conn_options=patient) as stream:
        async for chunk in stream:
            if chunk.delta and chunk.delta.content:
                heard.append(chunk.delta.content)  # noqa: PERF401 - kept when it breaks off
