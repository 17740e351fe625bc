"""The tables of the trail, for queries. They are made by migrations, never from here."""

from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from typing_extensions import override


class Id(TypeDecorator[str]):
    """An identifier. What no database can hold (NUL, half a character) finds nothing."""

    impl = String
    cache_ok = True

    @override
    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None:
            return None
        return value.replace("\x00", "\ufffd").encode(errors="replace").decode()


class Words(TypeDecorator[str]):
    """Text that people typed or said, as UTF-8 bytes: any character may occur in it."""

    impl = LargeBinary
    cache_ok = True

    @override
    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:
        return None if value is None else value.encode(errors="replace")

    @override
    def process_result_value(self, value: Any | None, dialect: Dialect) -> str | None:
        return None if value is None else bytes(value).decode()


class Utc(TypeDecorator[datetime]):
    """An instant in UTC, with its zone on the way in and out, whatever the database keeps."""

    impl = DateTime(timezone=True)
    cache_ok = True

    @override
    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC)

    @override
    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:
        if not isinstance(value, datetime):
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


Order = BigInteger().with_variant(Integer, "sqlite")

metadata: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

counter: Final = Table(
    "trail_counter",
    metadata,
    Column("id", Integer, CheckConstraint("id = 1", name="one_row"), primary_key=True),
    Column("last_order", Order, nullable=False),
)
"""One row: the last global order given out. Its row lock is what makes the order safe."""

facts: Final = Table(
    "trail_facts",
    metadata,
    Column("global_order", Order, primary_key=True, autoincrement=False),
    Column("stream", Id, nullable=False),
    Column("position", Integer, nullable=False),
    Column("event_id", Id, nullable=False),
    Column("event_type", String, nullable=False),
    Column("schema_version", Integer, nullable=False),
    Column("source", String, nullable=False),
    Column("occurred_at", Utc, nullable=False),
    Column("session_id", Id),
    Column("at_s", Float(53)),
    Column("participant_id", Id),
    Column("turn_id", Id),
    Column("correlation_id", Id),
    Column("causation_id", Id),
    Column("privacy_class", String, nullable=False),
    Column("payload", Text, nullable=False),
    Column("digest", String, nullable=False),
    UniqueConstraint("stream", "position"),
    UniqueConstraint("event_id"),
    Index(None, "participant_id", "global_order"),
)

contents: Final = Table(
    "trail_contents",
    metadata,
    Column("content_id", Id, primary_key=True),
    Column("event_id", Id, ForeignKey("trail_facts.event_id"), nullable=False),
    Column("owner", Id, index=True),
    Column("salt", LargeBinary, nullable=False),
    Column("words", Words, nullable=False),
)
"""Erasing deletes the row: words and salt go, the fact and its digest stay."""

leases: Final = Table(
    "trail_leases",
    metadata,
    Column("name", Id, primary_key=True),
    Column("holder", Id, nullable=False),
    Column("expires_s", Float(53), nullable=False),
)
"""``expires_s`` counts seconds since 1970 by the clock of the database."""

sessions: Final = Table(
    "trail_sessions",
    metadata,
    Column("session_id", Id, primary_key=True),
    Column("room", Id, nullable=False),
    Column("owner", Id, nullable=False),
    Column("character_id", Id, nullable=False),
    Column("created_at", Utc, nullable=False),
    Column("ended_at", Utc),
    UniqueConstraint("room"),
    Index(None, "created_at"),
)

session_people: Final = Table(
    "trail_session_people",
    metadata,
    Column("session_id", Id, ForeignKey("trail_sessions.session_id"), primary_key=True),
    Column("person_id", Id, primary_key=True),
    Column("place", Integer, nullable=False),
    Index(None, "person_id"),
)
"""Everybody ever admitted; ``place`` 0 is the owner."""

invitations: Final = Table(
    "trail_invitations",
    metadata,
    Column("invitation_id", Id, primary_key=True),
    Column("session_id", Id, ForeignKey("trail_sessions.session_id"), nullable=False),
    Column("secret_digest", String, nullable=False),
    Column("expires_at", Utc, nullable=False),
    Column("revoked", Boolean, nullable=False),
)

people: Final = Table(
    "trail_people",
    metadata,
    Column("person_id", Id, primary_key=True),
    Column("name", Words, nullable=False),
    Column("created_at", Utc, nullable=False),
    Column("last_seen_at", Utc, nullable=False),
)
