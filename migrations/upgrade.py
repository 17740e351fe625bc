"""Brings a database to the schema of this program; as many processes at once as like.

They line up: on SQLite by a lock file beside the database, on PostgreSQL by an advisory lock. All
steps are one transaction, so that a process that dies half-way leaves the schema that was there.
"""

import asyncio
import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, text

from trail.adapters.engine import DEPENDENCY, async_url, border, make_engine
from trail.errors import DependencyUnavailable

LOCK_KEY: Final = 0x6561_7277_6974
"""Advisory lock of PostgreSQL; the letters "earwit"."""
WAIT_S: Final = 300


class DatabaseTooNew(DependencyUnavailable):
    """A newer version of this program has changed the database; ours would damage it."""

    def __init__(self, revision: str) -> None:
        super().__init__(
            DEPENDENCY,
            f"it was made by a newer version of earwitness (schema {revision}); "
            "install that version again, or restore a copy from before the change",
        )
        self.revision = revision


def upgrade(url: str) -> None:
    """Make the database at ``url``, or bring it up to date; what is up to date stays as it is.

    Synchronous: call it before an event loop runs, or in a thread.

    Args:
        url: ``sqlite+aiosqlite:///<file>`` or ``postgresql+asyncpg://…``; an SQLite file and its
            folder are made, readable by their owner only.

    Raises:
        DatabaseTooNew: nothing was changed.
        DependencyUnavailable: the database does not answer; nothing was changed.
    """
    parsed = async_url(url)
    with border(), _alone(parsed):
        asyncio.run(_upgrade(url))


def scripts() -> ScriptDirectory:
    """Return the migrations that this program knows."""
    return ScriptDirectory.from_config(configuration())


def configuration() -> Config:
    """Return Alembic's configuration; the scripts lie in this package."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("file_template", "%%(rev)s-%%(slug)s")
    config.set_main_option("path_separator", "os")
    return config


async def _upgrade(url: str) -> None:
    engine = make_engine(url, source="upgrade", migrates=True)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_run)
    finally:
        await engine.dispose()


def _run(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SET LOCAL lock_timeout = '{WAIT_S}s'"))
        connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK_KEY})"))
    known = {script.revision for script in scripts().walk_revisions()}
    for revision in MigrationContext.configure(connection).get_current_heads():
        if revision not in known:
            raise DatabaseTooNew(revision)
    config = configuration()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


@contextmanager
def _alone(url: URL) -> Generator[None]:
    if url.get_backend_name() != "sqlite" or not url.database:
        yield
        return
    path = Path(url.database)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = os.open(path.with_name(f"{path.name}.upgrade-lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        yield
    finally:
        os.close(lock)
