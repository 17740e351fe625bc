"""Where the trail is kept, and how it is opened in the running event loop."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from config.settings import Settings
from migrations.upgrade import upgrade
from trail.adapters.sql import open_store, sqlite_url
from trail.ports import Store


def database_url(settings: Settings) -> str:
    """Return the configured database's address, or the SQLite file of the data folder."""
    if settings.database_url is not None:
        return settings.database_url.get_secret_value()
    return sqlite_url(settings.data_dir / "trail.sqlite3")


def is_new(settings: Settings) -> bool:
    """Tell whether the data folder holds no trail yet; a configured server is never new."""
    return settings.database_url is None and not (settings.data_dir / "trail.sqlite3").exists()


async def migrate(settings: Settings) -> None:
    """Bring the database up to date; safe when many processes do it at once.

    Raises:
        DependencyUnavailable: it does not answer, or is of a newer version.
    """
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    await asyncio.to_thread(upgrade, database_url(settings))


@asynccontextmanager
async def open_trail(settings: Settings, *, source: str) -> AsyncGenerator[Store]:
    """Open the trail for the running loop. It must have been migrated.

    Raises:
        DependencyUnavailable: the database does not answer.
    """
    async with open_store(database_url(settings), source=source) as store:
        yield store
