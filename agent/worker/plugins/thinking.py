"""A LiveKit language model over the local model server; usable in a plain AgentSession.

It is LiveKit's own OpenAI client with three additions: what is asked always fits the model's
context, a conversation keeps its place in the server and with it the prompt that the server has
read, and nothing is asked twice once a word of the answer was sent on.
"""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, cast

import httpx
from livekit.agents import APIConnectionError, APIError, llm
from livekit.agents.types import (
    DEFAULT_API_CONNECT_OPTIONS,
    NOT_GIVEN,
    APIConnectOptions,
    NotGivenOr,
)
from livekit.agents.utils import is_given
from livekit.plugins import openai
from typing_extensions import override

from agent.local.seats import Seats
from agent.worker.plugins.context_window import ContextWindow

REUSED_TOKENS = 32
"""After old messages left the prompt, stretches of this many tokens are moved instead of read
again: 10 tokens to read instead of 675 in our measurement."""
NO_REUSE = {"Connection": "close"}
"""The server closes a connection that was idle for 5 s, and a question sent on it at that instant
is lost. A new one on loopback takes less than 1 ms."""
ANSWER_TIMEOUT_S = 90.0
"""The first piece waits until the prompt is read: 10 s for 600 tokens when cold."""


class LocalLLM(llm.LLM[Any]):
    """One conversation's language model. Close it, so that its place in the server is free."""

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        model: str = "local",
        context_tokens: int = 4_096,
        reply_tokens: int = 220,
        temperature: float = 0.6,
        seats: Seats | None = None,
    ) -> None:
        """Talk to the server at ``base_url``.

        Args:
            base_url: Address of the server, with or without ``/v1``.
            api_key: Its key.
            model: Its name for the model.
            context_tokens: Of one conversation, prompt and reply, as the server was told.
            reply_tokens: Longest reply.
            temperature: 0 always gives the likeliest word.
            seats: Shared by all conversations of this process with that server.
        """
        super().__init__()
        address = base_url.rstrip("/").removesuffix("/v1")
        self._name = model
        self._fields = {"max_completion_tokens": reply_tokens, "temperature": temperature}
        self._seats = seats or Seats()
        self._seat = self._seats.take()
        self._http = httpx.AsyncClient(
            base_url=address,
            headers={"Authorization": f"Bearer {api_key}", **NO_REUSE},
            timeout=10.0,
        )
        self._asking = openai.LLM(
            model=model,
            base_url=f"{address}/v1",
            api_key=api_key,
            max_retries=0,
        )
        self._window = ContextWindow(self._count, tokens=context_tokens - reply_tokens)
        self._warming: asyncio.Timeout | None = None
        self._questions = 0

    @property
    @override
    def model(self) -> str:
        return self._name

    @property
    @override
    def provider(self) -> str:
        return "local"

    @override
    def chat(
        self,
        *,
        chat_ctx: llm.ChatContext,
        tools: list[llm.Tool] | None = None,
        conn_options: APIConnectOptions = DEFAULT_API_CONNECT_OPTIONS,
        parallel_tool_calls: NotGivenOr[bool] = NOT_GIVEN,
        tool_choice: NotGivenOr[llm.ToolChoice] = NOT_GIVEN,
        extra_kwargs: NotGivenOr[dict[str, Any]] = NOT_GIVEN,
    ) -> llm.LLMStream:
        fields = {**self._fields, **(extra_kwargs if is_given(extra_kwargs) else {})}
        return _LocalStream(
            self,
            chat_ctx=chat_ctx,
            tools=tools or [],
            conn_options=conn_options,
            tool_choice=tool_choice,
            fields=fields,
        )

    @property
    def has_own_slot(self) -> bool:
        """Whether what it reads drives no other conversation out of the server's slots."""
        return self._seat.is_own()

    async def warm(self, chat_ctx: llm.ChatContext, *, tools: list[llm.Tool] | None = None) -> None:
        """Have the server read ``chat_ctx`` now, so that an answer to it need not wait for it.

        Questions go first: one ends the reading where it is, what was read is kept, and while one
        is answered nothing is read. A server that does not answer is no error here: the first turn
        will say so.
        """
        if self._questions:
            return
        options = APIConnectOptions(max_retry=0)
        fields = {**self._fields, "max_completion_tokens": 1}
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT_S) as self._warming:
                fitted = await self.fitted(chat_ctx, tools or [])
                async with self.ask(fitted, tools or [], options, NOT_GIVEN, fields) as stream:
                    async for _ in stream:
                        pass
        except (APIError, TimeoutError):
            return
        finally:
            self._warming = None

    @contextmanager
    def question(self) -> Generator[None]:
        """Have the server for a question, until left."""
        self._questions += 1
        warming, self._warming = self._warming, None
        if warming is not None and not warming.expired():
            warming.reschedule(0.0)
        try:
            yield
        finally:
            self._questions -= 1

    async def fitted(
        self, chat_ctx: llm.ChatContext, tools: list[llm.Tool], *, hurried: bool = False
    ) -> llm.ChatContext:
        """Return as much of ``chat_ctx`` as the model can read beside ``tools`` and a reply.

        When ``hurried``, short new texts are estimated and not counted.
        """
        schemas = llm.ToolContext(tools).parse_function_tools("openai")
        return await self._window.fit(chat_ctx, tool_schemas=schemas, hurried=hurried)

    def ask(
        self,
        context: llm.ChatContext,
        tools: list[llm.Tool],
        conn_options: APIConnectOptions,
        tool_choice: NotGivenOr[llm.ToolChoice],
        fields: dict[str, Any],
    ) -> llm.LLMStream:
        """Send one request, once, with what the server needs to find this conversation."""
        body = {**self._seat.request_fields(REUSED_TOKENS), **fields.get("extra_body", {})}
        patience = replace(
            conn_options, max_retry=0, timeout=max(conn_options.timeout, ANSWER_TIMEOUT_S)
        )
        return self._asking.chat(
            chat_ctx=context,
            tools=tools,
            conn_options=patience,
            tool_choice=tool_choice,
            extra_kwargs={**fields, "extra_body": body, "extra_headers": NO_REUSE},
        )

    @override
    async def aclose(self) -> None:
        await super().aclose()
        self._seat.leave()
        await self._asking.aclose()
        await self._http.aclose()

    @override
    async def _prewarm_impl(self) -> None:
        await self._http.get("/health")

    async def _count(self, text: str) -> int:
        try:
            answer = await self._http.post("/tokenize", json={"content": text})
            answer.raise_for_status()
        except httpx.HTTPError as error:
            raise APIConnectionError(f"model server: {type(error).__name__}") from error
        tokens = cast("list[int]", answer.json()["tokens"])
        return len(tokens)


class _LocalStream(llm.LLMStream):
    _llm_attempt_span_name = None

    def __init__(
        self,
        model: LocalLLM,
        *,
        chat_ctx: llm.ChatContext,
        tools: list[llm.Tool],
        conn_options: APIConnectOptions,
        tool_choice: NotGivenOr[llm.ToolChoice],
        fields: dict[str, Any],
    ) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType] - LLM is generic, bare there
            model, chat_ctx=chat_ctx, tools=tools, conn_options=conn_options
        )
        self._retry_on_chunk_sent = False
        self._model = model
        self._tool_choice: NotGivenOr[llm.ToolChoice] = tool_choice
        self._fields = fields

    @override
    async def _run(self) -> None:
        with self._model.question():
            fitted = await self._model.fitted(self._chat_ctx, self._tools, hurried=True)
            stream = self._model.ask(
                fitted, self._tools, self._conn_options, self._tool_choice, self._fields
            )
            async with stream:
                async for chunk in stream:
                    self._event_ch.send_nowait(chunk)
