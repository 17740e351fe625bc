"""Which ports are free, who has the others, and whether something answers."""

import asyncio
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psutil

_ANSWER_WITHIN_S = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A port that somebody is going to listen on."""

    host: str
    port: int
    kind: Literal["tcp", "udp"]
    purpose: str
    flag: str
    """The flag that changes it."""


def is_free(wanted: Wanted) -> bool:
    """Tell whether the port can be listened on now."""
    kind = socket.SOCK_STREAM if wanted.kind == "tcp" else socket.SOCK_DGRAM
    family = socket.AF_INET6 if ":" in wanted.host else socket.AF_INET
    with socket.socket(family, kind) as probe:
        if wanted.kind == "tcp":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # forgives old connections
        try:
            probe.bind((wanted.host.strip("[]"), wanted.port))
            if wanted.kind == "tcp":
                probe.listen(1)
        except OSError:
            return False
    return True


def taken(wanted: Wanted) -> str:
    """Return the sentence that names the port, who has it, and the flag that changes it."""
    owner = _owner(wanted)
    by = f" by {owner}" if owner else ""
    return (
        f"{wanted.kind} port {wanted.port} ({wanted.purpose}) is in use{by}; "
        f"choose another with {wanted.flag}"
    )


def _owner(wanted: Wanted) -> str | None:
    try:
        for connection in psutil.net_connections(wanted.kind):
            if getattr(connection.laddr, "port", None) == wanted.port and connection.pid:
                return f"{psutil.Process(connection.pid).name()} (process {connection.pid})"
    except psutil.Error:
        return None  # only the superuser may ask on some systems
    return None


def free_port(host: str = "127.0.0.1") -> int:
    """Return a port that is free at this moment."""
    with socket.socket() as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])


async def answers(host: str, port: int, path: str, *, key: str | None = None) -> bool:
    """Tell whether a GET of ``path`` is answered with 200; never raises, never waits long."""
    head = f"GET {path} HTTP/1.0\r\nHost: {host}:{port}\r\n"
    authorization = f"Authorization: Bearer {key}\r\n" if key else ""
    try:
        async with asyncio.timeout(_ANSWER_WITHIN_S):
            reader, writer = await asyncio.open_connection(host.strip("[]"), port)
            try:
                writer.write(f"{head}{authorization}\r\n".encode())
                status = await reader.readline()
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return False
    return b" 200" in status


def is_wsl(version_file: Path = Path("/proc/version")) -> bool:
    """Tell whether this is Linux inside Windows, where a browser outside reaches us by TCP only."""
    try:
        return "microsoft" in version_file.read_text().lower()
    except OSError:
        return False
