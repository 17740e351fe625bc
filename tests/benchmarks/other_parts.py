"""Benchmarks that are programs of their own, run as such and read as rows."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Final

from tests.benchmarks import bench_policy
from tests.benchmarks.rows import Row, row, row_of
from tests.benchmarks.scale import Scale

POLICY_NAMES: Final = ("policy.",)
FACE_NAMES: Final = ("face.",)
KILLS_NAMES: Final = ("trail.",)
KILLED: Final = re.compile(
    r"(?P<kind>\w+): (?P<kills>\d+) kills, (?P<facts>\d+) facts, (?P<lost>\d+) lost"
)


def policy(scale: Scale) -> Iterator[Row]:
    """Yield what the gate costs."""
    for each in bench_policy.rows(n=scale.decisions):
        yield row_of(each)


def face(_: Scale) -> Iterator[Row]:
    """Yield what drawing the face costs."""
    for line in _printed("tests.benchmarks.bench_face"):
        found = json.loads(line)
        name = str(found["figure"]).removeprefix("face_")
        yield row(f"face.{name}_ms", found["ms_per_frame"], "ms/frame")
        yield row(f"face.{name}_cpu_share", found["core_share_at_25_fps"], "cores")


def kills(scale: Scale) -> Iterator[Row]:
    """Yield how many acknowledged facts were lost when a writing process was killed."""
    for line in _printed("tests.benchmarks.kills", str(scale.kills)):
        if found := KILLED.match(line):
            name = f"trail.lost_facts@{found['kind']}"
            yield row(name, int(found["lost"]), "facts", n=int(found["kills"]), baseline=0)


def _printed(module: str, *words: str) -> list[str]:
    """Return the lines that a program printed.

    Raises:
        RuntimeError: it failed; the message is the end of what it said.
    """
    done = subprocess.run(
        [sys.executable, "-m", module, *words], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(f"{module} ended with {done.returncode}:\n{done.stderr[-2_000:]}")
    return done.stdout.splitlines()
