"""What a dispatch tells the worker: which session, whose, with which character."""

import json
from dataclasses import dataclass
from typing import Any

from trail.ids import CharacterId, PersonId, SessionId
from trail.ports import SessionRow

AGENT_NAME = "earwitness"
"""Name under which workers register; dispatch is explicit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """What the dispatch says about the session to run."""

    session_id: SessionId
    owner: PersonId
    character_id: CharacterId


def errand_of(metadata: str) -> Errand:
    """Return what a dispatch asks for.

    Raises:
        ValueError: the metadata is not what our gateway writes.
    """
    value: Any = json.loads(metadata or "{}")
    try:
        return Errand(
            session_id=SessionId(str(value["session_id"])),
            owner=PersonId(str(value["owner"])),
            character_id=CharacterId(str(value["character_id"])),
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"not the metadata of a session: {error}") from error


def errand_metadata(row: SessionRow) -> str:
    """Return the dispatch metadata for a session of the directory."""
    return json.dumps(
        {"session_id": row.session_id, "owner": row.owner, "character_id": row.character_id}
    )
