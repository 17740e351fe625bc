"""One database: how it is opened, how transactions begin, how its errors become ours.

SQLite runs with a write-ahead log, ``synchronous=FULL`` (a commit is on the disk when it
returns), ``secure_delete`` (what is deleted is overwritten) and foreign keys. A transaction that
writes begins with ``BEGIN IMMEDIATE``, so that it waits for its turn at the start and cannot fail
in the middle. PostgreSQL keeps its defaults, and gives up on a writer that stalls. A migration
may take its time.
"""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final

import structlog
from sqlalchemy import URL, Connection, Dialect, Table, event, make_url
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import FunctionElement
from sqlalchemy.types import Float

from trail.adapters.uninterrupted import uninterrupted
from trail.errors import ContractError, DependencyUnavailable

DEPENDENCY: Final = "database"
BUSY_TIMEOUT_S: Final = 5.0
"""How long a writer waits for its turn before it says that the database does not answer."""
STALLED_S: Final = 10.0
"""A statement on PostgreSQL takes no longer; a transaction that does nothing for this long is
ended by the server, because its locks hold up everybody."""
_DRIVERS: Final = {
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
}
_WRITES: Final = "earwitness_writes"

log = structlog.get_logger()


class Taken(ContractError):
    """A name that must be unique is taken, or what is referred to does not exist."""


class DatabaseClock(FunctionElement[float]):
    """Seconds since 1970 by the clock of the database itself."""

    inherit_cache = True
    name = "database_clock"
    type = Float(53)


@compiles(DatabaseClock, "sqlite")
def _sqlite_clock(_element: DatabaseClock, _compiler: SQLCompiler, **_kw: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(DatabaseClock, "postgresql")
def _postgresql_clock(_element: DatabaseClock, _compiler: SQLCompiler, **_kw: Any) -> str:
    return "CAST(extract(epoch FROM clock_timestamp()) AS double precision)"


def insert(table: Table, dialect: Dialect) -> sqlite.Insert | postgresql.Insert:
    """Return an INSERT that can also update; both dialects write it alike."""
    return postgresql.insert(table) if dialect.name == "postgresql" else sqlite.insert(table)


def async_url(url: str) -> URL:
    """Return ``url`` with the driver that we use for its kind of database.

    Raises:
        DependencyUnavailable: it names another kind, or nothing that can be read.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        # Without its cause, which may quote a piece of the password.
        raise DependencyUnavailable(DEPENDENCY, "its address cannot be read") from None
    driver = _DRIVERS.get(parsed.drivername)
    if driver is None:
        reason = f"{parsed.drivername} is not supported; use sqlite or postgresql"
        raise DependencyUnavailable(DEPENDENCY, reason)
    return parsed.set(drivername=driver)


def make_engine(url: str, *, source: str, migrates: bool = False) -> AsyncEngine:
    """Return an engine that belongs to the running loop. It connects when first used.

    Args:
        url: Which database.
        source: Name of this process, shown by PostgreSQL.
        migrates: Every transaction writes and may take long, and SQLite does not check foreign
            keys, so that a migration may replace a table that others refer to.
    """
    parsed = async_url(url)
    if parsed.drivername == "sqlite+aiosqlite":
        engine = create_async_engine(
            parsed, hide_parameters=True, execution_options={_WRITES: migrates}
        )
        event.listen(engine.sync_engine, "connect", _configure_sqlite)
        if migrates:
            event.listen(engine.sync_engine, "connect", _trust_references)
        event.listen(engine.sync_engine, "begin", _begin_sqlite)
        return engine
    settings = {"application_name": f"earwitness {source}"}
    limits = {
        "lock_timeout": f"{BUSY_TIMEOUT_S * 1000:.0f}",
        "idle_in_transaction_session_timeout": f"{STALLED_S * 1000:.0f}",
    }
    return create_async_engine(
        parsed,
        hide_parameters=True,
        pool_pre_ping=True,
        connect_args={
            "server_settings": settings if migrates else settings | limits,
            "timeout": BUSY_TIMEOUT_S,
            "command_timeout": None if migrates else STALLED_S,
        },
    )


def _configure_sqlite(connection: DBAPIConnection, _record: object) -> None:
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in (
        f"busy_timeout = {BUSY_TIMEOUT_S * 1000:.0f}",
        "journal_mode = WAL",
        "synchronous = FULL",
        "secure_delete = ON",
        "foreign_keys = ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _trust_references(connection: DBAPIConnection, _record: object) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA foreign_keys = OFF")
    cursor.close()


def _empty_log(connection: Connection) -> None:
    cursor = connection.connection.cursor()
    cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    busy, *_ = cursor.fetchone() or (0,)
    cursor.close()
    if busy:
        log.warning("erased_words_linger_in_log")


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def border() -> Generator[None]:
    """Turn what drivers raise into errors of ours. Messages hold no values of parameters."""
    try:
        yield
    except IntegrityError as error:
        raise Taken("a name is taken, or what is referred to does not exist") from error
    except (SQLAlchemyError, OSError, sqlite3.Error) as error:
        if str(getattr(getattr(error, "orig", None), "sqlstate", "")).startswith("22"):
            raise ContractError("a value cannot be stored") from error
        raise DependencyUnavailable(DEPENDENCY, _reason(error)) from error


def _reason(error: Exception) -> str:
    cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
    if isinstance(cause, sqlite3.Error | OSError):
        return str(cause) or type(cause).__name__
    return type(cause.__cause__ or cause).__name__


class Database:
    """Transactions on one database, for one event loop."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._writer = engine.execution_options(**{_WRITES: True})
        self._turn = asyncio.Lock()

    @property
    def dialect(self) -> Dialect:
        """The kind of database."""
        return self._engine.dialect

    @asynccontextmanager
    async def reading(self) -> AsyncGenerator[AsyncConnection]:
        """Open a transaction that only reads."""
        with border():
            async with self._engine.connect() as connection:
                yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncGenerator[AsyncConnection]:
        """Open a transaction that commits at the end, or leaves nothing behind.

        Writers of this process line up here, which is cheaper than in the database.
        """
        async with self._turn:
            with border():
                async with self._writer.begin() as connection:
                    yield connection

    async def shed(self) -> None:
        """Let go of deleted bytes that SQLite's write-ahead log may still hold."""
        if self.dialect.name == "sqlite":
            with border():
                async with self._engine.connect() as connection:
                    await connection.run_sync(_empty_log)

    @uninterrupted
    async def close(self) -> None:
        """Close all connections."""
        await self._engine.dispose()


@asynccontextmanager
async def open_database(url: str, *, source: str) -> AsyncGenerator[Database]:
    """Open a database that `migrations.upgrade` has made.

    Raises:
        DependencyUnavailable: there is none, or it does not answer.
    """
    require_file(async_url(url))
    database = Database(make_engine(url, source=source))
    try:
        yield database
    finally:
        await database.close()


def require_file(url: URL) -> None:
    """Refuse an SQLite file that is not there, instead of making an empty one."""
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
        raise DependencyUnavailable(DEPENDENCY, f"there is no file {url.database}")
