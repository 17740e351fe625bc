"""The secrets of one installation: made at random on first use, kept in one 0600 file.

They never appear in ``livekit.yaml``, in the environment or in a command line. Two processes that
start at once agree: the first file in place wins and the other process reads it.
"""

import json
import os
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

from agent.local.files import private_folder, put_if_absent, replace_file
from trail.errors import DependencyUnavailable
from trail.ids import random_name

_FILE_NAME = "secrets.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrets:
    """What must not be guessed. Values are left out of ``repr``."""

    livekit_key: str = field(repr=False)
    """Name of the key that signs room tokens of our own livekit-server."""
    livekit_secret: str = field(repr=False)
    """At least 32 characters, as livekit-server demands."""
    cookie_key: str = field(repr=False)
    """Signs sign-in cookies and CSRF values."""
    operator_token: str = field(repr=False)
    """Lets the command line of this machine act with scope ``operate``."""
    model_server_key: str = field(repr=False)
    """Bearer key that the local model server demands."""


def load_secrets(data_dir: Path) -> Secrets:
    """Return the installation's secrets, made now if there are none.

    Raises:
        DependencyUnavailable: The file is there but cannot be read as secrets.
    """
    path = private_folder(data_dir) / _FILE_NAME
    if not path.exists():
        put_if_absent(path, _as_json(_fresh()))
    os.chmod(path, 0o600)  # repairs a copy made with wider rights
    try:
        stored = json.loads(path.read_text("utf-8"))
        known = {f.name: str(stored[f.name]) for f in fields(Secrets) if f.name in stored}
    except (ValueError, TypeError) as error:
        reason = f"{path} is damaged; delete it and everybody signs in anew"
        raise DependencyUnavailable("secrets", reason) from error
    secrets = Secrets(**{**asdict(_fresh()), **known})
    if asdict(secrets) != known:
        replace_file(path, _as_json(secrets))
    return secrets


def _fresh() -> Secrets:
    return Secrets(
        livekit_key=f"EW{random_name(9)}",
        livekit_secret=random_name(36),
        cookie_key=random_name(36),
        operator_token=random_name(36),
        model_server_key=random_name(36),
    )


def _as_json(secrets: Secrets) -> bytes:
    return json.dumps(asdict(secrets), indent=2).encode()
