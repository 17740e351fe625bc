"""A process killed while it writes loses nothing that it called durable; the next one goes on."""

from random import Random  # noqa: TID251  # seeded here

from anyio.to_thread import run_sync

from tests.databases import Place
from tests.trail.killing import check, kill_a_writer

KILLS = 3


async def test_given_a_writer_killed_at_any_moment_then_no_acknowledged_fact_is_lost(
    sql_place: Place,
) -> None:
    dice = Random(11)
    before = 0
    for _ in range(KILLS):
        kill = await run_sync(kill_a_writer, sql_place, dice)
        now = await check(sql_place, kill)
        assert now > before
        before = now
