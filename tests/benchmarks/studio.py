"""A person in a studio: speaks recordings into the page and measures when the answers come."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from playwright.async_api import Browser, Page

from tests.benchmarks.exchange import Exchange, exchange_of, is_audible, quiet_for_s
from tests.e2e.person import Person

STUDIO: Final = Path(__file__).with_name("studio.js").read_text(encoding="utf-8")
LOOK_EVERY_S: Final = 0.25
SETTLED_S: Final = 1.5
"""Silence after which an answer is over; between sentences there is less."""
ANSWER_AT_MOST_S: Final = 60.0
"""A turn without an answer by then has none."""

Prepare = Callable[[Page], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One turn as it was measured, and between which instants it happened."""

    exchange: Exchange
    began: datetime
    ended: datetime


class Listener:
    """One browser window whose ears are measured."""

    def __init__(self, page: Page) -> None:
        self.person = Person(page)
        self._page = page

    async def arrive(self, url: str, name: str) -> None:
        """Sign in, start talking and hear the greeting to its end."""
        await self.person.arrive(url, name)
        await self.person.start()
        await self._until(lambda heard: is_audible(heard) and quiet_for_s(heard) >= SETTLED_S, 0)

    async def ask(self, wav: bytes) -> Asked:
        """Speak a recording, hear the answer to its end, and return what was measured."""
        began, first = datetime.now(UTC), await self._hops()
        await self.person.say(wav)
        end = time.monotonic() + ANSWER_AT_MOST_S
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            levels = await self._page.evaluate("from => __levels(from)", first)
            exchange = exchange_of(levels["said"], levels["heard"])
            late = time.monotonic() > end
            if exchange is None:
                if late:
                    raise RuntimeError("the studio's microphone recorded nothing")
                continue
            answered = exchange.answer_start_s is not None
            if late or (answered and exchange.quiet_for_s >= SETTLED_S):
                return Asked(exchange=exchange, began=began, ended=datetime.now(UTC))

    async def _until(self, heard_enough: Callable[[list[int]], bool], first: int) -> None:
        end = time.monotonic() + ANSWER_AT_MOST_S
        while time.monotonic() < end:
            levels = await self._page.evaluate("from => __levels(from)", first)
            if heard_enough(levels["heard"]):
                return
            await asyncio.sleep(LOOK_EVERY_S)
        raise RuntimeError(f"nothing was heard for {ANSWER_AT_MOST_S:.0f} s")

    async def _hops(self) -> int:
        return int(await self._page.evaluate("__hops()"))


@asynccontextmanager
async def listener(browser: Browser, *, prepare: Prepare | None = None) -> AsyncGenerator[Listener]:
    """Yield a listener in a window with cookies of its own.

    Args:
        browser: Where.
        prepare: Is given the page before it is opened.
    """
    context = await browser.new_context(permissions=["microphone"])
    try:
        page = await context.new_page()
        await page.add_init_script(STUDIO)
        if prepare is not None:
            await prepare(page)
        yield Listener(page)
    finally:
        await context.close()
