"""What a process shares: settings, secrets, rules, characters, engines. Thread-safe, opened once.

The thread executor runs every job in its own event loop, so nothing here belongs to a loop:
databases are opened per session in `agent.wiring.session`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version

from agent.local.secrets import Secrets, load_secrets
from agent.wiring.engines import LocalEngines, load_engines
from config.character import Character, load_characters
from config.settings import Settings
from policy.ruleset import RuleSet, load_rules


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
    engines: LocalEngines
    media: MediaServer
    software: str


async def open_house(settings: Settings, *, with_engines: bool) -> House:
    """Load what the sessions of this process share.

    Args:
        settings: The effective settings.
        with_engines: False for a gateway alone, which needs no models.

    Raises:
        DependencyUnavailable: a model, a rule file or a character is missing or broken.
    """
    secrets = load_secrets(settings.data_dir)
    return House(
        settings=settings,
        secrets=secrets,
        rules=load_rules(),
        characters=load_characters(settings.data_dir / "characters"),
        engines=await load_engines(settings, secrets) if with_engines else LocalEngines(),
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
