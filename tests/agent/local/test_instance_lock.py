import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agent.local.instance_lock import AlreadyRunning, holder, instance_lock

HOLD = """
import pathlib, sys, time
from agent.local.instance_lock import instance_lock
with instance_lock(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


def test_given_a_running_house_when_another_starts_then_the_first_pid_is_named(
    tmp_path: Path,
) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as first:
        assert first.stdout is not None
        first.stdout.readline()
        with pytest.raises(AlreadyRunning) as raised, instance_lock(tmp_path):
            pass
        seen = holder(tmp_path)
        os.kill(first.pid, signal.SIGKILL)

    assert raised.value.pid == seen == first.pid
    with instance_lock(tmp_path):
        assert holder(tmp_path) == os.getpid()
    assert holder(tmp_path) is None


def test_given_no_folder_yet_then_nobody_holds_it(tmp_path: Path) -> None:
    assert holder(tmp_path / "none") is None
