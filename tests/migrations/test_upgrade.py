"""The schema is made by its steps alone, whole or not at all, however many do it at once."""

import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from anyio.to_thread import run_sync
from sqlalchemy import Connection, inspect, text

from migrations.upgrade import DatabaseTooNew, scripts, upgrade
from tests.postgres import Postgres
from tests.trail.builders import STREAM, mark
from trail.adapters.engine import make_engine
from trail.adapters.sql import open_store, sqlite_url
from trail.adapters.tables import metadata
from trail.errors import DependencyUnavailable
from trail.ids import uuid7

ROOT = Path(__file__).parents[2]
CROWD = 20
SEED = 3


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[str]:
    if request.param == "sqlite":
        yield sqlite_url(tmp_path / "a new folder" / "trail.db")
        return
    server: Postgres = request.getfixturevalue("postgres")
    name = f"t{uuid7()}"
    yield server.create(name)
    server.drop(name)


async def inside(url: str, look: Callable[[Connection], Any]) -> Any:
    engine = make_engine(url, source="test")
    try:
        async with engine.begin() as connection:
            return await connection.run_sync(look)
    finally:
        await engine.dispose()


def differences(connection: Connection) -> list[Any]:
    options = {"compare_type": True, "compare_server_default": True}
    context = MigrationContext.configure(connection, opts=options)
    found: list[Any] = compare_metadata(context, metadata)
    return found


def tables(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names())


def test_there_is_one_head_and_one_root() -> None:
    assert len(scripts().get_heads()) == 1
    assert len(scripts().get_bases()) == 1


async def test_the_steps_make_the_tables_that_queries_expect(url: str) -> None:
    await run_sync(upgrade, url)

    assert await inside(url, differences) == []


async def test_given_a_database_up_to_date_then_its_facts_stay(url: str) -> None:
    await run_sync(upgrade, url)
    async with open_store(url, source="test") as store:
        facts = await store.append(STREAM, [mark(1)], expected=0)

    await run_sync(upgrade, url)

    async with open_store(url, source="test") as store:
        assert await store.read(STREAM) == facts


async def test_given_a_database_of_a_newer_version_then_it_is_refused_untouched(
    url: str,
) -> None:
    await run_sync(upgrade, url)
    await inside(url, lambda c: c.execute(text("UPDATE alembic_version SET version_num = 'new'")))

    with pytest.raises(DatabaseTooNew, match="newer version") as refusal:
        await run_sync(upgrade, url)

    assert refusal.value.revision == "new"
    left = await inside(url, lambda c: c.scalar(text("SELECT version_num FROM alembic_version")))
    assert left == "new"


async def test_given_a_step_that_fails_then_nothing_of_it_is_left(url: str) -> None:
    if url.startswith("sqlite"):
        await run_sync(upgrade, url)
        await inside(url, _drop_all)
    await inside(url, lambda c: c.execute(text("CREATE TABLE trail_people (wrong INTEGER)")))

    with pytest.raises(DependencyUnavailable):
        await run_sync(upgrade, url)

    assert await inside(url, tables) == {"trail_people"}


def _drop_all(connection: Connection) -> None:
    metadata.drop_all(connection)
    connection.execute(text("DROP TABLE alembic_version"))


async def test_given_twenty_processes_at_once_then_one_good_schema_is_left(url: str) -> None:
    command = (sys.executable, "-m", "tests.migrations.crowd", url, str(CROWD), str(SEED))

    done = await run_sync(
        lambda: subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    )

    assert done.stderr == b""
    assert done.stdout.split() == [b"5", b"15"]
    assert await inside(url, differences) == []
    async with open_store(url, source="test") as store:
        await store.append(STREAM, [mark(1)], expected=0)
        assert [order for order, _ in await store.read_all()] == [1]


@pytest.mark.parametrize("name", ["plain", "with spaces", "100%41?x=1#y", "ünï"])
def test_given_any_folder_name_then_the_file_is_made_there_for_its_owner_only(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / name / "trail.db"

    upgrade(sqlite_url(path))

    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("make", [Path.mkdir, lambda path: path.write_bytes(b"no database" * 99)])
def test_given_a_place_where_no_database_can_be_then_it_says_so(
    tmp_path: Path, make: Callable[[Path], object]
) -> None:
    path = tmp_path / "trail.db"
    make(path)

    with pytest.raises(DependencyUnavailable):
        upgrade(sqlite_url(path))


def test_given_a_server_that_is_not_there_then_it_says_so() -> None:
    with pytest.raises(DependencyUnavailable):
        upgrade("postgresql://nobody@127.0.0.1:1/nothing")
