"""Hundreds of kills of a writing process: ``python -m tests.benchmarks.kills [COUNT] [SEED]``."""

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from migrations.upgrade import upgrade
from tests.databases import Place
from tests.postgres import running_postgres
from tests.trail.killing import check, kill_a_writer
from trail.adapters.sql import sqlite_url


def run(place: Place, count: int, seed: int) -> None:
    dice = Random(seed)
    facts = unacknowledged = 0
    started = time.monotonic()
    for _ in range(count):
        kill = kill_a_writer(place, dice)
        facts = asyncio.run(check(place, kill))
        unacknowledged += facts - kill.acknowledged
    print(
        f"{place.kind}: {count} kills, {facts} facts, 0 lost, {unacknowledged} durable but not "
        f"yet acknowledged, {time.monotonic() - started:.0f} s"
    )


def main(count: int = 200, seed: int = 1) -> None:
    with tempfile.TemporaryDirectory() as folder:
        url = sqlite_url(Path(folder) / "trail.db")
        upgrade(url)
        run(Place("sqlite", url), count, seed)
    with running_postgres() as server:
        url = server.create("kills")
        upgrade(url)
        run(Place("postgresql", url), count, seed)


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:3]))
