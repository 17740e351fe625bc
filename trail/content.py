"""Erasable words. Facts refer to them by id and salted digest, so that a chain outlives them."""

import hashlib
from dataclasses import dataclass

from pydantic import ConfigDict

from trail.ids import ContentId, PersonId, random_bytes, uuid7

SALT_BYTES = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentRef:
    """What a fact may know of words: where they are, how many, and a digest over salt and words."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    content_id: ContentId
    digest: str
    """SHA-256 in hex over the 16-byte salt and the UTF-8 words."""
    words: int
    chars: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """Words with the salt that is erased together with them."""

    ref: ContentRef
    owner: PersonId | None
    """Whose words they are; None for the avatar's and the system's own."""
    salt: bytes
    text: str


def content(text: str, *, owner: PersonId | None) -> Content:
    """Return ``text`` ready to be stored, under a new id and a new salt.

    Half a character (an unpaired surrogate, as JSON can smuggle in) becomes a question mark.
    """
    text = text.encode(errors="replace").decode()
    salt = random_bytes(SALT_BYTES)
    ref = ContentRef(
        content_id=ContentId(uuid7()),
        digest=digest(salt, text),
        words=len(text.split()),
        chars=len(text),
    )
    return Content(ref=ref, owner=owner, salt=salt, text=text)


def digest(salt: bytes, text: str) -> str:
    """Return the hex digest that a reference to ``text`` carries."""
    return hashlib.sha256(salt + text.encode()).hexdigest()
