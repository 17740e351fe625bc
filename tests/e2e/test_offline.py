"""Once set up, everything starts and ends with no network at all."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from agent.local.livekit_server import located
from config.load import load_settings

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.skipif(
        sys.platform != "linux" or os.geteuid() != 0 or shutil.which("unshare") is None,
        reason="only the superuser of a Linux can make a network namespace",
    ),
]


def test_given_no_network_when_started_then_the_page_answers_and_nothing_is_left(
    tmp_path: Path,
) -> None:
    if located(load_settings().cache_dir) is None:
        pytest.skip("livekit-server has not been built; `make test` builds it")
    data = tmp_path / "a folder of its own"
    command = ["unshare", "--net", sys.executable, "-m", "tests.e2e.in_no_network"]

    answer = subprocess.run(
        [*command, "--tier", "tiny", "--data-dir", str(data)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )

    assert answer.returncode == 0, answer.stderr
    told = json.loads(answer.stdout.splitlines()[-1])
    assert told["interfaces"] == ["lo"]
    assert told["address"] == "http://localhost:8080"
    assert told["answers"] == {"/healthz": 200, "/readyz": 200, "/": 200}
    assert not [p.pid for p in psutil.process_iter(["cmdline"]) if _names(p, data)]
    assert not (data / "run" / "addresses.json").exists()


def _names(process: psutil.Process, folder: Path) -> bool:
    return any(str(folder) in word for word in process.info["cmdline"] or ())
