"""Options that several commands share, and the settings they lead to."""

from pathlib import Path
from typing import Annotated, Any

import typer

from config.load import load_settings
from config.settings import Settings

Config = Annotated[
    Path | None, typer.Option("--config", help="Configuration file (EARWITNESS_CONFIG).")
]
DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="Trail, recordings, secrets of one installation.")
]
Host = Annotated[str | None, typer.Option("--host", help="Address to listen on.")]
Port = Annotated[int | None, typer.Option("--port", help="Port of page and API.")]
LiveKitPort = Annotated[
    int | None,
    typer.Option("--livekit-port", help="LiveKit's port; media uses the two after it."),
]
Tier = Annotated[
    str | None, typer.Option("--tier", help="Local models: small, tiny, or off (remote only).")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def settings_of(
    *,
    config: Path | None = None,
    data_dir: Path | None = None,
    host: str | None = None,
    port: int | None = None,
    livekit_port: int | None = None,
    tier: str | None = None,
) -> Settings:
    """Return the settings under these flags.

    Raises:
        SettingsError: Something is unknown or out of bounds; the message says where.
    """
    flags = flags_of(data_dir=data_dir, host=host, port=port, livekit_port=livekit_port, tier=tier)
    return load_settings(config=config, **flags)


def flags_of(
    *,
    data_dir: Path | None = None,
    host: str | None = None,
    port: int | None = None,
    livekit_port: int | None = None,
    tier: str | None = None,
) -> dict[str, Any]:
    """Return the flags as `config.load` takes them."""
    return {
        "data_dir": data_dir,
        "host": host,
        "port": port,
        "livekit__port": livekit_port,
        "models__tier": tier,
    }
