"""What a process shares: settings, secrets, rules, characters. Thread-safe, opened once.

The thread executor runs every job in its own event loop, so nothing here belongs to a loop:
databases are opened per session in `agent.wiring.session`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version

from agent.local.secrets import Secrets, load_secrets
from config.character import Character, CharacterFileWrong, load_characters
from config.settings import Settings
from policy.ruleset import RuleSet, load_rules
from trail.errors import DependencyUnavailable


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaServer:
    """The LiveKit server that rooms are on."""

    url: str
    """Signalling, ``ws://`` or ``wss://``."""
    api_key: str
    api_secret: str


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """Everything the sessions of one process share."""

    settings: Settings
    secrets: Secrets
    rules: RuleSet
    characters: Mapping[str, Character]
    media: MediaServer
    software: str


def open_house(settings: Settings) -> House:
    """Load what the sessions and routes of this process share.

    Raises:
        RulesInvalid: a rule file is broken.
        DependencyUnavailable: a character file is broken.
    """
    secrets = load_secrets(settings.data_dir)
    try:
        characters = load_characters(settings.data_dir / "characters")
    except CharacterFileWrong as error:
        raise DependencyUnavailable("characters", str(error)) from error
    return House(
        settings=settings,
        secrets=secrets,
        rules=load_rules(),
        characters=characters,
        media=media_server(settings, secrets),
        software=version("earwitness"),
    )


def media_server(settings: Settings, secrets: Secrets) -> MediaServer:
    """Return the configured LiveKit server, or our own on this machine."""
    given = settings.livekit
    return MediaServer(
        url=given.url or f"ws://127.0.0.1:{given.port}",
        api_key=given.api_key.get_secret_value() if given.api_key else secrets.livekit_key,
        api_secret=(
            given.api_secret.get_secret_value() if given.api_secret else secrets.livekit_secret
        ),
    )
