"""One running house per data folder: a lock that ends with the process that holds it."""

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from agent.local.files import private_folder
from agent.local.status import run_folder
from trail.errors import DependencyUnavailable


class AlreadyRunning(DependencyUnavailable):
    """Another ``earwitness up`` uses the data folder.

    Attributes:
        pid: Its process id; None if it has not written it yet.
    """

    def __init__(self, data_dir: Path, pid: int | None) -> None:
        who = f"process {pid}" if pid else "another process"
        super().__init__(
            "data folder",
            f"{data_dir} is in use by {who}; end that one, or name another folder with --data-dir",
        )
        self.pid = pid


@contextmanager
def instance_lock(data_dir: Path) -> Generator[None]:
    """Hold the data folder for this process.

    The kernel gives the lock up when the process ends, however it ends.

    Raises:
        AlreadyRunning: Somebody else holds it.
    """
    private_folder(data_dir)
    path = private_folder(run_folder(data_dir)) / "up.lock"
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyRunning(data_dir, _pid_in(path)) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)


def holder(data_dir: Path) -> int | None:
    """Return the process that holds the data folder, or None if nobody does."""
    path = run_folder(data_dir) / "up.lock"
    try:
        with path.open("r") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _pid_in(path) or -1
    except OSError:
        return None
    return None


def _pid_in(path: Path) -> int | None:
    text = path.read_text().strip()
    return int(text) if text.isdigit() else None
