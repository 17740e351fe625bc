"""Erasable words in SQL.

On SQLite an erased word is overwritten in the file and leaves the write-ahead log before `erase`
returns, unless a long read holds the log back. On PostgreSQL old row versions stay in the files
until vacuum takes them, and in whatever archives the operator keeps.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from sqlalchemy import ColumnElement, and_, delete, func, select
from typing_extensions import override

from trail.adapters.engine import Database
from trail.adapters.tables import contents
from trail.adapters.uninterrupted import uninterrupted
from trail.ids import ContentId, PersonId
from trail.ports import ContentStore

IDS_AT_ONCE: Final = 500
"""Well below what either database takes as parameters of one statement."""


class SqlContent(ContentStore):
    """Implements `ContentStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @override
    @uninterrupted
    async def texts(self, ids: Sequence[ContentId]) -> Mapping[ContentId, str]:
        found: dict[ContentId, str] = {}
        async with self._database.reading() as connection:
            for some in _portions(ids):
                query = select(contents.c.content_id, contents.c.words)
                rows = await connection.execute(query.where(contents.c.content_id.in_(some)))
                found.update((row.content_id, row.words) for row in rows)
        return found

    @override
    @uninterrupted
    async def count(self, ids: Sequence[ContentId], *, owner: PersonId | None) -> int:
        number = 0
        async with self._database.reading() as connection:
            for some in _portions(ids):
                query = select(func.count()).select_from(contents).where(_belongs(some, owner))
                number += (await connection.execute(query)).scalar_one()
        return number

    @override
    @uninterrupted
    async def erase(self, ids: Sequence[ContentId], *, owner: PersonId | None) -> int:
        erased = 0
        async with self._database.writing() as connection:
            for some in _portions(ids):
                result = await connection.execute(delete(contents).where(_belongs(some, owner)))
                erased += result.rowcount
        if erased:
            await self._database.shed()
        return erased


def _belongs(ids: Sequence[ContentId], owner: PersonId | None) -> ColumnElement[bool]:
    wanted = contents.c.content_id.in_(ids)
    return wanted if owner is None else and_(wanted, contents.c.owner == owner)


def _portions(ids: Sequence[ContentId]) -> Iterator[Sequence[ContentId]]:
    unique = list(dict.fromkeys(ids))
    for start in range(0, len(unique), IDS_AT_ONCE):
        yield unique[start : start + IDS_AT_ONCE]
