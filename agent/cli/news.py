"""What a command says while it works: to standard error, one line a step, progress with time left.

Data goes to standard output and is printed by the commands themselves.
"""

import sys
from collections.abc import Callable
from typing import TextIO

from trail.clock import monotonic_s

_BYTES_A_MB = 1_000_000
_EVERY_S_ON_A_TERMINAL = 0.2
_EVERY_S_ELSEWHERE = 10.0


class News:
    """Lines for the person at the terminal."""

    def __init__(
        self, out: TextIO | None = None, *, seconds: Callable[[], float] = monotonic_s
    ) -> None:
        self._out = out or sys.stderr
        self._seconds = seconds
        self._open_line = False

    def say(self, line: str) -> None:
        """Print one line."""
        self._end_line()
        print(line, file=self._out, flush=True)

    def download(self, name: str) -> "Steps":
        """Return what is told bytes done and bytes in all."""
        return Steps(self, name, show=_megabytes, seconds=self._seconds)

    def step(self, name: str, *, usually_s: float) -> Callable[[float], None]:
        """Return what is told the seconds that a step of unknown size has taken so far."""
        told_s = -self.pause_s()

        def tell(passed_s: float) -> None:
            nonlocal told_s
            if passed_s - told_s < self.pause_s():
                return
            told_s = passed_s
            left_s = usually_s - passed_s
            rest = f"about {left_s:.0f} s left" if left_s > 0 else "longer than usual"
            self.progress(f"{name}: {passed_s:.0f} s, {rest}")

        return tell

    def progress(self, line: str) -> None:
        """Print a line that the next one may replace."""
        if self._out.isatty():
            print(f"\r\033[K{line}", end="", file=self._out, flush=True)
            self._open_line = True
        else:
            print(line, file=self._out, flush=True)

    def pause_s(self) -> float:
        """Return how often progress is worth a line here."""
        return _EVERY_S_ON_A_TERMINAL if self._out.isatty() else _EVERY_S_ELSEWHERE

    def _end_line(self) -> None:
        if self._open_line:
            print(file=self._out, flush=True)
            self._open_line = False


class Steps:
    """Progress of one long step; callable with what is done and what there is in all."""

    def __init__(
        self,
        news: News,
        name: str,
        *,
        show: Callable[[int, int], str],
        seconds: Callable[[], float],
    ) -> None:
        self._news = news
        self._name = name
        self._show = show
        self._seconds = seconds
        self._started_s = seconds()
        self._first_done: int | None = None
        self._told_s = self._started_s - news.pause_s()
        self._finished = False

    def __call__(self, done: int, total: int) -> None:
        now_s = self._seconds()
        self._first_done = done if self._first_done is None else self._first_done
        finished = total > 0 and done >= total
        if self._finished or (not finished and now_s - self._told_s < self._news.pause_s()):
            return
        self._finished = finished
        self._told_s = now_s
        left = time_left(done - self._first_done, total - done, now_s - self._started_s)
        percent = f"{100 * done // total} %" if total else ""
        parts = [percent, self._show(done, total), "done" if finished else left]
        self._news.progress(f"{self._name}: {', '.join(part for part in parts if part)}")


def time_left(done: int, left: int, passed_s: float) -> str:
    """Return the time left in words; nothing while nobody can know."""
    if done <= 0 or passed_s < 1.0:
        return ""
    seconds = left * passed_s / done
    return f"{seconds / 60:.0f} min left" if seconds >= 90 else f"{seconds:.0f} s left"


def _megabytes(done: int, total: int) -> str:
    return f"{done / _BYTES_A_MB:.0f} of {total / _BYTES_A_MB:.0f} MB"
