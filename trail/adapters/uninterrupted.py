"""Calls of a database end before a cancellation of their caller is passed on.

Cancelling a driver in the middle of a statement can leave its connection behind with an open
transaction, and with it a lock on everybody's database (seen with aiosqlite 0.22: an append that
was cut off while it waited for ``BEGIN IMMEDIATE``). So a call runs in a task of its own, which is
awaited whatever happens: no task outlives the call that started it. It ends soon, because the
database itself gives up on what takes too long.
"""

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, TypeVar, cast

Call = TypeVar("Call", bound=Callable[..., Coroutine[Any, Any, Any]])


def uninterrupted(method: Call) -> Call:
    """Return ``method`` such that cancelling it takes effect when it is done."""

    @wraps(method)
    async def run(*args: Any, **kwargs: Any) -> Any:
        inner = asyncio.get_running_loop().create_task(method(*args, **kwargs))
        cancelled: asyncio.CancelledError | None = None
        while not inner.done():
            try:
                await asyncio.wait({inner})
            except asyncio.CancelledError as error:
                cancelled = error
        if cancelled is None:
            return inner.result()
        if not inner.cancelled():
            inner.exception()
        raise cancelled

    return cast("Call", run)
