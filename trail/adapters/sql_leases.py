"""Leases in SQL. One statement decides, by the database's clock; no two machines can disagree."""

from sqlalchemy import delete, or_, select
from typing_extensions import override

from trail.adapters.engine import Database, DatabaseClock, insert
from trail.adapters.tables import leases
from trail.adapters.uninterrupted import uninterrupted
from trail.ports import Leases


class SqlLeases(Leases):
    """Implements `Leases`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @override
    @uninterrupted
    async def acquire(self, name: str, holder: str, *, ttl_s: float) -> bool:
        expires_s = DatabaseClock() + ttl_s
        new = insert(leases, self._database.dialect).values(
            name=name, holder=holder, expires_s=expires_s
        )
        take = new.on_conflict_do_update(
            index_elements=[leases.c.name],
            set_={"holder": holder, "expires_s": expires_s},
            where=or_(leases.c.holder == holder, leases.c.expires_s <= DatabaseClock()),
        ).returning(leases.c.holder)
        async with self._database.writing() as connection:
            return (await connection.execute(take)).first() is not None

    @override
    @uninterrupted
    async def release(self, name: str, holder: str) -> None:
        mine = delete(leases).where(leases.c.name == name, leases.c.holder == holder)
        async with self._database.writing() as connection:
            await connection.execute(mine)

    @override
    @uninterrupted
    async def held(self, name: str) -> bool:
        query = select(leases.c.name).where(
            leases.c.name == name, leases.c.expires_s > DatabaseClock()
        )
        async with self._database.reading() as connection:
            return (await connection.execute(query)).first() is not None
