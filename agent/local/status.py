"""What runs and how it is: written by the supervisor, read by the gateway and by ``doctor``.

A code and values, never a sentence: the page and the command line find the words.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from agent.local.files import private_folder, replace_file

PartState = Literal["starting", "running", "restarting", "failed", "stopped", "off"]
_FILE_NAME = "parts.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part of the running house."""

    name: str
    """``livekit-server``, ``model-server`` or ``house``."""
    state: PartState
    detail_code: str | None = None
    """Why: ``exited``, ``not_ready``, ``not_needed``, ``asked_wrongly``, ``cannot_start``."""
    values: Mapping[str, str | int | float] = field(default_factory=dict[str, "str | int | float"])
    """What the sentence needs, such as ``exit_code`` or ``restart_in_s``."""


_PARTS = TypeAdapter(tuple[Part, ...])


def write_parts(data_dir: Path, parts: Sequence[Part]) -> None:
    """Publish ``parts``; readers see the former list or this one."""
    folder = private_folder(run_folder(data_dir))
    replace_file(folder / _FILE_NAME, _PARTS.dump_json(tuple(parts)))


def read_parts(data_dir: Path) -> tuple[Part, ...]:
    """Return what was published last; empty if nothing (readable) was."""
    try:
        return _PARTS.validate_json((run_folder(data_dir) / _FILE_NAME).read_bytes())
    except (OSError, ValidationError):
        return ()


def run_folder(data_dir: Path) -> Path:
    """Return the folder of files that mean something only while a house runs."""
    return data_dir / "run"
