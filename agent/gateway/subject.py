"""Who is asking: signed cookie or operator token → a subject with scopes (pure).

The cookie says a person id and when it ends, signed with a key of this installation. Whatever
does not verify is as good as no cookie. A bearer token that does not match is refused instead:
whoever sends one meant something by it.
"""

import base64
import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from trail.ids import PersonId

COOKIE_LIFE: Final = timedelta(days=365)
_PURPOSE: Final = b"earwitness sign-in cookie 1\0"
_PARTS: Final = 3
_VALUE_CHARS_AT_MOST: Final = 300


class Scope(StrEnum):
    """What a subject may do at all; rules decide about the single case."""

    TALK = "talk"
    MEMORY_OWN = "memory:own"
    MEMORY_ALL = "memory:all"
    POLICY_READ = "policy:read"
    POLICY_WRITE = "policy:write"
    OPERATE = "operate"


PERSON_SCOPES: Final = frozenset({Scope.TALK, Scope.MEMORY_OWN, Scope.POLICY_READ})
OPERATOR_SCOPES: Final = frozenset(
    {Scope.MEMORY_ALL, Scope.POLICY_READ, Scope.POLICY_WRITE, Scope.OPERATE}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Who asks."""

    person_id: PersonId | None
    """None for the operator and for whoever has not signed in."""
    name: str
    scopes: frozenset[Scope]

    def has(self, scope: Scope) -> bool:
        """Tell whether this subject was granted ``scope``."""
        return scope in self.scopes


ANONYMOUS: Final = Subject(person_id=None, name="", scopes=frozenset())
OPERATOR: Final = Subject(person_id=None, name="", scopes=OPERATOR_SCOPES)


def cookie_name(port: int) -> str:
    """Return the cookie's name; browsers do not tell ports apart, so the name does."""
    return f"earwitness_{port}"


def cookie_value(person_id: PersonId, *, key: bytes, now: datetime) -> str:
    """Return a signed statement that the bearer is ``person_id`` for `COOKIE_LIFE` from ``now``."""
    stated = f"{person_id}.{int((now + COOKIE_LIFE).timestamp())}"
    return f"{stated}.{_signature(stated, key)}"


def cookie_person(value: str, *, key: bytes, now: datetime) -> tuple[PersonId, datetime] | None:
    """Return whom ``value`` speaks for and until when; None if it is forged, broken or over."""
    parts = value.split(".")
    if len(value) > _VALUE_CHARS_AT_MOST or len(parts) != _PARTS or not value.isascii():
        return None
    person, until, signature = parts
    if not hmac.compare_digest(_signature(f"{person}.{until}", key), signature):
        return None
    ends = datetime.fromtimestamp(int(until), tz=now.tzinfo)
    return (PersonId(person), ends) if now < ends else None


def is_operator(authorization: str, *, operator_token: str) -> bool:
    """Tell whether an ``Authorization`` header carries the operator token."""
    kind, _, token = authorization.partition(" ")
    matches = hmac.compare_digest(token.strip().encode(), operator_token.encode())
    return matches and bool(operator_token) and kind.lower() == "bearer"


def _signature(stated: str, key: bytes) -> str:
    made = hmac.new(key, _PURPOSE + stated.encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(made).decode().rstrip("=")
