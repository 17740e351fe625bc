"""Makes a conversation fit what the model can read.

The instructions and the newest items stay; the oldest go, several at a time, so that the prompt
keeps its beginning for many turns and the server need not read it again. A message that is too
long by itself loses its middle, and the model is told so in its place.
"""

import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence

from livekit.agents.llm import (
    ChatContext,
    ChatItem,
    ChatMessage,
    FunctionCall,
    FunctionCallOutput,
)

CountTokens = Callable[[str], Awaitable[int]]

ITEM_TOKENS = 8
"""What a chat template puts around one item."""
SPARE_TOKENS = 64
KEPT_AFTER_CUT = 0.6
"""Part of the room that is filled after old items went; the rest lasts for the next turns."""
LONGEST_SHARE = 0.5
"""Part of the room that one message may take."""
COUNTS_KEPT = 2_000
HURRIED_BYTES = 400
"""A text up to this long is not counted when somebody waits."""
OMISSION = "\n[… the middle of this message is left out, it was too long …]\n"
OMISSION_TOKENS = 24


class ContextWindow:
    """Fits one conversation; remembers where its prompt began and how long each text is."""

    def __init__(self, count: CountTokens, *, tokens: int) -> None:
        """Count with ``count``; ``tokens`` is the room for everything but the reply."""
        self._count = count
        self._room = tokens - SPARE_TOKENS
        self._counts: OrderedDict[str, int] = OrderedDict()
        self._first_id: str | None = None

    async def fit(
        self,
        context: ChatContext,
        *,
        tool_schemas: Sequence[object] = (),
        hurried: bool = False,
    ) -> ChatContext:
        """Return as much of ``context`` as fits, newest first, instructions always.

        A context that fits is returned with the same items. When ``hurried``, a short text that
        was never counted is taken for as many tokens as it has bytes: the most it can have.
        """
        count = self._at_most if hurried else self._tokens
        room = self._room
        if tool_schemas:
            room -= await count(json.dumps(tool_schemas, default=str)) + SPARE_TOKENS
        room = max(room, self._room // 4)
        sized = [
            await self._sized(item, int(room * LONGEST_SHARE), count)
            for item in _readable(context.items)
        ]
        head = [pair for pair in sized if _is_instruction(pair[0])][:1]
        rest = [pair for pair in sized if pair not in head]
        return ChatContext([item for item, _ in (*head, *self._newest(rest, room - _sum(head)))])

    def _newest(self, items: list[tuple[ChatItem, int]], room: int) -> list[tuple[ChatItem, int]]:
        begin = next((i for i, (item, _) in enumerate(items) if item.id == self._first_id), 0)
        if _sum(items[begin:]) > room:
            left = _sum(items[begin:])
            while begin < len(items) - 1 and (
                left > room * KEPT_AFTER_CUT or not _can_begin(items[begin][0])
            ):
                left -= items[begin][1]
                begin += 1
            self._first_id = items[begin][0].id
        return items[begin:]

    async def _sized(self, item: ChatItem, limit: int, count: CountTokens) -> tuple[ChatItem, int]:
        text = _text_of(item)
        tokens = await count(text)
        if tokens <= limit:
            return item, tokens + ITEM_TOKENS
        kept = len(text)
        while tokens > limit and kept > 0:
            kept = min(kept - 1, int(kept * (limit - OMISSION_TOKENS) / tokens * 0.95))
            half = max(0, kept // 2)
            shortened = text[:half] + OMISSION + text[len(text) - half :]
            tokens = await count(shortened)
            if tokens <= limit:
                return _with_text(item, shortened), tokens + ITEM_TOKENS
        return _with_text(item, OMISSION), OMISSION_TOKENS + ITEM_TOKENS

    async def _at_most(self, text: str) -> int:
        size = len(text.encode())
        is_short = text not in self._counts and size <= HURRIED_BYTES
        return size if is_short else await self._tokens(text)

    async def _tokens(self, text: str) -> int:
        if text in self._counts:
            self._counts.move_to_end(text)
            return self._counts[text]
        tokens = await self._count(text)
        self._counts[text] = tokens
        if len(self._counts) > COUNTS_KEPT:
            self._counts.popitem(last=False)
        return tokens


def _sum(items: Sequence[tuple[ChatItem, int]]) -> int:
    return sum(tokens for _, tokens in items)


def _is_instruction(item: ChatItem) -> bool:
    return isinstance(item, ChatMessage) and item.role in ("system", "developer")


def _can_begin(item: ChatItem) -> bool:
    """Return whether a prompt may begin with ``item``: an answer without its call may not."""
    return isinstance(item, ChatMessage) and item.role == "user"


def _readable(items: Sequence[ChatItem]) -> list[ChatItem]:
    """Return the items that a model without eyes can read."""
    out: list[ChatItem] = []
    for item in items:
        if isinstance(item, FunctionCall | FunctionCallOutput):
            out.append(item)
        elif isinstance(item, ChatMessage) and (text := item.raw_text_content):
            seen = any(not isinstance(part, str) for part in item.content)
            out.append(_with_text(item, text) if seen else item)
    return out


def _text_of(item: ChatItem) -> str:
    match item:
        case ChatMessage():
            return item.raw_text_content or ""
        case FunctionCall():
            return f"{item.name} {item.arguments}"
        case FunctionCallOutput():
            return item.output
        case _:
            return ""


def _with_text(item: ChatItem, text: str) -> ChatItem:
    match item:
        case ChatMessage():
            return item.model_copy(update={"content": [text]})
        case FunctionCall():
            return item.model_copy(update={"arguments": "{}"})
        case FunctionCallOutput():
            return item.model_copy(update={"output": text})
        case _:
            return item
