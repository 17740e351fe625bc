"""One child process: started so that it cannot outlive us, asked to stop, then made to."""

import asyncio
import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from trail.errors import DependencyUnavailable

_PR_SET_PDEATHSIG = 1
_LAST_WORDS_BYTES = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """What to run, how to tell that it is ready, and how long it may take."""

    name: str
    command: tuple[str, ...]
    ready: Callable[[], Awaitable[bool]]
    """Asked again and again until it answers yes; must not raise."""
    log_path: Path
    """Takes what the child writes; the log of the run before is kept beside it as ``….1``."""
    after: tuple[str, ...] = ()
    """Names of children that must have been ready once before this one starts."""
    stdin: bytes | None = None
    """Handed over on standard input, which is then closed: for keys."""
    ready_within_s: float = 60.0
    stop_within_s: float = 10.0
    asked_wrongly_codes: frozenset[int] = frozenset({2})
    """Exit codes after which another start would only fail the same way."""


async def spawn(child: Child) -> asyncio.subprocess.Process:
    """Start the process in a session of its own, so that a terminal's Ctrl-C reaches only us.

    Raises:
        DependencyUnavailable: The program cannot be started at all.
    """
    log = child.log_path.open("ab")
    try:
        process = await asyncio.create_subprocess_exec(
            *child.command,
            stdin=asyncio.subprocess.DEVNULL if child.stdin is None else asyncio.subprocess.PIPE,
            stdout=log,
            stderr=log,
            start_new_session=True,
            preexec_fn=die_with_parent(),
        )
    except OSError as error:
        raise DependencyUnavailable(child.name, str(error)) from error
    finally:
        log.close()
    if process.stdin is not None and child.stdin is not None:
        with contextlib.suppress(ConnectionError):
            process.stdin.write(child.stdin)
            await process.stdin.drain()
            process.stdin.close()
    return process


def die_with_parent() -> Callable[[], None] | None:
    """Return what makes a child on Linux die when this process is killed, else None."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    parent = os.getpid()

    def bind() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # killed between fork and here
            os._exit(1)

    return bind


async def stop(process: asyncio.subprocess.Process, *, within_s: float) -> None:
    """Ask the process to end, kill it after ``within_s``, and sweep up what it started."""
    try:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(within_s):
                    await process.wait()
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


def turn_log(path: Path) -> None:
    """Begin a new log and keep the former one as ``….1``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        os.replace(path, path.with_name(path.name + ".1"))


def last_line(path: Path) -> str:
    """Return the last line of a log that says anything, for a message to the operator."""
    try:
        with path.open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - _LAST_WORDS_BYTES))
            lines = file.read().decode(errors="replace").splitlines()
    except OSError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")
