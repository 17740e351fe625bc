"""Real local models for tests: the `tiny` tier, fetched once into the cache folder.

Import the fixtures by name into a conftest. The cache folder is the configured one
(EARWITNESS_CACHE_DIR, else the user's), so that models are fetched once per machine.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from agent.local.model_fetch import ModelUnavailable, obtain
from agent.local.model_lock import Role, load_lock
from agent.local.recogniser import Recogniser, Samples
from agent.local.synthesiser import Synthesiser
from config.load import load_settings

SPEECH = Path(__file__).parents[2] / "shared" / "data" / "speech_misc"
KEY = "a key that only this test knows"


@dataclass(frozen=True)
class ModelServer:
    """A running model server."""

    base_url: str
    process: "subprocess.Popen[str]"

    @property
    def root(self) -> str:
        return self.base_url.removesuffix("/v1")


def tiny_model(role: Role) -> Path:
    try:
        return obtain(load_lock(), role, "tiny", load_settings().cache_dir).path
    except ModelUnavailable as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def recogniser() -> Recogniser:
    return Recogniser.load(tiny_model("stt"))


@pytest.fixture(scope="session")
def synthesiser() -> Synthesiser:
    return Synthesiser.load(tiny_model("tts"))


@pytest.fixture(scope="session")
def model_server() -> Iterator[ModelServer]:
    process = start_model_server(tiny_model("llm"), "--context-tokens", "1024")
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["state"] == "loading"
    yield ModelServer(json.loads(process.stdout.readline())["base_url"], process)
    process.terminate()
    process.communicate(timeout=30)


def start_model_server(model: Path, *arguments: str) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-m", "agent.local.model_server", "--model", str(model), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write(f"{KEY}\n")
    process.stdin.flush()
    return process


def for_ears(pcm: NDArray[np.int16], rate_hz: int = 24_000) -> Samples:
    """Return sound at the recogniser's rate, good enough for a recogniser."""
    at_s = np.arange(int(len(pcm) / rate_hz * 16_000)) / 16_000
    heard = np.interp(at_s, np.arange(len(pcm)) / rate_hz, pcm)
    return (heard / 32_768).astype(np.float32)


def agreement(said: str, heard: str) -> float:
    """Return which part of the words said was heard, in order."""
    a, b = words(said), words(heard)
    row = [0] * (len(b) + 1)
    for word in a:
        before = row[:]
        for i, other in enumerate(b):
            row[i + 1] = before[i] + 1 if word == other else max(row[i], before[i + 1])
    return row[-1] / max(1, len(a))


def words(text: str) -> list[str]:
    return "".join(c.lower() if c.isalnum() or c.isspace() else "" for c in text).split()
