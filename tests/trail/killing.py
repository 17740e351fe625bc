"""Kill a writing process at a moment given by chance, and look at what it left."""

import signal
import time
from dataclasses import dataclass
from random import Random  # noqa: TID251  # seeded by the caller

from tests.databases import Place
from tests.trail.builders import whole
from tests.trail.writer import BATCH, start_writer
from trail.chain import verify
from trail.erase import references

BATCHES_AT_MOST = 20
PAUSE_S_AT_MOST = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Kill:
    """What a killed process had told."""

    acknowledged: int
    """Last position that it called durable."""


def kill_a_writer(place: Place, dice: Random) -> Kill:
    """Let a process write some batches, kill it, and return what it had acknowledged."""
    process, told = start_writer(place.url)
    with told:
        acknowledged = [told.recv() for _ in range(dice.randint(1, BATCHES_AT_MOST))]
        time.sleep(dice.uniform(0.0, PAUSE_S_AT_MOST))
        process.kill()
        process.join()
        try:
            while True:
                acknowledged.append(told.recv())
        except EOFError:
            pass
    assert process.exitcode == -signal.SIGKILL
    process.close()
    return Kill(acknowledged=acknowledged[-1])


async def check(place: Place, kill: Kill) -> int:
    """Check what was left and return how many facts there are.

    No acknowledged fact is lost, no half batch is there, the chain verifies, every fact has its
    words, and the global order has no gap.
    """
    async with place.open() as store:
        facts = await whole(store)
        refs = [ref for envelope in facts for ref in references(envelope.fact)]
        texts = await store.texts([ref.content_id for ref in refs])
        orders = [order for order, _ in await store.read_all(limit=1_000_000)]
    verify(facts)
    assert len(facts) >= kill.acknowledged > 0
    assert len(facts) % BATCH == 0
    batches = range(0, len(facts), BATCH)
    expected = [f"{head} {number}" for head in batches for number in range(BATCH)]
    assert [texts[ref.content_id] for ref in refs] == expected
    assert orders == list(range(1, len(facts) + 1))
    return len(facts)
