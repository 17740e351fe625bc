"""Who the avatar is: name, voice, prompt and look, one YAML file per character.

Characters come from two places: the files packaged with the house and the ``characters`` folder
of the data folder. A file in the second place replaces a packaged one with the same id.
Everything that is wrong in a file is said with its name and line, and with what was probably
meant.
"""

import difflib
import importlib.resources
from collections.abc import Hashable, Iterator, Mapping, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, cast

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from config.look import Look

Text = Annotated[str, Field(min_length=1)]
CharacterName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,39}$")]
"""Lower-case letters, digits, ``-`` and ``_``: it appears in file names and addresses."""

_PACKAGE = "config.characters"
_SUFFIXES = (".yaml", ".yml")
_FILE_BYTES_AT_MOST = 256 * 1024
"""A character is a page of text; a larger file was put here by mistake."""


class CharacterFileWrong(Exception):
    """A character file cannot be used; the message names file, line and remedy."""

    def __init__(self, file: str, line: int, reason: str) -> None:
        super().__init__(f"{file}, line {line}: {reason}")
        self.file = file
        self.line = line


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Voice(_Part):
    """How the character sounds."""

    name: Text = "heart"
    """Name of a voice of the configured synthesiser."""
    pitch: Annotated[float, Field(ge=0.5, le=2.0)] = 1.0
    """Factor; 1 is the voice as it was recorded."""
    speed: Annotated[float, Field(ge=0.5, le=2.0)] = 1.0
    """Factor; 1 is the voice's own pace."""


class Character(_Part):
    """One character, complete."""

    id: CharacterName
    name: Annotated[str, Field(min_length=1, max_length=40)]
    """What people call it."""
    display_name: Annotated[str, Field(min_length=1, max_length=80)]
    """What the page shows."""
    voice: Voice = Voice()
    prompt: Annotated[str, Field(min_length=1, max_length=8_000)]
    """System prompt: who the model is and how it talks."""
    greeting: Annotated[str, Field(max_length=500)] = ""
    """First words of a new session; empty lets the person begin."""
    look: Look = Look()
    tags: tuple[Text, ...] = ()
    tools: tuple[Text, ...] = ()
    """Names of the tools it may use."""
    policies: tuple[Text, ...] = ()
    """Names of additional policy sets that hold in its sessions."""


def load_characters(folder: Path | None) -> Mapping[str, Character]:
    """Return every character by its id: the packaged ones and those in ``folder``.

    Args:
        folder: Where the operator keeps characters; None or a missing folder adds none.

    Raises:
        CharacterFileWrong: A file cannot be read, or is not a character.
    """
    packaged = _read_all(importlib.resources.files(_PACKAGE))
    own = _read_all(folder) if folder is not None and folder.is_dir() else {}
    return MappingProxyType({**packaged, **own})


def choose(characters: Mapping[str, Character], wanted: str) -> Character:
    """Return the character called ``wanted``.

    Raises:
        LookupError: There is none; the message says which there are.
    """
    found = characters.get(wanted)
    if found is None:
        raise LookupError(f"no character {wanted!r}{_hint(wanted, tuple(characters))}")
    return found


def read_character(text: str, *, file: str) -> Character:
    """Return the character described by the YAML ``text``.

    Args:
        text: Content of the file.
        file: Its name, for messages.

    Raises:
        CharacterFileWrong: The text is not YAML, or not a character.
    """
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        values = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise CharacterFileWrong(file, line, f"not valid YAML: {error.problem}") from error
    except (yaml.YAMLError, ValueError) as error:
        raise CharacterFileWrong(file, 1, f"not valid YAML: {error}") from error
    if not isinstance(node, yaml.MappingNode):
        raise CharacterFileWrong(file, 1, "a character is a list of `name: value` lines")
    for key, line in _repeated_keys(node):
        raise CharacterFileWrong(file, line, f"{key!r} is given twice")
    try:
        return Character.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise CharacterFileWrong(
            file, _line_of(node, first["loc"]), _reason(first["type"], first["loc"], first["msg"])
        ) from error


def _read_all(folder: Traversable) -> dict[str, Character]:
    found: dict[str, Character] = {}
    files = sorted((f for f in folder.iterdir() if f.name.endswith(_SUFFIXES)), key=_name)
    for file in files:
        character = read_character(_content(file), file=str(file))
        if character.id in found:
            raise CharacterFileWrong(str(file), 1, f"another file here is {character.id!r} too")
        found[character.id] = character
    return found


def _name(file: Traversable) -> str:
    return file.name


def _content(file: Traversable) -> str:
    try:
        content = file.read_bytes()
    except OSError as error:
        raise CharacterFileWrong(str(file), 1, f"cannot be read: {error.strerror}") from error
    if len(content) > _FILE_BYTES_AT_MOST:
        raise CharacterFileWrong(str(file), 1, "too large for a character")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise CharacterFileWrong(str(file), line, "not UTF-8 text") from error


def _repeated_keys(node: yaml.Node) -> Iterator[tuple[Hashable, int]]:
    """YAML keeps the last of two equal keys without a word; yield each such key and its line."""
    if isinstance(node, yaml.MappingNode):
        seen: set[Hashable] = set()
        for key, value in node.value:
            name = str(key.value)
            if name in seen:
                yield name, key.start_mark.line + 1
            seen.add(name)
            yield from _repeated_keys(value)


def _line_of(node: yaml.Node, path: Sequence[int | str]) -> int:
    """Return the line of the entry at ``path``, or of the last part of it that exists."""
    line = cast("int", node.start_mark.line) + 1
    for step in path:
        if isinstance(node, yaml.MappingNode):
            entries: dict[Any, tuple[yaml.Node, yaml.Node]] = {
                k.value: (k, v) for k, v in node.value
            }
            if step not in entries:
                return line
            key, node = entries[step]
            line = key.start_mark.line + 1
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int):
            node = node.value[step]
            line = node.start_mark.line + 1
    return line


def _reason(kind: str, path: Sequence[int | str], message: str) -> str:
    where = ".".join(str(step) for step in path)
    match kind:
        case "extra_forbidden":
            return f"unknown entry {where!r}{_hint(str(path[-1]), _known(path[:-1]))}"
        case "missing":
            return f"{where!r} is missing"
        case "string_pattern_mismatch" if path[0] == "look":
            return f"{where!r} must be a colour such as '#5A3B33' (in quotes)"
        case _:
            return f"{where!r}: {message}"


def _known(path: Sequence[int | str]) -> tuple[str, ...]:
    parts: dict[tuple[int | str, ...], type[BaseModel]] = {
        (): Character,
        ("voice",): Voice,
        ("look",): Look,
    }
    part = parts.get(tuple(path))
    return tuple(part.model_fields) if part else ()


def _hint(wanted: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(wanted, known, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; there are: {', '.join(known)}" if known else ""
