"""Processor time and memory of the parts of a running house."""

import time
from collections.abc import Mapping
from typing import Final

import psutil

from tests.e2e.house import RunningHouse

PARTS: Final[Mapping[str, str]] = {
    "livekit": "livekit-server",
    "model_server": "agent.local.model_server",
    "house": "agent.cli.main house",
}
"""Name of a part in figures, and a word of its command line."""
MIB: Final = 1024 * 1024


class Usage:
    """Counts what the parts use from its making on."""

    def __init__(self, house: RunningHouse) -> None:
        self._parts = _parts(house)
        self._began_s = time.monotonic()
        self._before = {name: _cpu_s(process) for name, process in self._parts.items()}

    def shares(self) -> dict[str, float]:
        """Return the share of one core that each part has used on average so far."""
        passed_s = time.monotonic() - self._began_s
        return {
            name: (_cpu_s(process) - self._before[name]) / passed_s
            for name, process in self._parts.items()
        }


def resident_mib(house: RunningHouse, part: str = "house") -> float:
    """Return the memory of one part that is not shared with other processes."""
    return float(_parts(house)[part].memory_full_info().uss / MIB)


def _parts(house: RunningHouse) -> dict[str, psutil.Process]:
    found: dict[str, psutil.Process] = {}
    for name, word in PARTS.items():
        try:
            found[name] = house.part(word)
        except LookupError:
            continue  # a house that thinks elsewhere has no model server
    return found


def _cpu_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)
