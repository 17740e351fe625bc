"""Where settings come from: one nested dictionary per source, and for each value its place.

Pure: texts and mappings go in, values come out. A later layer outweighs an earlier one, key by
key; lists are taken whole. Every complaint names the place and, for an unknown name, the
nearest one that exists.
"""

import difflib
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeGuard, cast

import yaml
from dotenv.parser import parse_stream
from pydantic_core import ErrorDetails

PREFIX = "EARWITNESS_"
NESTED = "__"
FOREIGN = {
    "LIVEKIT_URL": ("livekit", "url"),
    "LIVEKIT_API_KEY": ("livekit", "api_key"),
    "LIVEKIT_API_SECRET": ("livekit", "api_secret"),
}
"""Names that users of LiveKit know; our own name for the same setting outweighs them."""

Key = tuple[str | int, ...]


class SettingsError(ValueError):
    """A setting is unknown, unreadable or out of bounds; the message says where and what."""


@dataclass(frozen=True, slots=True)
class Layer:
    """What one source says."""

    values: dict[str, Any] = field(default_factory=dict[str, Any])
    places: dict[Key, str] = field(default_factory=dict[Key, str])
    """Where each value stands, such as ``EARWITNESS_PORT`` or ``my.yaml, line 3``."""

    def put(self, key: Key, value: Any, place: str) -> None:
        """Set the value at ``key``, making the groups above it."""
        group: dict[str, Any] = self.values
        for index, part in enumerate(key[:-1]):
            inner = group.setdefault(str(part), {})
            if not isinstance(inner, dict):
                above = self.places[key[: index + 1]]
                raise SettingsError(f"{place} goes into a group, but {above} gave it one value")
            group = cast("dict[str, Any]", inner)
        group[str(key[-1])] = value
        self.places[key] = place


def from_flags(flags: Mapping[str, Any]) -> Layer:
    """Return what the command line said; None means: said nothing."""
    layer = Layer()
    for name, value in flags.items():
        if value is not None:
            key = tuple(name.split(NESTED))
            layer.put(key, value, f"--{name.rpartition(NESTED)[2].replace('_', '-')}")
    return layer


def from_environment(variables: Mapping[str, str], *, known: Collection[str]) -> Layer:
    """Return what environment variables say; empty ones say nothing.

    Args:
        variables: The whole environment.
        known: Dotted names of all settings, for suggestions.

    Raises:
        SettingsError: A variable begins like ours but names no setting.
    """
    return _from_variables(((name, value, name) for name, value in variables.items()), known)


def from_env_file(text: str, name: str, *, known: Collection[str]) -> Layer:
    """Return what a ``.env`` file says.

    Raises:
        SettingsError: A line cannot be read, or names no setting although it begins like ours.
    """
    found: list[tuple[str, str, str]] = []
    for binding in parse_stream(io.StringIO(text)):
        leading = len(binding.original.string) - len(binding.original.string.lstrip("\n"))
        line = binding.original.line + leading
        if binding.error:
            raise SettingsError(f"{name}, line {line}: cannot be read as NAME=value")
        if binding.key is not None:
            place = f"{name}, line {line}: {binding.key}"
            found.append((binding.key, binding.value or "", place))
    return _from_variables(found, known)


def _from_variables(variables: Iterable[tuple[str, str, str]], known: Collection[str]) -> Layer:
    layer = Layer()
    said = [(name.upper(), value, place) for name, value, place in variables if value]
    for name, value, place in said:
        if name in FOREIGN:
            layer.put(FOREIGN[name], value, place)
    for name, value, place in sorted(said, key=lambda each: len(each[0])):
        if not name.startswith(PREFIX) or name == f"{PREFIX}CONFIG":
            continue
        key = tuple(name.removeprefix(PREFIX).lower().split(NESTED))
        if not _names_a_setting(key, known):
            dotted = ".".join(key)
            close = nearest(dotted, known)
            hint = f"; did you mean {PREFIX}{close.upper().replace('.', NESTED)}?" if close else ""
            raise SettingsError(f"{place}: there is no such setting{hint}")
        layer.put(key, _structured(value, place), place)
    return layer


def _names_a_setting(key: tuple[str, ...], known: Collection[str]) -> bool:
    dotted = ".".join(key)
    return any(dotted == name or dotted.startswith(f"{name}.") for name in known) or any(
        name.startswith(f"{dotted}.") for name in known
    )


def _structured(value: str, place: str) -> Any:
    """Read a list or a group written in one line; leave everything else as it is."""
    if not value.lstrip().startswith(("[", "{")):
        return value
    try:
        return yaml.safe_load(value)
    except yaml.YAMLError as error:
        raise SettingsError(f"{place}: not a list or a group") from error


def from_yaml(text: str, name: str) -> Layer:
    """Return what a configuration file says.

    Raises:
        SettingsError: It is not YAML, not a group of settings, or says something twice.
    """
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        values = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise SettingsError(f"{name}, line {line}: {error.problem}") from error
    if node is None:
        return Layer()
    if not isinstance(node, yaml.MappingNode):
        raise SettingsError(f"{name}, line 1: expected settings, one `name: value` a line")
    layer = Layer(values=values)
    _mark(node, (), name, layer.places)
    return layer


def _mark(node: yaml.Node, key: Key, name: str, places: dict[Key, str]) -> None:
    if isinstance(node, yaml.MappingNode):
        pairs = cast("list[tuple[yaml.ScalarNode, yaml.Node]]", node.value)
        for name_node, value_node in pairs:
            inner = (*key, str(name_node.value))
            place = f"{name}, line {name_node.start_mark.line + 1}"
            if inner in places:
                raise SettingsError(f"{place}: {dotted(inner)} is set twice")
            places[inner] = place
            _mark(value_node, inner, name, places)
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(cast("list[yaml.Node]", node.value)):
            places[*key, index] = f"{name}, line {item.start_mark.line + 1}"
            _mark(item, (*key, index), name, places)


def merged(layers: Iterable[Layer]) -> Layer:
    """Return all layers as one; later ones outweigh earlier ones, key by key."""
    whole = Layer()
    for layer in layers:
        _merge(whole.values, layer.values)
        for key in layer.places:
            for old in [k for k in whole.places if k[: len(key)] == key or key[: len(k)] == k]:
                if old[: len(key)] == key and not isinstance(_at(layer.values, key), dict):
                    del whole.places[old]
        whole.places.update(layer.places)
    return whole


def _merge(into: dict[str, Any], values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        present = into.get(name)
        if isinstance(present, dict) and isinstance(value, dict):
            _merge(cast("dict[str, Any]", present), cast("dict[str, Any]", value))
        else:
            copied = cast("dict[str, Any]", {})
            if isinstance(value, dict):
                _merge(copied, cast("dict[str, Any]", value))
            into[name] = copied if isinstance(value, dict) else value


def _at(values: Any, key: Key) -> Any:
    for part in key:
        values = values[part]
    return values


def is_several(value: object) -> TypeGuard[Sequence[Any]]:
    """Tell whether a value is a list (or became a tuple)."""
    return isinstance(value, list | tuple)


def says(values: Mapping[str, Any], key: Key) -> bool:
    """Tell whether there is a value at ``key``."""
    try:
        _at(values, key)
    except (KeyError, IndexError, TypeError):
        return False
    return True


def place_of(key: Key, places: Mapping[Key, str]) -> str | None:
    """Return where ``key`` was set: itself, else the closest group or list above it."""
    for length in range(len(key), 0, -1):
        if key[:length] in places:
            return places[key[:length]]
    return None


def dotted(key: Key) -> str:
    """Return ``models.llm[0].model`` for a key."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in key)
    return text.removeprefix(".")


def nearest(name: str, known: Collection[str]) -> str | None:
    """Return the known name that ``name`` was probably meant to be."""
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.7)
    if not close:
        ends = {each.rpartition(".")[2]: each for each in known}
        close = [ends[e] for e in difflib.get_close_matches(name.rpartition(".")[2], ends, n=1)]
    return close[0] if close else None


def complaint(error: ErrorDetails, places: Mapping[Key, str], known: Collection[str]) -> str:
    """Return one sentence about one wrong value. The value itself is not in it."""
    key: Key = error["loc"]
    place = place_of(key, places)
    start = f"{place}: " if place else ""
    if error["type"] == "extra_forbidden":
        plain = tuple(part for part in key if not isinstance(part, int))
        close = nearest(dotted(plain), known)
        hint = f"; did you mean {close}?" if close else ""
        return f"{start}{dotted(key)} is not a setting{hint}"
    message = error["msg"].removeprefix("Value error, ")
    return f"{start}{dotted(key)}: {message}" if key else f"{start}{message}"
