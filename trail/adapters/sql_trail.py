"""Facts in SQL.

Positions are gap-free per stream and the global order is gap-free over all, because both are given
out inside the appending transaction, behind one row that it updates first. The lock on that row
is held until the commit is visible: a higher number is given out only after every lower one can
be read. So whatever a reader by global order sees has nothing missing below it, and a cursor over
it never has to look back. The price is that appends commit one after another; grouped commits
make that cheap, and SQLite works like that anyway.
"""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, Select, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import override

from trail.adapters.engine import Database, Taken
from trail.adapters.tables import contents, counter, facts
from trail.adapters.uninterrupted import uninterrupted
from trail.chain import GENESIS
from trail.clock import utc_now
from trail.codec import canonical, decode, encode
from trail.envelope import Entry, Envelope, Fact, PrivacyClass
from trail.errors import PositionConflict, TrailCorrupt
from trail.ids import PersonId, StreamName
from trail.ports import TrailReader, TrailWriter
from trail.seal import as_recorded, seal


class SqlTrail(TrailWriter, TrailReader):
    """Implements `TrailWriter` and `TrailReader`."""

    def __init__(self, database: Database, *, source: str) -> None:
        self._database = database
        self._source = source

    @override
    @uninterrupted
    async def append(
        self, stream: StreamName, entries: Sequence[Entry], *, expected: int | None
    ) -> Sequence[Envelope[Fact]]:
        try:
            return await self._append(stream, entries, expected)
        except (PositionConflict, Taken):
            earlier = await self._recorded(entries)
            if not earlier:
                raise
            return as_recorded(entries, earlier, stream=stream)

    async def _append(
        self, stream: StreamName, entries: Sequence[Entry], expected: int | None
    ) -> Sequence[Envelope[Fact]]:
        async with self._database.writing() as connection:
            last_order = await _take_numbers(connection, len(entries))
            head, previous = await _tail(connection, stream)
            if expected is not None and expected != head:
                raise PositionConflict(expected=expected, actual=head)
            envelopes = seal(
                entries,
                stream=stream,
                source=self._source,
                now=utc_now(),
                head=head,
                previous=previous,
            )
            first_order = last_order - len(entries) + 1
            rows = [_row(order, e) for order, e in enumerate(envelopes, start=first_order)]
            await connection.execute(insert(facts), rows)
            words = [
                {
                    "content_id": content.ref.content_id,
                    "event_id": entry.event_id,
                    "owner": content.owner,
                    "salt": content.salt,
                    "words": content.text,
                }
                for entry in entries
                for content in entry.contents
            ]
            if words:
                await connection.execute(insert(contents), words)
        return envelopes

    async def _recorded(self, entries: Sequence[Entry]) -> Sequence[Envelope[Fact]]:
        ids = [entry.event_id for entry in entries]
        query = select(facts).where(facts.c.event_id.in_(ids))
        return [envelope for _, envelope in await self._envelopes(query)]

    @override
    @uninterrupted
    async def read(
        self, stream: StreamName, *, after: int = 0, limit: int = 500
    ) -> Sequence[Envelope[Fact]]:
        query = (
            select(facts)
            .where(facts.c.stream == stream, facts.c.position > after)
            .order_by(facts.c.position)
            .limit(limit)
        )
        return [envelope for _, envelope in await self._envelopes(query)]

    @override
    @uninterrupted
    async def read_person(
        self, person_id: PersonId, *, after: int = 0, limit: int = 500
    ) -> Sequence[tuple[int, Envelope[Fact]]]:
        query = (
            select(facts)
            .where(facts.c.participant_id == person_id, facts.c.global_order > after)
            .order_by(facts.c.global_order)
            .limit(limit)
        )
        return await self._envelopes(query)

    @override
    @uninterrupted
    async def read_all(
        self, *, after: int = 0, limit: int = 500
    ) -> Sequence[tuple[int, Envelope[Fact]]]:
        query = (
            select(facts)
            .where(facts.c.global_order > after)
            .order_by(facts.c.global_order)
            .limit(limit)
        )
        return await self._envelopes(query)

    @override
    @uninterrupted
    async def head(self, stream: StreamName) -> int:
        async with self._database.reading() as connection:
            return (await _tail(connection, stream))[0]

    async def _envelopes(
        self, query: Select[tuple[Any, ...]]
    ) -> Sequence[tuple[int, Envelope[Fact]]]:
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        return [(row.global_order, _envelope(row)) for row in rows]


async def _take_numbers(connection: AsyncConnection, count: int) -> int:
    """Lock the order and return the last of ``count`` new numbers."""
    step = update(counter).values(last_order=counter.c.last_order + count)
    result = await connection.execute(step.returning(counter.c.last_order))
    number: int = result.scalar_one()
    return number


async def _tail(connection: AsyncConnection, stream: StreamName) -> tuple[int, str]:
    query = select(facts.c.position, facts.c.digest).where(facts.c.stream == stream)
    row = (await connection.execute(query.order_by(facts.c.position.desc()).limit(1))).first()
    return (row.position, row.digest) if row else (0, GENESIS)


def _row(global_order: int, envelope: Envelope[Fact]) -> dict[str, Any]:
    return {
        "global_order": global_order,
        "stream": envelope.stream,
        "position": envelope.position,
        "event_id": envelope.event_id,
        "event_type": envelope.event_type,
        "schema_version": envelope.schema_version,
        "source": envelope.source,
        "occurred_at": envelope.occurred_at,
        "session_id": envelope.session_id,
        "at_s": envelope.at_s,
        "participant_id": envelope.participant_id,
        "turn_id": envelope.turn_id,
        "correlation_id": envelope.correlation_id,
        "causation_id": envelope.causation_id,
        "privacy_class": envelope.privacy_class.value,
        "payload": canonical(encode(envelope.fact).payload),
        "digest": envelope.digest,
    }


def _envelope(row: Row[Any]) -> Envelope[Fact]:
    try:
        decoded = decode(row.event_type, row.schema_version, json.loads(row.payload))
        privacy_class = PrivacyClass(row.privacy_class)
    except (ValueError, TrailCorrupt) as error:
        raise TrailCorrupt(f"{row.stream} at {row.position}: {error}") from error
    return Envelope(
        event_id=row.event_id,
        event_type=row.event_type,
        source=row.source,
        occurred_at=row.occurred_at,
        stream=row.stream,
        position=row.position,
        session_id=row.session_id,
        at_s=row.at_s,
        participant_id=row.participant_id,
        turn_id=row.turn_id,
        correlation_id=row.correlation_id,
        causation_id=row.causation_id,
        privacy_class=privacy_class,
        schema_version=row.schema_version,
        fact=decoded.fact,
        digest=row.digest,
        recorded_payload=decoded.recorded_payload,
    )
