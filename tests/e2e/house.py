"""A whole house as a person starts it: `earwitness up` in a child process, on free ports."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil

from trail.clock import monotonic_s

READY_S = 240.0
"""A first start builds livekit-server; later ones take seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningHouse:
    """One running product."""

    process: "subprocess.Popen[bytes]"
    data_dir: Path
    url: str
    log: Path

    @property
    def operator(self) -> Mapping[str, str]:
        """Headers with which the command line of this machine asks."""
        secrets = json.loads((self.data_dir / "secrets.json").read_text())
        return {"Authorization": f"Bearer {secrets['operator_token']}"}

    def command(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Run another `earwitness` command on the same data folder."""
        return subprocess.run(
            command_line(self.data_dir, *words),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def part(self, name: str) -> psutil.Process:
        """Return the process of one part of the house, by a word of its command line."""
        for child in psutil.Process(self.process.pid).children(recursive=True):
            if name in " ".join(child.cmdline()):
                return child
        raise LookupError(f"no part {name!r} runs")


def command_line(data_dir: Path, *words: str) -> list[str]:
    """Return the command line of an `earwitness` command on ``data_dir``."""
    place = f"EARWITNESS_DATA_DIR={data_dir}"
    return ["env", place, sys.executable, "-m", "agent.cli.main", *words]


def free_ports(count: int) -> list[int]:
    """Return ports of this machine that nobody listens on, following each other."""
    for first in range(20_000 + os.getpid() % 20_000, 60_000, count):
        try:
            for port in range(first, first + count):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", port))
        except OSError:
            continue
        return list(range(first, first + count))
    raise RuntimeError("no free ports")


@contextmanager
def running_house(
    folder: Path, *, config: str = "", tier: str | None = "tiny", inside: Sequence[str] = ()
) -> Iterator[RunningHouse]:
    """Start a house on ``folder``, yield it ready, stop it as Ctrl-C does.

    Args:
        folder: Data folder and logs.
        config: YAML of a configuration file; empty takes the packaged one.
        tier: Which local models; None leaves it to the configuration.
        inside: A command that runs the house, such as one that takes the network away.
    """
    data_dir, log = folder / "data folder", folder / "up.log"
    data_dir.mkdir(parents=True, exist_ok=True)
    port, livekit_port, *_ = free_ports(4)
    words = ["up", "--port", str(port), "--livekit-port", str(livekit_port)]
    words += ["--tier", tier] if tier is not None else []
    if config:
        file = folder / "earwitness.yaml"
        file.write_text(config, encoding="utf-8")
        words += ["--config", str(file)]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*inside, *command_line(data_dir, *words)],
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    house = RunningHouse(
        process=process, data_dir=data_dir, url=f"http://localhost:{port}", log=log
    )
    with ended(process, signal.SIGINT, within_s=2):
        _wait_until_ready(house, within_reach=not inside)
        yield house


@contextmanager
def ended(
    process: "subprocess.Popen[bytes]", how: signal.Signals, *, within_s: float
) -> Generator[None]:
    """End a process with a signal when left, and see that nothing of it stays behind.

    Args:
        process: What was started.
        how: The signal.
        within_s: What its children may take after it.
    """
    try:
        yield
    finally:
        family = psutil.Process(process.pid).children(recursive=True) if _lives(process) else []
        process.send_signal(how)
        process.wait(timeout=60)
        _, left = psutil.wait_procs(family, timeout=within_s)
        assert left == [], f"processes left behind: {[child.cmdline() for child in left]}"


def wait_until(
    ready: Callable[[], bool], process: "subprocess.Popen[bytes]", log: Path, *, within_s: float
) -> None:
    """Wait for a process to be ready; its log is in the error if it ends first or takes longer."""
    end = monotonic_s() + within_s
    while monotonic_s() < end:
        if not _lives(process):
            raise RuntimeError(f"it ended with {process.returncode}:\n{log.read_text()}")
        if ready():
            return
        pause()
    raise RuntimeError(f"it was not ready after {within_s:.0f} s:\n{log.read_text()}")


def answers(address: str) -> bool:
    """Tell whether a page is there."""
    try:
        return httpx.get(address, timeout=2).status_code == httpx.codes.OK
    except httpx.HTTPError:
        return False


def _lives(process: "subprocess.Popen[bytes]") -> bool:
    return process.poll() is None


def _wait_until_ready(house: RunningHouse, *, within_reach: bool) -> None:
    """Wait for the page, or for the house's own word where it cannot be asked from here."""

    def ready() -> bool:
        said = not within_reach and f"Open {house.url}" in house.log.read_text()
        return said or answers(f"{house.url}/readyz")

    wait_until(ready, house.process, house.log, within_s=READY_S)


def pause() -> None:
    """Wait a moment."""
    with socket.socket() as idle:
        idle.settimeout(0.2)
        try:
            idle.connect(("127.0.0.1", 9))
        except OSError:
            return
