"""The page that lists every fact, made from the declarations: ``python -m trail.event_page``."""

import ast
import inspect
import itertools
import sys
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from trail.catalogue import NAMES
from trail.codec import SCHEMA
from trail.content import ContentRef
from trail.envelope import Envelope, Fact, PrivacyClass
from trail.errors import ContractError

_PLAIN: Final[Mapping[Any, str]] = {
    str: "text",
    int: "integer",
    float: "number",
    bool: "true or false",
    datetime: "instant (UTC)",
    type(None): "nothing",
}
_HEAD: Final = f"""# Events

Every fact that may be recorded, under its stable name. Made by `python -m trail.event_page`;
a test holds this page to the declarations in `trail/events`.

No fact holds words. What somebody said is a *reference to words*: `content_id`, a salted `digest`,
and the counts `words` and `chars`; the words themselves can be erased.

## The envelope

Around each fact, schema `{SCHEMA}`. In JSON there is also `schema`, and `payload` in the place of
`fact`.
"""


def event_page() -> str:
    """Return the page as Markdown."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield _HEAD
    yield from _table(Envelope, leave_out={"fact", "recorded_payload"})
    yield f"Privacy classes: {_closed(PrivacyClass)}."
    yield ""
    family = ""
    for name, (kind, version) in sorted(NAMES.items()):
        if name.rpartition(".")[0] != family:
            family = name.rpartition(".")[0]
            yield f"## {family}"
            yield ""
        yield f"### `{name}`"
        yield ""
        yield f"{_sentence(kind)} Version {version}."
        yield ""
        yield from _table(kind, leave_out=set())


def _table(kind: type[Fact] | type[Envelope[Any]], *, leave_out: set[str]) -> Iterator[str]:
    hints = typing.get_type_hints(kind)
    notes = _notes(kind)
    yield "| field | type | meaning |"
    yield "|---|---|---|"
    for field in fields(kind):  # type: ignore[arg-type]  # every fact is a dataclass
        if field.name not in leave_out:
            yield f"| `{field.name}` | {_type(hints[field.name])} | {notes.get(field.name, '')} |"
    yield ""


def _type(hint: Any) -> str:
    if hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, typing.NewType):
        return f"`{hint.__name__}`"
    arguments = typing.get_args(hint)
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        return " or ".join(_type(argument) for argument in arguments)
    if typing.get_origin(hint) is tuple:
        inside = _type(arguments[0])
        return f"list of ({inside})" if "," in inside else f"list of {inside}"
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _closed(hint)
    if hint is ContentRef:
        return "reference to words"
    if is_dataclass(inner := typing.cast("Any", hint)):
        hints = typing.get_type_hints(inner)
        return ", ".join(f"`{f.name}`: {_type(hints[f.name])}" for f in fields(inner))
    raise ContractError(f"{hint!r} has no place in a fact")


def _closed(kind: type[StrEnum]) -> str:
    return ", ".join(f"`{member.value}`" for member in kind)


def _sentence(kind: type[object]) -> str:
    return " ".join((inspect.getdoc(kind) or "").split())


def _notes(kind: type[object]) -> Mapping[str, str]:
    """Return the docstrings that stand under the fields of ``kind``."""
    body = ast.parse(inspect.getsource(kind)).body[0]
    statements = body.body if isinstance(body, ast.ClassDef) else []
    found: dict[str, str] = {}
    for field, note in itertools.pairwise(statements):
        match field, note:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                found[name] = " ".join(text.split()).replace("``", "`").replace("|", "\\|")
            case _:
                pass
    return found


if __name__ == "__main__":
    sys.stdout.write(event_page())
