"""Reads rules files: those that are shipped, and those an operator adds."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from policy.errors import RulesInvalid

SUFFIX: Final = ".cedar"
SCHEMA: Final = "earwitness.cedarschema"
FILE_BYTES_AT_MOST: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesFile:
    """The text of one file."""

    name: str
    """Under which it enters the digest of the rules; the same on every machine."""
    place: str
    """Where a person finds it."""
    text: str


def schema() -> RulesFile:
    """Return the shipped schema."""
    return _read(files("policy.rules") / SCHEMA, name=SCHEMA)


def shipped() -> Sequence[RulesFile]:
    """Return the shipped rules, in order of their names."""
    found = [item for item in files("policy.rules").iterdir() if item.name.endswith(SUFFIX)]
    return [_read(item, name=item.name) for item in sorted(found, key=lambda item: item.name)]


def added(where: Path | None) -> Sequence[RulesFile]:
    """Return the operator's rules: one file, or the ``*.cedar`` files of a folder.

    Raises:
        RulesInvalid: there is nothing to read, or it cannot be read.
    """
    if where is None:
        return []
    if not where.is_dir():
        return [_read(where, name=f"added/{where.name}")]
    found = sorted(where.glob(f"*{SUFFIX}"), key=lambda path: path.name)
    if not found:
        raise RulesInvalid(
            str(where), None, f"holds no {SUFFIX} file; add one, or do not name the folder"
        )
    return [_read(path, name=f"added/{path.name}") for path in found]


def _read(file: Traversable, *, name: str) -> RulesFile:
    place = str(file)
    try:
        with file.open("rb") as stream:
            data = stream.read(FILE_BYTES_AT_MOST + 1)
    except FileNotFoundError as error:
        raise RulesInvalid(place, None, "does not exist; correct the path") from error
    except OSError as error:
        raise RulesInvalid(place, None, f"cannot be read: {error.strerror}") from error
    if len(data) > FILE_BYTES_AT_MOST:
        raise RulesInvalid(
            place, None, f"is larger than {FILE_BYTES_AT_MOST} bytes; split it into several files"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RulesInvalid(place, line, "is not UTF-8; save the file as UTF-8") from error
    return RulesFile(name=name, place=place, text=text)
