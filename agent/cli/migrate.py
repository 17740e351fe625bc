"""``earwitness migrate``: bring the database to the schema of this version."""

import asyncio

from agent.cli.news import News
from agent.cli.options import Config, DataDir, settings_of
from agent.wiring.store import migrate as bring_up_to_date


def migrate(config: Config = None, data_dir: DataDir = None) -> None:
    """Bring the database up to date; safe while others do the same."""
    settings = settings_of(config=config, data_dir=data_dir)
    asyncio.run(bring_up_to_date(settings))
    News().say("The database is up to date.")
