"""Gathers the settings at the doors. The only module that reads the environment.

Precedence: flag, environment (``EARWITNESS_…``, nested with ``__``), ``.env``, configuration file
(``--config``, ``EARWITNESS_CONFIG``, else the packaged one), default.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from dotenv import dotenv_values
from pydantic import BaseModel, SecretStr, ValidationError

from config.layers import (
    PREFIX,
    Key,
    Layer,
    SettingsError,
    complaint,
    dotted,
    from_env_file,
    from_environment,
    from_flags,
    from_yaml,
    is_several,
    merged,
    place_of,
    says,
)
from config.settings import ModelChoice, Settings

PACKAGED_FILE = Path(__file__).with_name("earwitness.yaml")
ENV_FILE = Path(".env")
PROVIDER_KEYS = {"openai": "OPENAI_API_KEY", "deepgram": "DEEPGRAM_API_KEY"}
"""Names that users of the providers know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """One effective setting."""

    name: str
    """Such as ``models.tier``."""
    value: Any
    """As JSON would hold it; secrets masked."""
    place: str
    """Flag, variable, file and line, or ``default``."""


def load_settings(*, config: Path | None = None, **flags: Any) -> Settings:
    """Return the effective settings.

    Args:
        config: Configuration file; None takes ``EARWITNESS_CONFIG``, else the packaged one.
        flags: What the command line said, nested with ``__``: ``models__tier="tiny"``. None is
            as good as nothing.

    Raises:
        SettingsError: Something is unknown, unreadable or out of bounds; the message says where.
    """
    return _settings(_gathered(config, flags, os.environ))


def provenance(*, config: Path | None = None, **flags: Any) -> tuple[Origin, ...]:
    """Return every effective setting with the place it came from; arguments as `load_settings`."""
    layer = _gathered(config, flags, os.environ)
    effective = _settings(layer)
    return tuple(
        Origin(
            name=dotted(key),
            value=value,
            place=(place_of(key, layer.places) if says(layer.values, key) else None) or "default",
        )
        for key, value in _leaves(effective, ())
    )


def known_names() -> tuple[str, ...]:
    """Return the dotted names of all settings; a member of a list has its list's name."""
    return tuple(_names(Settings, ""))


def _gathered(config: Path | None, flags: Mapping[str, Any], variables: Mapping[str, str]) -> Layer:
    known = known_names()
    env_text = ENV_FILE.read_text("utf-8") if ENV_FILE.is_file() else ""
    env_file = dotenv_values(ENV_FILE, interpolate=False) if env_text else {}
    said = variables.get(f"{PREFIX}CONFIG") or env_file.get(f"{PREFIX}CONFIG")
    path = config or (Path(said).expanduser() if said else PACKAGED_FILE)
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"cannot read the configuration file {path}: {error}") from error
    layer = merged(
        (
            from_yaml(text, str(path)) if path != PACKAGED_FILE else _without_places(text),
            from_env_file(env_text, str(ENV_FILE), known=known),
            from_environment(variables, known=known),
            from_flags(flags),
        )
    )
    _lend_provider_keys(layer, {**_plain(env_file), **variables})
    return layer


def _without_places(text: str) -> Layer:
    """Return the packaged file: it equals the defaults, so its values count as such."""
    return Layer(values=from_yaml(text, PACKAGED_FILE.name).values)


def _plain(values: Mapping[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in values.items() if value is not None}


def _settings(layer: Layer) -> Settings:
    try:
        return Settings(**layer.values)
    except ValidationError as error:
        known = known_names()
        found = [complaint(e, layer.places, known) for e in error.errors(include_input=False)]
        raise SettingsError("\n".join(found)) from None  # the cause would show the values


def _lend_provider_keys(layer: Layer, variables: Mapping[str, str]) -> None:
    """Give providers the key kept under their own name, unless the key would go elsewhere."""
    models = layer.values.get("models")
    if not isinstance(models, dict):
        return
    for role in ("stt", "llm", "tts"):
        group = cast("dict[str, Any]", models)
        given = group.get(role)
        items = given if is_several(given) else [given]
        choices = [{"provider": item} if isinstance(item, str) else item for item in items]
        for index, choice in enumerate(choices):
            if not isinstance(choice, dict):
                continue
            entry = cast("dict[str, Any]", choice)
            name = PROVIDER_KEYS.get(str(entry.get("provider")))
            if name and variables.get(name) and not entry.get("api_key") and _is_own(entry):
                choices[index] = {**entry, "api_key": variables[name]}
                layer.places["models", role, index, "api_key"] = name
        if given is not None:
            group[role] = choices


def _is_own(choice: Mapping[str, Any]) -> bool:
    """Tell whether the choice asks its provider itself and not a look-alike elsewhere."""
    base_url = choice.get("base_url")
    if not base_url:
        return True
    host = urlsplit(str(base_url)).hostname or ""
    provider = str(choice["provider"])
    return host == f"{provider}.com" or host.endswith(f".{provider}.com")


def _names(model: type[BaseModel], prefix: str) -> Iterator[str]:
    for name, info in model.model_fields.items():
        if isinstance(info.annotation, type) and issubclass(info.annotation, BaseModel):
            yield from _names(info.annotation, f"{prefix}{name}.")
            continue
        yield f"{prefix}{name}"
        if "ModelChoice" in repr(info):
            yield from _names(ModelChoice, f"{prefix}{name}.")


def _leaves(value: Any, key: Key) -> Iterator[tuple[Key, Any]]:
    if isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _leaves(getattr(value, name), (*key, name))
    elif isinstance(value, tuple) and value and isinstance(value[0], BaseModel):
        for index, item in enumerate(cast("tuple[BaseModel, ...]", value)):
            yield from _leaves(item, (*key, index))
    else:
        yield key, _shown(value)


def _shown(value: Any) -> Any:
    if isinstance(value, SecretStr):
        return "********" if value.get_secret_value() else ""
    if isinstance(value, Path):
        return str(value)
    if is_several(value):
        return [_shown(item) for item in value]
    if isinstance(value, dict):
        arguments = cast("dict[str, Any]", value)
        return {
            name: "********" if _sounds_secret(name) else inner for name, inner in arguments.items()
        }
    return value


def _sounds_secret(name: str) -> bool:
    return any(word in name.lower() for word in ("key", "secret", "token", "password"))
