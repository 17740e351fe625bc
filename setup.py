"""Puts into the wheel what does not lie inside a package: the built page and ``livekit.yaml``."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.errors import BaseError

ROOT = Path(__file__).parent


class BuildWithPage(build_py):
    """Copies the page into the wheel; a checkout that runs in place reads it where it is."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        page = ROOT / "frontend" / "dist"
        if not (page / "index.html").is_file():
            raise BaseError("the page is not built; `make wheel` builds it and then the wheel")
        target = Path(self.build_lib)
        packed = target / "agent" / "gateway" / "page"
        shutil.rmtree(packed, ignore_errors=True)
        shutil.copytree(page, packed)
        shutil.copy(ROOT / "livekit.yaml", target / "config" / "livekit.yaml")


setup(cmdclass={"build_py": BuildWithPage})
