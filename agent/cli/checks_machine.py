"""What ``doctor`` asks of the machine: Python, libraries, disk, folders, ports, microphone."""

import ctypes
import importlib.metadata
import platform
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import psutil

from agent.cli.checkup import Finding
from agent.cli.prepare import wanted_ports
from agent.local.instance_lock import holder
from agent.local.ports import is_free, is_wsl, taken
from config.settings import Settings

PACKAGES = (
    "earwitness",
    "livekit-agents",
    "livekit",
    "livekit-local-inference",
    "faster-whisper",
    "hibari-tts",
    "xllamacpp",
    "skia-python",
)
FACE_LIBRARIES = ("libEGL.so.1", "libGL.so.1")
FREE_BYTES_AT_LEAST = 3_000_000_000
"""Models of the larger tier, livekit-server and the room that building it takes."""


def machine_findings(settings: Settings) -> Iterator[Finding]:
    """Yield everything about the machine itself."""
    yield python_finding(sys.version_info[:3])
    yield versions_finding()
    yield face_finding()
    yield network_finding(interfaces_up())
    for part, folder in (("data folder", settings.data_dir), ("cache folder", settings.cache_dir)):
        yield folder_finding(part, folder)
    yield disk_finding(settings.cache_dir, free_bytes=_free_bytes(settings.cache_dir))
    yield from port_findings(settings)
    yield from microphone_findings(settings)


def python_finding(version: tuple[int, int, int]) -> Finding:
    """Say whether the lock files were resolved for this Python."""
    said = f"{'.'.join(map(str, version))} on {platform.system()} {platform.machine()}"
    if (3, 11) <= version[:2] <= (3, 13):
        return Finding(part="Python", state="ok", said=said)
    mend = "use Python 3.11, 3.12 or 3.13"
    return Finding(part="Python", state="fault", said=said, mend=mend)


def versions_finding() -> Finding:
    """Say which versions of the larger parts are installed."""
    found: list[str] = []
    missing: list[str] = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(name)
    if missing:
        said, mend = f"missing: {', '.join(missing)}", "run make up again in the checkout"
        return Finding(part="packages", state="fault", said=said, mend=mend)
    return Finding(part="packages", state="ok", said=", ".join(found))


def face_finding(loads: Callable[[str], object] = ctypes.CDLL) -> Finding:
    """Say whether the face can be drawn."""
    missing: list[str] = []
    for name in FACE_LIBRARIES if sys.platform == "linux" else ():
        try:
            loads(name)
        except OSError:
            missing.append(name)
    if not missing:
        return Finding(part="face", state="ok", said="its libraries are there")
    return Finding(
        part="face",
        state="note",
        said=f"{' and '.join(missing)} missing; the avatar has a voice but no face",
        mend="apt-get install libegl1 libgl1 (Debian and its relatives)",
    )


def network_finding(names: Sequence[str]) -> Finding:
    """Say whether browsers can exchange sound with this machine.

    Browsers and LiveKit's client pass over the loopback interface when they look for ways to
    send media; any other interface will do, also one that leads nowhere.

    Args:
        names: Interfaces that are up and have an address.
    """
    others = [name for name in names if not name.startswith("lo")]
    if others:
        return Finding(part="network", state="ok", said=f"up: {', '.join(others)}")
    return Finding(
        part="network",
        state="note",
        said="no interface but loopback is up; page and avatar will not hear each other",
        mend="join any network; it need not lead anywhere",
    )


def interfaces_up() -> list[str]:
    """Return the network interfaces that are up and have an address."""
    states, addresses = psutil.net_if_stats(), psutil.net_if_addrs()
    internet = (socket.AF_INET, socket.AF_INET6)
    return [
        name
        for name, state in states.items()
        if state.isup and any(each.family in internet for each in addresses.get(name, ()))
    ]


def folder_finding(part: str, folder: Path) -> Finding:
    """Say whether the folder, or the one it will be made in, can be written."""
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        with tempfile.NamedTemporaryFile(dir=existing):
            pass
    except OSError as error:
        variable = f"EARWITNESS_{part.upper().replace(' FOLDER', '')}_DIR"
        return Finding(
            part=part,
            state="fault",
            said=f"{folder} cannot be written: {error.strerror}",
            mend=f"mend its rights, or set {variable} to another folder",
        )
    return Finding(part=part, state="ok", said=str(folder))


def disk_finding(folder: Path, *, free_bytes: int) -> Finding:
    """Say whether there is room for models and livekit-server."""
    said = f"{free_bytes / 1e9:.1f} GB free for {folder}"
    if free_bytes >= FREE_BYTES_AT_LEAST:
        return Finding(part="disk", state="ok", said=said)
    mend = "free some, or set EARWITNESS_CACHE_DIR to a larger disk; 3 GB are enough for all models"
    return Finding(part="disk", state="note", said=said, mend=mend)


def port_findings(settings: Settings) -> Iterator[Finding]:
    """Yield the ports in use; a running house has its own."""
    pid = holder(settings.data_dir)
    if pid is not None:
        yield Finding(part="ports", state="ok", said=f"in use by the house that runs ({pid})")
        return
    own = settings.livekit.url is None
    wanted = wanted_ports(settings, own_livekit=own, tcp_media=is_wsl())
    complaints = [taken(port) for port in wanted if not is_free(port)]
    for complaint in complaints:
        yield Finding(part="ports", state="fault", said=complaint)
    if not complaints:
        yield Finding(
            part="ports", state="ok", said=f"{', '.join(str(p.port) for p in wanted)} free"
        )


def microphone_findings(settings: Settings) -> Iterator[Finding]:
    """Yield what a browser needs before it hands out the microphone."""
    yield Finding(
        part="microphone",
        state="note",
        said="belongs to the browser, which asks when you click “Start talking”",
        mend=(
            f"open http://localhost:{settings.port}, not another name of this machine: browsers "
            "give microphones to localhost and https only. Refused once? The icon left of the "
            "address takes it back. No device? Look in the sound settings of the system"
        ),
    )
    if is_wsl():
        yield Finding(
            part="WSL",
            state="note",
            said="open the page in a browser of Windows; media goes over TCP there",
        )


def _free_bytes(folder: Path) -> int:
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    return shutil.disk_usage(existing).free
