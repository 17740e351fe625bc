"""Remembers which step of the set-up was done with which inputs, so that a second start is quick.

A stamp is written after its step has succeeded: an interrupted step is done again.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path


def digest(inputs: Iterable[Path | str]) -> str:
    """Return one hash over files (name and bytes) and words."""
    whole = hashlib.sha256()
    for each in inputs:
        content = each.read_bytes() if isinstance(each, Path) else each.encode()
        name = each.name if isinstance(each, Path) else ""
        whole.update(f"{name}:{len(content)}:".encode() + content)
    return whole.hexdigest()


def files_below(folder: Path, *, without: Iterable[str] = ()) -> list[Path]:
    """Return the files below ``folder`` in a fixed order, leaving out folders named so."""
    left_out = set(without)
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and not left_out & set(path.relative_to(folder).parts)
    )


class Stamps:
    """Stamps of one build folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def holds(self, step: str, inputs: str, *, product: Path) -> bool:
        """Tell whether ``step`` was done with these inputs and what it made is still there."""
        stamp = self._folder / step
        return product.exists() and stamp.is_file() and stamp.read_text() == inputs

    def put(self, step: str, inputs: str) -> None:
        """Note that ``step`` was done with these inputs."""
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / step).write_text(inputs)
