"""livekit-server on this machine: found, else built; and the configuration it runs with.

Taken in this order: ``livekit-server`` on the PATH, our cache, a build from source with Go. 1.13.5
is the newest version that ``go install`` accepts: later ones carry replace directives.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml

from agent.local.files import private_folder, replace_file
from trail.clock import monotonic_s
from trail.errors import DependencyUnavailable

VERSION = "1.13.5"
OLDEST_VERSION = (1, 8)
OLDEST_GO = (1, 26)
BUILD_USUALLY_S = 90.0
"""Cold build on two cores."""
_MODULE = f"github.com/livekit/livekit-server/cmd/server@v{VERSION}"
_NAME = "livekit-server"


@dataclass(frozen=True, slots=True, kw_only=True)
class Binary:
    """A livekit-server that answered with its version."""

    path: Path
    version: str


def located(cache_dir: Path) -> Binary | None:
    """Return a usable livekit-server of this machine, or None."""
    on_path = shutil.which(_NAME)
    for path in (Path(on_path) if on_path else None, cached(cache_dir)):
        version = version_of(path) if path else None
        if path and version and numbers(version) >= OLDEST_VERSION:
            return Binary(path=path, version=version)
    return None


def cached(cache_dir: Path) -> Path:
    """Return where a server that we build is kept."""
    return cache_dir / f"{_NAME}-{VERSION}"


def version_of(path: Path) -> str | None:
    """Ask the program for its version; None if it is missing or is something else."""
    try:
        answer = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"version (\d+\.\d+\.\d+)", answer.stdout)
    return found[1] if found else None


def numbers(version: str) -> tuple[int, ...]:
    """Return the numbers of ``1.13.5`` or ``go1.26.8``, for comparing."""
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def located_go() -> Path | None:
    """Return a Go that is new enough: of the system, or of a wheel beside this Python."""
    candidates = [shutil.which("go"), shutil.which("go", path=str(Path(sys.executable).parent))]
    for found in filter(None, candidates):
        answer = subprocess.run([found, "version"], capture_output=True, text=True, check=False)
        version = re.search(r"go(\d+\.\d+(\.\d+)?)", answer.stdout)
        if version and numbers(version[1]) >= OLDEST_GO:
            return Path(found)
    return None


def build(cache_dir: Path, *, go: Path, progress: Callable[[float], None]) -> Binary:
    """Build the server into the cache and return it.

    Args:
        cache_dir: Where the program is kept; what Go downloads and compiles is thrown away.
        go: A Go of at least 1.26.
        progress: Told about every half second how many seconds have passed.

    Raises:
        DependencyUnavailable: The build failed; its last words are in the message.
    """
    private_folder(cache_dir)
    with tempfile.TemporaryDirectory(prefix="livekit-build-", dir=cache_dir) as scratch:
        folder = Path(scratch)
        assignments = [
            f"GOBIN={folder / 'bin'}",
            f"GOPATH={folder / 'path'}",
            f"GOCACHE={folder / 'cache'}",
            "GOTOOLCHAIN=local",
            "GOFLAGS=-modcacherw",  # else the scratch folder cannot be deleted
            "CGO_ENABLED=0",
        ]
        command = ["env", *assignments, str(go), "install", _MODULE]
        with (folder / "log").open("w+") as log:
            started_s = monotonic_s()
            process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,  # go's compilers end with it, whatever ends us
            )
            try:
                while process.poll() is None:
                    progress(monotonic_s() - started_s)
                    _wait(process)
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            log.seek(0)
            said = log.read().strip().splitlines()
        if process.returncode != 0:
            raise DependencyUnavailable(_NAME, "building failed: " + " | ".join(said[-3:]))
        os.replace(folder / "bin" / "server", cached(cache_dir))
    version = version_of(cached(cache_dir))
    if version is None:
        raise DependencyUnavailable(_NAME, f"{cached(cache_dir)} was built but does not run")
    return Binary(path=cached(cache_dir), version=version)


def _wait(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(timeout=0.5)
    except subprocess.TimeoutExpired:
        return


def rendered(
    template: str, *, port: int, host: str, key: str, secret: str, tcp_media: bool = False
) -> str:
    """Return the configuration that ``earwitness up`` runs the server with.

    Args:
        template: Text of ``livekit.yaml``.
        port: Signalling; media over TCP and UDP use the two ports after it.
        host: Address to listen on; on loopback nothing is offered to other machines.
        key: Name of the signing key.
        secret: The signing key.
        tcp_media: Offer media over TCP on loopback too. The server opens that port on every
            address, so it is only asked for where UDP does not arrive (a browser outside WSL).
    """
    config = cast("dict[str, Any]", yaml.safe_load(template))
    config["port"] = port
    config["bind_addresses"] = [host]
    rtc = config.setdefault("rtc", {})
    rtc |= {"tcp_port": port + 1, "udp_port": port + 2, "node_ip": host, "use_external_ip": False}
    if host.startswith("127."):
        rtc |= {"ips": {"includes": ["127.0.0.0/8"]}, "enable_loopback_candidate": True}
        rtc["tcp_port"] = port + 1 if tcp_media else 0
    config["keys"] = {key: secret}
    return json.dumps(config, indent=2)  # JSON is YAML


def write_config(path: Path, content: str) -> Path:
    """Put the configuration at ``path``, readable by its owner only (it holds the key)."""
    private_folder(path.parent)
    replace_file(path, content.encode())
    return path
