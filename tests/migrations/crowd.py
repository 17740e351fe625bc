"""Many processes that bring one database up to date at the same moment, some killed at it.

``python -m tests.migrations.crowd URL COUNT SEED``: one import, then a fork for each, all let go at
once. Prints how many were killed and how many came to a good end.
"""

import os
import signal
import sys
import time
from random import Random  # noqa: TID251  # seeded from the command line

from migrations.upgrade import upgrade

LONGEST_LIFE_S = 0.3


def main(url: str, count: int, seed: int) -> None:
    dice = Random(seed)
    lives = [dice.uniform(0.0, LONGEST_LIFE_S) if n % 4 == 0 else None for n in range(count)]
    gate_out, gate_in = os.pipe()
    children = [_fork(url, gate_out, gate_in) for _ in lives]
    os.close(gate_in)
    started_s = time.monotonic()  # noqa: TID251  # real processes, real time
    for child, life_s in sorted(
        ((c, s) for c, s in zip(children, lives, strict=True) if s is not None),
        key=lambda pair: pair[1],
    ):
        time.sleep(max(0.0, started_s + life_s - time.monotonic()))  # noqa: TID251
        os.kill(child, signal.SIGKILL)
    ends = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    killed = sum(life_s is not None for life_s in lives)
    good = sum(end == 0 for end, life_s in zip(ends, lives, strict=True) if life_s is None)
    sys.stdout.write(f"{killed} {good}\n")


def _fork(url: str, gate_out: int, gate_in: int) -> int:
    child = os.fork()
    if child:
        return child
    os.close(gate_in)
    os.read(gate_out, 1)
    upgrade(url)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
