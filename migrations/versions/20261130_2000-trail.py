"""The trail: facts, words, leases, sessions, invitations and people."""

import sqlalchemy as sa
from alembic import op

revision = "20261130_2000"
down_revision = None

ORDER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables."""
    counter = op.create_table(
        "trail_counter",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("last_order", ORDER, nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_trail_counter_one_row")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_trail_counter")),
    )
    op.bulk_insert(counter, [{"id": 1, "last_order": 0}])
    op.create_table(
        "trail_facts",
        sa.Column("global_order", ORDER, autoincrement=False, nullable=False),
        sa.Column("stream", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.String(), nullable=False),
        sa.Column("event_type", sa.String(), nullable=False),
        sa.Column("schema_version", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("occurred_at", INSTANT, nullable=False),
        sa.Column("session_id", sa.String()),
        sa.Column("at_s", sa.Float(53)),
        sa.Column("participant_id", sa.String()),
        sa.Column("turn_id", sa.String()),
        sa.Column("correlation_id", sa.String()),
        sa.Column("causation_id", sa.String()),
        sa.Column("privacy_class", sa.String(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("global_order", name=op.f("pk_trail_facts")),
        sa.UniqueConstraint("stream", "position", name=op.f("uq_trail_facts_stream_position")),
        sa.UniqueConstraint("event_id", name=op.f("uq_trail_facts_event_id")),
    )
    op.create_index(
        op.f("ix_trail_facts_participant_id_global_order"),
        "trail_facts",
        ["participant_id", "global_order"],
    )
    op.create_table(
        "trail_contents",
        sa.Column("content_id", sa.String(), nullable=False),
        sa.Column("event_id", sa.String(), nullable=False),
        sa.Column("owner", sa.String()),
        sa.Column("salt", sa.LargeBinary(), nullable=False),
        sa.Column("words", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("content_id", name=op.f("pk_trail_contents")),
        sa.ForeignKeyConstraint(
            ["event_id"], ["trail_facts.event_id"], name=op.f("fk_trail_contents_event_id")
        ),
    )
    op.create_index(op.f("ix_trail_contents_owner"), "trail_contents", ["owner"])
    op.create_table(
        "trail_leases",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("holder", sa.String(), nullable=False),
        sa.Column("expires_s", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_trail_leases")),
    )
    _sessions()
    op.create_table(
        "trail_people",
        sa.Column("person_id", sa.String(), nullable=False),
        sa.Column("name", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("last_seen_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("person_id", name=op.f("pk_trail_people")),
    )


def _sessions() -> None:
    op.create_table(
        "trail_sessions",
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("character_id", sa.String(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("ended_at", INSTANT),
        sa.PrimaryKeyConstraint("session_id", name=op.f("pk_trail_sessions")),
        sa.UniqueConstraint("room", name=op.f("uq_trail_sessions_room")),
    )
    op.create_index(op.f("ix_trail_sessions_created_at"), "trail_sessions", ["created_at"])
    op.create_table(
        "trail_session_people",
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("person_id", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", "person_id", name=op.f("pk_trail_session_people")),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["trail_sessions.session_id"],
            name=op.f("fk_trail_session_people_session_id"),
        ),
    )
    op.create_index(
        op.f("ix_trail_session_people_person_id"), "trail_session_people", ["person_id"]
    )
    op.create_table(
        "trail_invitations",
        sa.Column("invitation_id", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("secret_digest", sa.String(), nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.Column("revoked", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("invitation_id", name=op.f("pk_trail_invitations")),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["trail_sessions.session_id"],
            name=op.f("fk_trail_invitations_session_id"),
        ),
    )
