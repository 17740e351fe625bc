"""Small files that other processes read while we write: whole or not at all, and private."""

import os
import tempfile
from pathlib import Path


def private_folder(path: Path) -> Path:
    """Make ``path`` if it is missing, readable by its owner only; return it."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def replace_file(path: Path, content: bytes) -> None:
    """Put ``content`` at ``path`` (0600). A reader sees the old bytes or the new ones."""
    os.replace(_beside(path, content), path)


def put_if_absent(path: Path, content: bytes) -> None:
    """Put ``content`` at ``path`` (0600) unless a file is there already; the first one wins."""
    written = _beside(path, content)
    try:
        os.link(written, path)
    except FileExistsError:
        pass
    except OSError:  # a file system without hard links
        if not path.exists():
            os.replace(written, path)
    written.unlink(missing_ok=True)


def _beside(path: Path, content: bytes) -> Path:
    """Write ``content`` to a new file in the folder of ``path`` and return its name."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # 0600
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    return Path(name)
