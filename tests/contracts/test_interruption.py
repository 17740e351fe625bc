"""Cut off in the middle, full, locked, gone or damaged: all of a batch is there or nothing."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import make_url

from tests.databases import Place
from tests.trail.builders import STREAM, mark, number_of, spoken, whole
from trail.adapters.sql import SqlStore, open_store, sqlite_url
from trail.chain import verify
from trail.clock import ManualClock
from trail.errors import DependencyUnavailable
from trail.journal import Journal


def file_of(place: Place) -> Path:
    return Path(make_url(place.url).database or "")


async def test_given_appends_cut_off_at_any_moment_then_no_half_batch_is_left(
    sql_place: Place,
) -> None:
    async with sql_place.open() as store:
        for number in range(25):
            batch = [mark(number) for _ in range(3)]
            try:
                async with asyncio.timeout(number * 0.0005):
                    await store.append(STREAM, batch, expected=3 * number)
            except TimeoutError:
                await store.append(STREAM, batch, expected=3 * number)

        facts = await whole(store)

    assert [number_of(envelope) for envelope in facts] == [n for n in range(25) for _ in range(3)]
    verify(facts)


async def test_given_a_flush_cut_off_when_flushed_again_then_facts_are_recorded_once(
    sql_place: Place, clock: ManualClock
) -> None:
    async with sql_place.open() as store:
        journal = Journal(store, STREAM, clock=clock, head=0)
        for number in range(20):
            journal.note(mark(number).fact)
            try:
                async with asyncio.timeout(number * 0.0005):
                    await journal.flush()
            except TimeoutError:
                pass
        await journal.flush()

        assert [number_of(envelope) for envelope in await whole(store)] == list(range(20))


async def test_given_a_full_disk_when_appending_then_nothing_half_is_written(
    sqlite_place: Place,
) -> None:
    async with sqlite_place.open() as store:
        assert isinstance(store, SqlStore)
        await store.append(STREAM, [mark(0)], expected=0)
        await _limit(store, pages=60)
        with pytest.raises(DependencyUnavailable, match="full"):
            await _fill(store)

        facts = await whole(store)
        assert len(facts) > 1
        assert len(facts) % 2 == 1
        verify(facts)

        await _limit(store, pages=1_000_000)
        await store.append(STREAM, [mark(1)], expected=len(facts))
        verify(await whole(store))


async def _fill(store: SqlStore) -> None:
    while True:
        entry, _ = spoken("x" * 20_000)
        await store.append(STREAM, [entry, mark(1)], expected=await store.head(STREAM))


async def _limit(store: SqlStore, *, pages: int) -> None:
    async with store._database.reading() as connection:
        await connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")


async def test_given_another_program_holds_the_file_when_appending_then_it_says_so(
    sqlite_place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trail.adapters.engine.BUSY_TIMEOUT_S", 0.05)
    async with sqlite_place.open() as store:
        await store.append(STREAM, [mark(0)], expected=0)
        holder = sqlite3.connect(file_of(sqlite_place), isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")

        with pytest.raises(DependencyUnavailable, match="locked"):
            await store.append(STREAM, [mark(1)], expected=1)

        assert await store.head(STREAM) == 1
        holder.execute("ROLLBACK")
        holder.close()
        await store.append(STREAM, [mark(1)], expected=1)


async def test_given_a_file_that_is_no_database_when_opened_then_it_says_so(
    tmp_path: Path,
) -> None:
    path = tmp_path / "trail.db"
    path.write_bytes(b"this is not a database at all, but it is long enough" * 100)

    with pytest.raises(DependencyUnavailable, match="not a database"):
        async with open_store(sqlite_url(path), source="test"):
            pass


async def test_given_no_file_when_opened_then_it_says_so_and_makes_none(tmp_path: Path) -> None:
    path = tmp_path / "trail.db"

    with pytest.raises(DependencyUnavailable, match="no file"):
        async with open_store(sqlite_url(path), source="test"):
            pass

    assert not path.exists()


async def test_given_a_database_without_tables_when_opened_then_it_says_so(tmp_path: Path) -> None:
    path = tmp_path / "trail.db"
    path.touch()

    with pytest.raises(DependencyUnavailable, match="no such table"):
        async with open_store(sqlite_url(path), source="test"):
            pass


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://nobody@/nothing?host=/nowhere",
        "postgresql+asyncpg://nobody@127.0.0.1:1/nothing",
        "mysql://localhost/x",
        "not an address",
    ],
)
async def test_given_a_database_that_is_not_there_when_opened_then_it_says_so(url: str) -> None:
    with pytest.raises(DependencyUnavailable):
        async with open_store(url, source="test"):
            pass


async def test_given_an_unknown_postgresql_database_when_opened_then_it_says_so(
    postgresql_place: Place,
) -> None:
    url = postgresql_place.url.replace("/migrated?", "/nothing?")

    with pytest.raises(DependencyUnavailable, match="InvalidCatalogName"):
        async with open_store(url, source="test"):
            pass


async def test_given_an_error_of_the_database_then_its_trace_holds_no_words(
    sqlite_place: Place,
) -> None:
    async with sqlite_place.open() as store:
        assert isinstance(store, SqlStore)
        await _limit(store, pages=30)
        entry, _ = spoken("canary" * 100_000)

        with pytest.raises(DependencyUnavailable) as full:
            await store.append(STREAM, [entry], expected=0)

    assert full.value.__cause__ is not None
    assert "canary" not in str(full.value.__cause__)
