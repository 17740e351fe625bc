"""Sessions, who belongs to them, and invitations, in SQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import override

from trail.adapters.engine import Database
from trail.adapters.engine import insert as insert_or_update
from trail.adapters.tables import invitations, session_people, sessions
from trail.adapters.uninterrupted import uninterrupted
from trail.errors import ContractError
from trail.ids import InvitationId, PersonId, RoomName, SessionId
from trail.ports import Invitation, Invitations, SessionDirectory, SessionRow


class SqlDirectory(SessionDirectory):
    """Implements `SessionDirectory`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @override
    @uninterrupted
    async def create(self, row: SessionRow) -> None:
        session = {
            "session_id": row.session_id,
            "room": row.room,
            "owner": row.owner,
            "character_id": row.character_id,
            "created_at": row.created_at,
            "ended_at": row.ended_at,
        }
        people = [
            {"session_id": row.session_id, "person_id": person_id, "place": place}
            for place, person_id in enumerate(row.people)
        ]
        async with self._database.writing() as connection:
            await connection.execute(insert(sessions).values(session))
            if people:
                await connection.execute(insert(session_people), people)

    @override
    @uninterrupted
    async def find(
        self, *, session_id: SessionId | None, room: RoomName | None
    ) -> SessionRow | None:
        if session_id is None and room is None:
            return None
        query = select(sessions)
        if session_id is not None:
            query = query.where(sessions.c.session_id == session_id)
        if room is not None:
            query = query.where(sessions.c.room == room)
        rows = await self._rows(query)
        return rows[0] if rows else None

    @override
    @uninterrupted
    async def sessions_of(
        self, person_id: PersonId | None, *, limit: int = 50, open_only: bool = False
    ) -> Sequence[SessionRow]:
        query = select(sessions)
        if person_id is not None:
            query = query.join(session_people).where(session_people.c.person_id == person_id)
        if open_only:
            query = query.where(sessions.c.ended_at.is_(None))
        newest_first = query.order_by(sessions.c.created_at.desc(), sessions.c.session_id.desc())
        return await self._rows(newest_first.limit(limit))

    @override
    @uninterrupted
    async def admit(self, session_id: SessionId, person_id: PersonId) -> None:
        others = select(func.count()).where(session_people.c.session_id == session_id)
        admitted = insert_or_update(session_people, self._database.dialect).values(
            session_id=session_id, person_id=person_id, place=others.scalar_subquery()
        )
        async with self._database.writing() as connection:
            await connection.execute(admitted.on_conflict_do_nothing())

    @override
    @uninterrupted
    async def end(self, session_id: SessionId, *, at: datetime) -> None:
        ended = update(sessions).where(sessions.c.session_id == session_id).values(ended_at=at)
        async with self._database.writing() as connection:
            if (await connection.execute(ended)).rowcount == 0:
                raise ContractError("there is no such session")

    async def _rows(self, query: Select[tuple[Any, ...]]) -> Sequence[SessionRow]:
        async with self._database.reading() as connection:
            found = (await connection.execute(query)).all()
            people = await _people_of(connection, [row.session_id for row in found])
        return [_session(row, people[row.session_id]) for row in found]


async def _people_of(
    connection: AsyncConnection, ids: Sequence[SessionId]
) -> dict[SessionId, list[PersonId]]:
    people: dict[SessionId, list[PersonId]] = {session_id: [] for session_id in ids}
    query = (
        select(session_people)
        .where(session_people.c.session_id.in_(ids))
        .order_by(session_people.c.place, session_people.c.person_id)
    )
    for row in await connection.execute(query):
        people[row.session_id].append(row.person_id)
    return people


def _session(row: Row[Any], people: Sequence[PersonId]) -> SessionRow:
    return SessionRow(
        session_id=row.session_id,
        room=row.room,
        owner=row.owner,
        character_id=row.character_id,
        created_at=row.created_at,
        ended_at=row.ended_at,
        people=tuple(people),
    )


class SqlInvitations(Invitations):
    """Implements `Invitations`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @override
    @uninterrupted
    async def issue(self, invitation: Invitation) -> None:
        new = insert(invitations).values(
            invitation_id=invitation.invitation_id,
            session_id=invitation.session_id,
            secret_digest=invitation.secret_digest,
            expires_at=invitation.expires_at,
            revoked=invitation.revoked,
        )
        async with self._database.writing() as connection:
            await connection.execute(new)

    @override
    @uninterrupted
    async def invitation(self, invitation_id: InvitationId) -> Invitation | None:
        query = select(invitations).where(invitations.c.invitation_id == invitation_id)
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).first()
        if row is None:
            return None
        return Invitation(
            invitation_id=row.invitation_id,
            session_id=row.session_id,
            secret_digest=row.secret_digest,
            expires_at=row.expires_at,
            revoked=row.revoked,
        )

    @override
    @uninterrupted
    async def revoke(self, invitation_id: InvitationId) -> None:
        mine = invitations.c.invitation_id == invitation_id
        async with self._database.writing() as connection:
            await connection.execute(update(invitations).where(mine).values(revoked=True))
