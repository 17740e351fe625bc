"""On what machine figures were taken, and how much else it was doing."""

import json
import os
import platform
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import psutil

CPUINFO: Final = Path("/proc/cpuinfo")
QUIET_LOAD: Final = 0.5
"""Load a core before a part begins, up to which its figures count as taken in quiet."""


def machine() -> dict[str, Any]:
    """Return what of this machine figures depend on."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
    }


class Diary:
    """Remembers how each part of a run went, beside the figures."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._parts: dict[str, Any] = read(path).get("parts", {}) if path.exists() else {}

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Note one part: when, for how long, and the load before and after."""
        entry: dict[str, Any] = {
            "began": datetime.now(UTC).isoformat(timespec="seconds"),
            "load_before": round(os.getloadavg()[0], 2),
        }
        began_s = time.monotonic()
        try:
            yield
            entry["failed"] = False
        except Exception:
            entry["failed"] = True
            raise
        finally:
            entry["seconds"] = round(time.monotonic() - began_s, 1)
            entry["load_after"] = round(os.getloadavg()[0], 2)
            self._parts[name] = entry
            self._write()

    def _write(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"machine": machine(), "parts": self._parts}, indent=2)
        self._path.write_text(text + "\n", encoding="utf-8")


def read(path: Path) -> dict[str, Any]:
    """Return what a diary wrote."""
    value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return value


def _processor() -> str:
    try:
        lines = CPUINFO.read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
