"""Where the parts of a running house listen, so that other processes find them.

Written by ``earwitness up`` before it starts the parts, removed when it ends. Whoever wants to
speak to a running house takes the page's address from here and the operator token from
`agent.local.secrets`.
"""

from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from agent.local.files import private_folder, replace_file
from agent.local.status import run_folder

_FILE_NAME = "addresses.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Addresses:
    """Addresses of one running house."""

    page_url: str
    """Page and API, such as ``http://localhost:8080``."""
    livekit_url: str
    """Signalling, such as ``ws://127.0.0.1:7880``."""
    model_server_url: str | None
    """OpenAI-compatible root (``…/v1``) of the local model server; None: none runs."""
    supervisor_pid: int


_ADDRESSES = TypeAdapter(Addresses)


def write_addresses(data_dir: Path, addresses: Addresses) -> None:
    """Publish ``addresses``."""
    folder = private_folder(run_folder(data_dir))
    replace_file(folder / _FILE_NAME, _ADDRESSES.dump_json(addresses))


def read_addresses(data_dir: Path) -> Addresses | None:
    """Return the published addresses, or None if no house was started or it has ended."""
    try:
        return _ADDRESSES.validate_json((run_folder(data_dir) / _FILE_NAME).read_bytes())
    except (OSError, ValidationError):
        return None


def remove_addresses(data_dir: Path) -> None:
    """Forget the addresses; the house has ended."""
    (run_folder(data_dir) / _FILE_NAME).unlink(missing_ok=True)
