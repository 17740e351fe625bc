import io

import pytest
from typing_extensions import override

from agent.cli.news import News, time_left


class Terminal(io.StringIO):
    @override
    def isatty(self) -> bool:
        return True


class Seconds:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_download_tells_size_percent_and_time_left() -> None:
    out, seconds = io.StringIO(), Seconds()
    told = News(out, seconds=seconds).download("model tiny")

    for done in range(0, 101, 10):
        told(done * 1_000_000, 100_000_000)
        seconds.now += 5.0

    lines = out.getvalue().splitlines()
    assert lines[0] == "model tiny: 0 %, 0 of 100 MB"
    assert lines[1] == "model tiny: 20 %, 20 of 100 MB, 40 s left"
    assert lines[-1] == "model tiny: 100 %, 100 of 100 MB, done"


def test_given_a_terminal_then_one_line_is_rewritten() -> None:
    out, seconds = Terminal(), Seconds()
    news = News(out, seconds=seconds)
    told = news.download("model")
    told(0, 10)
    seconds.now += 1.0
    told(5, 10)
    news.say("Next.")

    assert out.getvalue().count("\n") == 2
    assert "\r\x1b[Kmodel: 50 %" in out.getvalue()


def test_what_was_there_already_does_not_make_the_rest_look_quick() -> None:
    out, seconds = io.StringIO(), Seconds()
    told = News(out, seconds=seconds).download("model")
    told(90_000_000, 100_000_000)
    seconds.now += 20.0
    told(91_000_000, 100_000_000)

    assert out.getvalue().splitlines()[1].endswith("3 min left")


def test_a_step_that_takes_longer_than_usual_says_so() -> None:
    out = io.StringIO()
    told = News(out).step("build", usually_s=90.0)
    for passed_s in (0.0, 0.5, 45.0, 200.0):
        told(passed_s)

    assert out.getvalue().splitlines() == [
        "build: 0 s, about 90 s left",
        "build: 45 s, about 45 s left",
        "build: 200 s, longer than usual",
    ]


@pytest.mark.parametrize(
    ("done", "left", "passed_s", "words"),
    [(0, 10, 5.0, ""), (5, 5, 0.5, ""), (10, 10, 30.0, "30 s left"), (1, 9, 60.0, "9 min left")],
)
def test_time_left(done: int, left: int, passed_s: float, words: str) -> None:
    assert time_left(done, left, passed_s) == words
