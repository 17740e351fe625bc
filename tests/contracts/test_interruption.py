"""Cut off in the middle, full, locked, gone or damaged: all of a batch is there or nothing."""

import asyncio
import sqlite3
import traceback
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import make_url, text, update

from tests.databases import Place
from tests.trail.builders import STREAM, mark, number_of, spoken, whole
from trail.adapters.sql import SqlStore, open_store, sqlite_url
from trail.adapters.tables import counter, facts
from trail.chain import verify
from trail.clock import ManualClock
from trail.errors import DependencyUnavailable, TrailCorrupt
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

        found = await whole(store)

    assert [number_of(envelope) for envelope in found] == [n for n in range(25) for _ in range(3)]
    verify(found)


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

        found = await whole(store)
        assert len(found) > 1
        assert len(found) % 2 == 1
        verify(found)

        await _limit(store, pages=1_000_000)
        await store.append(STREAM, [mark(1)], expected=len(found))
        verify(await whole(store))


async def _fill(store: SqlStore) -> None:
    while True:
        entry, _ = spoken("x" * 20_000)
        await store.append(STREAM, [entry, mark(1)], expected=await store.head(STREAM))


async def _limit(store: SqlStore, *, pages: int) -> None:
    async with store._database.reading() as connection:
        await connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")


async def test_sqlite_waits_for_the_disk_and_overwrites_what_is_deleted(
    sqlite_place: Place,
) -> None:
    wanted = {"journal_mode": "wal", "synchronous": 2, "secure_delete": 1, "foreign_keys": 1}
    async with sqlite_place.open() as store:
        assert isinstance(store, SqlStore)
        async with store._database.writing() as connection:
            for pragma, value in wanted.items():
                found = await connection.exec_driver_sql(f"PRAGMA {pragma}")
                assert found.scalar_one() == value, pragma


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


async def test_given_another_writer_stalls_when_appending_then_it_says_so(
    postgresql_place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with postgresql_place.open() as staller:
        assert isinstance(staller, SqlStore)
        await staller.append(STREAM, [mark(0)], expected=0)
        monkeypatch.setattr("trail.adapters.engine.BUSY_TIMEOUT_S", 0.1)
        async with postgresql_place.open() as store:
            async with staller._database.writing() as connection:
                await connection.execute(counter.update().values(last_order=17))

                with pytest.raises(DependencyUnavailable, match="LockNotAvailable"):
                    await store.append(STREAM, [mark(1)], expected=1)
                await connection.rollback()

            await store.append(STREAM, [mark(1)], expected=1)
            assert [order for order, _ in await store.read_all()] == [1, 2]


async def test_given_the_server_hung_up_when_asked_again_then_it_answers(
    postgresql_place: Place,
) -> None:
    hang_up = text(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE pid <> pg_backend_pid() AND datname = current_database()"
    )
    async with postgresql_place.open() as store, postgresql_place.open() as other:
        assert isinstance(other, SqlStore)
        await store.append(STREAM, [mark(0)], expected=0)
        async with other._database.reading() as connection:
            await connection.execute(hang_up)

        await store.append(STREAM, [mark(1)], expected=1)

        assert await store.head(STREAM) == 2


@pytest.mark.parametrize(
    ("change", "found_by"),
    [
        ({"payload": '{"lost_for_s":7.0}'}, "verify"),
        ({"at_s": 4.5}, "verify"),
        ({"occurred_at": datetime(2026, 1, 1, tzinfo=UTC)}, "verify"),
        ({"payload": '{"lost_for_s":'}, "read"),
        ({"payload": "{}"}, "read"),
        ({"event_type": "session.unheard_of"}, "read"),
        ({"privacy_class": "secret"}, "read"),
    ],
    ids=lambda value: value if isinstance(value, str) else next(iter(value)),
)
async def test_given_a_row_changed_by_hand_then_reading_or_verifying_names_it(
    sql_place: Place, change: dict[str, object], found_by: str
) -> None:
    async with sql_place.open() as store:
        assert isinstance(store, SqlStore)
        await store.append(STREAM, [mark(0), mark(1), mark(2)], expected=0)
        async with store._database.writing() as connection:
            await connection.execute(update(facts).where(facts.c.position == 2).values(**change))

        if found_by == "read":
            with pytest.raises(TrailCorrupt, match=r"session/0190c0de at 2:"):
                await whole(store)
        else:
            with pytest.raises(TrailCorrupt, match=r"session/0190c0de at 2:"):
                verify(await whole(store))


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
        "postgresql://anna:canary/canary@host/x",
    ],
)
async def test_given_a_database_that_is_not_there_when_opened_then_it_says_so(url: str) -> None:
    with pytest.raises(DependencyUnavailable) as refusal:
        async with open_store(url, source="test"):
            pass

    assert "canary" not in "".join(traceback.format_exception(refusal.value))


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

    assert "canary" not in "".join(traceback.format_exception(full.value))
