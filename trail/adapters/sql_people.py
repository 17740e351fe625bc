"""The people of this installation, in SQL."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, select
from typing_extensions import override

from trail.adapters.engine import Database, insert
from trail.adapters.tables import people
from trail.adapters.uninterrupted import uninterrupted
from trail.ids import PersonId
from trail.ports import People, Person


class SqlPeople(People):
    """Implements `People`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @override
    @uninterrupted
    async def add(self, person: Person) -> None:
        new = insert(people, self._database.dialect).values(
            person_id=person.person_id,
            name=person.name,
            created_at=person.created_at,
            last_seen_at=person.last_seen_at,
        )
        renewed = new.on_conflict_do_update(
            index_elements=[people.c.person_id],
            set_={"name": new.excluded.name, "last_seen_at": new.excluded.last_seen_at},
        )
        async with self._database.writing() as connection:
            await connection.execute(renewed)

    @override
    @uninterrupted
    async def person(self, person_id: PersonId) -> Person | None:
        query = select(people).where(people.c.person_id == person_id)
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).first()
        return _person(row) if row else None

    @override
    @uninterrupted
    async def people(self) -> Sequence[Person]:
        query = select(people).order_by(people.c.last_seen_at.desc(), people.c.person_id.desc())
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        return [_person(row) for row in rows]


def _person(row: Row[Any]) -> Person:
    return Person(
        person_id=row.person_id,
        name=row.name,
        created_at=row.created_at,
        last_seen_at=row.last_seen_at,
    )
