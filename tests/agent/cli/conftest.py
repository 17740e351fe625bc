"""Command line tests run with folders of their own and real sockets."""

import os
from pathlib import Path

import pytest

from config.layers import FOREIGN, PREFIX
from config.load import PROVIDER_KEYS


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, object]]:
    return "asyncio", {"debug": False}


@pytest.fixture(autouse=True)
def own_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    foreign = {*FOREIGN, *PROVIDER_KEYS.values()}
    for name in [n for n in os.environ if n.startswith(PREFIX) or n in foreign]:  # noqa: TID251
        monkeypatch.delenv(name)
    monkeypatch.setenv("EARWITNESS_DATA_DIR", str(tmp_path / "my data"))
    monkeypatch.setenv("EARWITNESS_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
