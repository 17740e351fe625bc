"""Run by Alembic for every command: hands it the open connection and the tables as we want them."""

from alembic import context
from sqlalchemy import Connection

from trail.adapters import tables

TARGETS = [tables.metadata]
"""All metadata whose tables live in one database."""


def run(connection: Connection) -> None:
    """Run the migrations of the present command in the transaction of ``connection``."""
    context.configure(
        connection=connection,
        target_metadata=TARGETS,
        transactional_ddl=True,
        render_as_batch=connection.dialect.name == "sqlite",
        compare_type=True,
        compare_server_default=True,
    )
    context.run_migrations()


run(context.config.attributes["connection"])
