"""What a token request may wish for (pure): LiveKit's standard body, and nothing that would let
a browser choose who it is, who else comes, or how the room is kept.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from pydantic import BaseModel, ConfigDict, Field, StrictStr

from agent.gateway.names import UnusableName, clean_name
from agent.gateway.problems import Refusal, wrong_field
from trail.ids import CharacterId, RoomName

_ZONE_SHAPE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_+-]{0,31}(/[A-Za-z0-9_+-]{1,32}){0,2}")
_LANGUAGE_SHAPE: Final = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,6}")
_LANGUAGE_CHARS_AT_MOST: Final = 35
_RESERVED: Final = ("lk.", "earwitness.")
_NOT_HERE: Final = "cannot be set here"


class TokenBody(BaseModel):
    """``livekit.TokenSourceRequest`` in JSON. Every field may be left out."""

    model_config = ConfigDict(extra="forbid")

    room_name: StrictStr | None = None
    """None opens a new room."""
    participant_name: StrictStr | None = None
    participant_identity: StrictStr | None = Field(
        default=None, description="Refused: the sign-in says who you are."
    )
    participant_metadata: StrictStr | None = Field(default=None, description="Refused.")
    participant_attributes: dict[StrictStr, StrictStr] | None = Field(
        default=None, description="`time_zone` (IANA) and `language` (BCP 47)."
    )
    room_config: dict[StrictStr, Any] | None = Field(
        default=None,
        description='Only `agents`, with our agent and metadata `{"character": id}`.',
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What was asked for, as far as one may ask."""

    room: RoomName | None
    """None: a new one."""
    name: str | None
    """None: the one given at sign-in."""
    time_zone: str | None
    language: str | None
    character_id: CharacterId | None
    """None: the default."""


def wish(
    body: TokenBody,
    *,
    agent_name: str,
    characters: Collection[str],
    time_zones: Collection[str],
) -> Wish:
    """Return what ``body`` may ask for.

    Args:
        body: As it came.
        agent_name: The one agent that may be named.
        characters: Those one may talk to.
        time_zones: Those of this machine's database. Others are left out instead of refused:
            browsers know zones, and old names of zones, that a database may lack.

    Raises:
        Refusal: 422 naming the field that may not be set, or not like this.
    """
    if body.participant_identity:
        raise wrong_field("participant_identity", _NOT_HERE)
    if body.participant_metadata:
        raise wrong_field("participant_metadata", _NOT_HERE)
    attributes = body.participant_attributes or {}
    for field in attributes.keys() - {"time_zone", "language"}:
        told = "is reserved" if field.startswith(_RESERVED) else "is not known"
        raise wrong_field(f"participant_attributes.{field}", told)
    return Wish(
        room=RoomName(body.room_name) if body.room_name else None,
        name=_name(body.participant_name),
        time_zone=_time_zone(attributes.get("time_zone"), time_zones),
        language=_language(attributes.get("language")),
        character_id=_character(body.room_config or {}, agent_name, characters),
    )


def _name(typed: str | None) -> str | None:
    if not typed:
        return None
    try:
        return clean_name(typed)
    except UnusableName as error:
        raise wrong_field("participant_name", str(error)) from error


def _time_zone(name: str | None, known: Collection[str]) -> str | None:
    if not name:
        return None
    if not _ZONE_SHAPE.fullmatch(name):
        raise wrong_field("participant_attributes.time_zone", "is not an IANA time zone")
    return name if name in known else None


def _language(tag: str | None) -> str | None:
    if not tag:
        return None
    if len(tag) > _LANGUAGE_CHARS_AT_MOST or not _LANGUAGE_SHAPE.fullmatch(tag):
        raise wrong_field("participant_attributes.language", "is not a BCP 47 language tag")
    return tag


def _character(
    config: Mapping[str, Any], agent_name: str, characters: Collection[str]
) -> CharacterId | None:
    for field in config.keys() - {"agents"}:
        raise wrong_field(f"room_config.{field}", _NOT_HERE)
    listed: Any = config.get("agents") or []
    if not isinstance(listed, list):
        raise wrong_field("room_config.agents", "is a list")
    agents: list[Any] = [*cast("Iterable[Any]", listed)]
    if not agents:
        return None
    if len(agents) > 1:
        raise wrong_field("room_config.agents.1", "only one agent comes into a room")
    if not isinstance(agents[0], dict):
        raise wrong_field("room_config.agents.0", "is an object")
    agent = cast("dict[str, Any]", agents[0])
    for field in agent.keys() - {"agent_name", "metadata"}:
        raise wrong_field(f"room_config.agents.0.{field}", _NOT_HERE)
    if agent.get("agent_name") not in (None, "", agent_name):
        raise wrong_field("room_config.agents.0.agent_name", "is not an agent of this house")
    return _wished_character(agent.get("metadata"), characters)


def _wished_character(metadata: Any, characters: Collection[str]) -> CharacterId | None:
    field = "room_config.agents.0.metadata"
    if not metadata:
        return None
    if not isinstance(metadata, str):
        raise wrong_field(field, "is JSON in a string")
    wished = _object(metadata, field)
    for key in wished.keys() - {"character"}:
        raise wrong_field(f"{field}.{key}", _NOT_HERE)
    character = wished.get("character")
    if character is None:
        return None
    if not isinstance(character, str) or character not in characters:
        raise wrong_field(f"{field}.character", "is not a character of this house")
    return CharacterId(character)


def _object(text: str, field: str) -> dict[str, Any]:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _not_an_object(field) from error
    if not isinstance(value, dict):
        raise _not_an_object(field)
    return cast("dict[str, Any]", value)


def _not_an_object(field: str) -> Refusal:
    return wrong_field(field, "is not a JSON object")
