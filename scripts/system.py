"""What the machine has, and what is to be done about what it lacks."""

import ctypes
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

Version = tuple[int, ...]

FACE_LIBRARIES = {"libEGL.so.1": "libegl1", "libGL.so.1": "libgl1"}
"""Shared library to Debian package."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER_PACKAGE = "chromium"


def version_in(text: str) -> Version | None:
    """Return the first version in ``v20.19.1`` or ``go version go1.26.8 linux/amd64``."""
    found = re.search(r"(\d+)\.(\d+)(?:\.(\d+))?", text)
    return tuple(int(part) for part in found.groups("0")) if found else None


def node_is_new_enough(version: Version | None) -> bool:
    """Tell whether the front end's tools run on this Node: 20.19, 22.12 and later."""
    if version is None or version[0] in (21,):
        return False
    return version >= (22, 12) or (20, 19) <= version < (21,)


def go_is_new_enough(version: Version | None) -> bool:
    """Tell whether this Go builds livekit-server without fetching another Go."""
    return version is not None and version >= (1, 26)


def python_is_supported(version: Version) -> bool:
    """Tell whether the lock resolves for this Python."""
    return (3, 11) <= version[:2] <= (3, 13)


def asked(command: Sequence[str]) -> Version | None:
    """Run a program and return the version it tells; None if it cannot be run."""
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return version_in(answer.stdout) if answer.returncode == 0 else None


def loads(library: str) -> bool:
    """Tell whether the shared library can be loaded."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def missing_packages(
    *,
    browser: bool,
    has_library: Callable[[str], bool] = loads,
    has_program: Callable[[str], bool] = lambda name: shutil.which(name) is not None,
) -> tuple[str, ...]:
    """Return the Debian packages that are needed and not there.

    Args:
        browser: Whether a browser is needed too, as the tests need one.
        has_library: How to find out about a library.
        has_program: How to find out about a program.
    """
    missing = [package for name, package in FACE_LIBRARIES.items() if not has_library(name)]
    if browser and not any(has_program(name) for name in BROWSERS):
        missing.append(BROWSER_PACKAGE)
    return tuple(missing)


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do about missing packages."""

    say: str
    commands: tuple[tuple[str, ...], ...] = ()
    """Run in this order; empty: the person has to."""


def plan_for(
    packages: Sequence[str], *, has_apt: bool, is_root: bool, sudo_asks_nothing: bool
) -> Plan:
    """Return how to get ``packages``: ourselves where that needs no password, else in one line."""
    names = " ".join(packages)
    if not has_apt:
        return Plan(f"Missing: {names} (names of Debian's packages); install what carries them.")
    prefix = () if is_root else ("sudo", "-n")
    if is_root or sudo_asks_nothing:
        update = (*prefix, "apt-get", "update", "-qq")
        install = (*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y")
        commands = (update, (*install, "-qq", "--no-install-recommends", *packages))
        return Plan(f"Installing Debian packages: {names}", commands)
    return Plan(f"Missing Debian packages; please run: sudo apt-get install {names}")


def plan_here(packages: Sequence[str]) -> Plan:
    """Return the plan for this machine."""
    sudo = shutil.which("sudo")
    quiet = ["sudo", "-n", "true"]
    return plan_for(
        packages,
        has_apt=shutil.which("apt-get") is not None,
        is_root=os.geteuid() == 0,
        sudo_asks_nothing=sudo is not None
        and subprocess.run(quiet, capture_output=True, check=False).returncode == 0,
    )


def put_shim(folder: Path, name: str, command: Sequence[Path]) -> None:
    """Make ``folder/name`` run ``command``; replaces what was there."""
    folder.mkdir(parents=True, exist_ok=True)
    shim = folder / name
    shim.unlink(missing_ok=True)
    quoted = " ".join(f'"{part}"' for part in command)
    shim.write_text(f'#!/bin/sh\nexec {quoted} "$@"\n')
    shim.chmod(0o755)
