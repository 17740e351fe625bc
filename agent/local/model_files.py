"""Where model files lie and whether they are whole.

A model's folder holds ``verified.json``: size and modification time of each file when its hash was
last checked. A file that changed since is hashed again, so that a file cut short or altered is
noticed at the next look without hashing gigabytes each time.
"""

import hashlib
import importlib.util
import json
from collections.abc import Callable
from pathlib import Path

from agent.local.model_lock import ModelEntry, ModelFile, PackageSource

STAMP = "verified.json"
BLOCK_BYTES = 1 << 20


def models_folder(cache_dir: Path) -> Path:
    """Return the folder below which every model has its own."""
    return cache_dir / "models"


def home_of(entry: ModelEntry, cache_dir: Path) -> Path:
    """Return the folder in which the files of ``entry`` lie once fetched."""
    return models_folder(cache_dir) / entry.name


def usable_path(entry: ModelEntry, folder: Path) -> Path:
    """Return what an engine loads: the only file, or the folder of several."""
    return folder / entry.files[0].name if len(entry.files) == 1 else folder


def sha256_of(path: Path, *, seen: Callable[[int], None] = lambda _: None) -> str:
    """Return the hash of a file; ``seen`` is told the bytes of each block."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK_BYTES):
            digest.update(block)
            seen(len(block))
    return digest.hexdigest()


def is_whole(path: Path, wanted: ModelFile) -> bool:
    """Return whether ``path`` holds exactly the wanted bytes."""
    try:
        return path.stat().st_size == wanted.size and sha256_of(path) == wanted.sha256
    except OSError:
        return False


def located(entry: ModelEntry, cache_dir: Path) -> Path | None:
    """Return the usable path of a model whose files are all here and whole, else None."""
    for source in entry.sources:
        folder = package_folder(source) if isinstance(source, PackageSource) else None
        if folder is not None and all(is_whole(folder / f.name, f) for f in entry.files):
            return usable_path(entry, folder)
    folder = home_of(entry, cache_dir)
    if all(_known_whole(folder, file) for file in entry.files):
        return usable_path(entry, folder)
    return None


def package_folder(source: PackageSource) -> Path | None:
    """Return the folder inside the installed package, without importing it."""
    spec = importlib.util.find_spec(source.module)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations))) / source.folder


def remember_whole(folder: Path, name: str, sha256: str) -> None:
    """Note that the file ``name`` in ``folder`` was just found to have this hash."""
    stamps = _stamps(folder)
    stamps[name] = [*_signature(folder / name), sha256]
    draft = folder / f"{STAMP}.draft"
    draft.write_text(json.dumps(stamps))
    draft.replace(folder / STAMP)


def _known_whole(folder: Path, file: ModelFile) -> bool:
    path = folder / file.name
    try:
        signature = _signature(path)
    except OSError:
        return False
    if signature[0] != file.size:
        return False
    if _stamps(folder).get(file.name) == [*signature, file.sha256]:
        return True
    if not is_whole(path, file):
        return False
    remember_whole(folder, file.name, file.sha256)
    return True


def _signature(path: Path) -> list[int]:
    status = path.stat()
    return [status.st_size, status.st_mtime_ns]


def _stamps(folder: Path) -> dict[str, list[int | str]]:
    try:
        stamps: dict[str, list[int | str]] = json.loads((folder / STAMP).read_text())
    except (OSError, ValueError):
        return {}
    return stamps
