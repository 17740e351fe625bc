"""Facts and envelopes to JSON and back, derived from their declarations.

What is written down is what was recorded: an envelope whose fact was lifted from an older
version still gives the JSON of its recording, because its digest was taken over that.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from trail.catalogue import NAMES, UPCASTERS
from trail.envelope import Envelope, Fact
from trail.errors import ContractError, TrailCorrupt

SCHEMA: Final = "earwitness.runtime.v1"

_NAME_OF: Final = {kind: (name, version) for name, (kind, version) in NAMES.items()}
_FACTS: Final[Mapping[type[Fact], TypeAdapter[Fact]]] = {
    kind: TypeAdapter(kind) for kind in _NAME_OF
}
_FRAME: Final[TypeAdapter[Envelope[Any]]] = TypeAdapter(Envelope[Any])
_NOT_ON_THE_WIRE: Final = {"fact", "recorded_payload"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoded:
    """A fact as it is stored."""

    event_type: str
    schema_version: int
    payload: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """A fact as it is used, and its payload as recorded if an upcaster changed it."""

    fact: Fact
    recorded_payload: Mapping[str, Any] | None


def encode(fact: Fact) -> Encoded:
    """Return ``fact`` with the name and version of the catalogue.

    Raises:
        ContractError: the fact is not in the catalogue, or holds what JSON cannot.
    """
    kind = type(fact)
    try:
        name, version = _NAME_OF[kind]
    except KeyError:
        raise ContractError(f"{kind.__name__} is not in the catalogue") from None
    try:
        payload = _FACTS[kind].dump_python(fact, mode="json", warnings="error")
    except PydanticSerializationError as error:
        raise ContractError(f"{name} cannot be written: {error}") from error
    return Encoded(event_type=name, schema_version=version, payload=payload)


def decode(event_type: str, schema_version: int, payload: Mapping[str, Any]) -> Decoded:
    """Return the fact of a stored payload, lifted to its present version.

    Raises:
        TrailCorrupt: unknown name, version from the future, or data that does not fit.
    """
    try:
        kind, present = NAMES[event_type]
    except KeyError:
        raise TrailCorrupt(f"unknown fact {event_type!r}") from None
    if not 1 <= schema_version <= present:
        raise TrailCorrupt(f"{event_type} has unknown version {schema_version}")
    data = dict(payload)
    try:
        for version in range(schema_version, present):
            data = UPCASTERS[event_type, version](data)
        fact = _FACTS[kind].validate_python(data)
    except (KeyError, TypeError, ValueError) as error:
        # A pydantic error is a ValueError. It quotes its input, which holds no words.
        raise TrailCorrupt(f"{event_type} v{schema_version} cannot be read: {error}") from error
    return Decoded(fact=fact, recorded_payload=payload if schema_version < present else None)


def canonical(data: Mapping[str, Any]) -> str:
    """Return the one JSON text of ``data``: sorted keys, no spaces, no NaN.

    Raises:
        ContractError: ``data`` holds a number that JSON cannot, or half a character.
    """
    try:
        text = json.dumps(
            data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
        )
        text.encode()
    except ValueError as error:
        raise ContractError(f"not representable in JSON: {error}") from error
    return text


def envelope_to_json(envelope: Envelope[Fact]) -> dict[str, Any]:
    """Return ``envelope`` as a JSON object of schema ``earwitness.runtime.v1``."""
    if envelope.recorded_payload is None:
        payload: Mapping[str, Any] = encode(envelope.fact).payload
    else:
        payload = envelope.recorded_payload
    frame = _FRAME.dump_python(
        replace(envelope, fact=cast("Fact", None)), mode="json", exclude=_NOT_ON_THE_WIRE
    )
    return {"schema": SCHEMA, **frame, "payload": payload}


def envelope_from_json(data: Mapping[str, Any]) -> Envelope[Fact]:
    """Return the envelope of a JSON object.

    Raises:
        TrailCorrupt: a field is missing, unknown or does not fit.
    """
    if data.get("schema") != SCHEMA:
        raise TrailCorrupt(f"not of schema {SCHEMA}: {data.get('schema')!r}")
    frame = {key: value for key, value in data.items() if key not in {"schema", "payload"}}
    try:
        payload = dict(data["payload"])
        envelope = _FRAME.validate_python({**frame, "fact": None})
    except (KeyError, TypeError, ValidationError) as error:
        raise TrailCorrupt(f"not an envelope: {error}") from error
    decoded = decode(envelope.event_type, envelope.schema_version, payload)
    return replace(envelope, fact=decoded.fact, recorded_payload=decoded.recorded_payload)
