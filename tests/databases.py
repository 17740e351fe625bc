"""Databases for tests: one PostgreSQL server a run, every schema made by the migrations."""

import asyncio
import shutil
from collections.abc import AsyncGenerator, Generator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Literal

import pytest
from sqlalchemy.ext.asyncio import create_async_engine

from migrations.upgrade import upgrade
from tests.postgres import Postgres, running_postgres
from trail.adapters.in_memory import InMemoryStore
from trail.adapters.sql import open_store, sqlite_url
from trail.adapters.tables import counter, metadata
from trail.ports import Store

Kind = Literal["memory", "sqlite", "postgresql"]
MIGRATED = "migrated"


class Place:
    """A place for one test where a store can be opened, more than once at a time."""

    def __init__(self, kind: Kind, url: str) -> None:
        self.kind = kind
        self.url = url
        self._memory = InMemoryStore()

    def open(self, *, source: str = "test") -> AbstractAsyncContextManager[Store]:
        return self._in_memory() if self.kind == "memory" else open_store(self.url, source=source)

    @asynccontextmanager
    async def _in_memory(self) -> AsyncGenerator[Store]:
        yield self._memory


@pytest.fixture(scope="session")
def postgres() -> Generator[Postgres]:
    with running_postgres() as server:
        upgrade(server.create(MIGRATED))
        yield server


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "trail.db"
    upgrade(sqlite_url(path))
    return path


@pytest.fixture
def sqlite_place(sqlite_template: Path, tmp_path: Path) -> Place:
    path = tmp_path / "a folder with spaces" / "trail.db"
    path.parent.mkdir()
    shutil.copy(sqlite_template, path)
    return Place("sqlite", sqlite_url(path))


@pytest.fixture
def postgresql_place(postgres: Postgres) -> Generator[Place]:
    url = postgres.url(MIGRATED)
    yield Place("postgresql", url)
    asyncio.run(_empty(url))


async def _empty(url: str) -> None:
    """Leave the tables as the migrations made them; a hundred times faster than a new copy."""
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        for table in reversed(metadata.sorted_tables):
            if table is counter:
                await connection.execute(counter.update().values(last_order=0))
            else:
                await connection.execute(table.delete())
    await engine.dispose()


@pytest.fixture
def memory_place() -> Place:
    return Place("memory", "")


@pytest.fixture(params=["sqlite", "postgresql"])
def sql_place(request: pytest.FixtureRequest) -> Place:
    place: Place = request.getfixturevalue(f"{request.param}_place")
    return place


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def place(request: pytest.FixtureRequest) -> Place:
    place: Place = request.getfixturevalue(f"{request.param}_place")
    return place
