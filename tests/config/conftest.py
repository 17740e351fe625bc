"""Settings tests see no environment but their own."""

import os
from pathlib import Path

import pytest

from config.layers import FOREIGN, PREFIX
from config.load import PROVIDER_KEYS


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    foreign = {*FOREIGN, *PROVIDER_KEYS.values()}
    for name in [n for n in os.environ if n.startswith(PREFIX) or n in foreign]:  # noqa: TID251
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
