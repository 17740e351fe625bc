"""The SQL store whole: SQLite and PostgreSQL through one code path."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy import URL

from trail.adapters.engine import Database, open_database
from trail.adapters.sql_content import SqlContent
from trail.adapters.sql_directory import SqlDirectory, SqlInvitations
from trail.adapters.sql_leases import SqlLeases
from trail.adapters.sql_people import SqlPeople
from trail.adapters.sql_trail import SqlTrail
from trail.ids import HOUSE
from trail.ports import Store


class SqlStore(SqlTrail, SqlContent, SqlLeases, SqlDirectory, SqlInvitations, SqlPeople, Store):
    """Implements `trail.ports.Store`; belongs to one event loop."""

    def __init__(self, database: Database, *, source: str) -> None:
        SqlTrail.__init__(self, database, source=source)


def sqlite_url(path: Path) -> str:
    """Return the address of an SQLite file, whatever characters its path holds."""
    return URL.create("sqlite+aiosqlite", database=str(path)).render_as_string()


@asynccontextmanager
async def open_store(url: str, *, source: str) -> AsyncGenerator[SqlStore]:
    """Open the store of the running loop.

    Args:
        url: ``sqlite+aiosqlite:///<file>`` or ``postgresql+asyncpg://…`` (the driver may be left
            out), brought up to date by `migrations.upgrade` before.
        source: Name of this process, such as ``worker``; stands in every envelope.

    Raises:
        DependencyUnavailable: the database does not answer, or has not been migrated.
    """
    async with open_database(url, source=source) as database:
        store = SqlStore(database, source=source)
        await store.head(HOUSE)
        yield store
