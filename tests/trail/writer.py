"""A process that writes until it is killed, and tells what it made durable.

Processes come from a fork server that has imported the store once, which saves a second each.
"""

import asyncio
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, ForkServerProcess

from tests.trail.builders import STREAM, spoken
from trail.adapters.sql import open_store

BATCH = 3
PRELOAD = ["__main__", "tests.databases", "tests.trail.writer", "trail.adapters.sql", "asyncpg"]


def start_writer(url: str) -> tuple[ForkServerProcess, "Connection[int, int]"]:
    """Start a writer and return it with the end of a pipe that its positions come out of."""
    context: ForkServerContext = get_context("forkserver")
    context.set_forkserver_preload(PRELOAD)
    out, into = context.Pipe(duplex=False)
    process = context.Process(target=_write, args=(url, into), daemon=True)
    process.start()
    into.close()
    return process, out


def _write(url: str, told: "Connection[int, int]") -> None:
    asyncio.run(_append_for_ever(url, told))


async def _append_for_ever(url: str, told: "Connection[int, int]") -> None:
    async with open_store(url, source="writer") as store:
        head = await store.head(STREAM)
        while True:
            batch = [spoken(f"{head} {number}")[0] for number in range(BATCH)]
            head = (await store.append(STREAM, batch, expected=head))[-1].position
            told.send(head)
