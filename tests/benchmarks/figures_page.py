"""Writes docs/figures.md from the figures of the last runs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.benchmarks.machine import QUIET_LOAD, read
from tests.benchmarks.rows import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Figures that belong together, and what is to be known about them."""

    title: str
    about: str
    prefixes: tuple[str, ...]
    aims: tuple[tuple[str, str], ...] = ()
    """Name of a row and what it should be."""


SECTIONS: Final = (
    Section(
        title="From the last word to the first sound",
        about=(
            "A recording is spoken into the microphone of the page in headless Chromium; the page "
            "records, on the same audio clock, what goes in and what comes out. `answer_ms` is the "
            "time from the last loud 5 ms of the question to the first audible 5 ms of the answer. "
            "`end_of_turn_ms` and `recognition_ms` count from the end of speech and overlap; "
            "`first_token_ms` and `first_audio_ms` are the time each adds. `network_ms` is what "
            "the page measured beyond the worker's own sum: transport there and back, jitter "
            "buffers, the worker's error about when speech ended, and the 30 ms of quiet with "
            "which the voice begins. Without a tag: the models of tier `small`. "
            "The first turn of a conversation stands apart as `first_answer_ms`. `unmeasured` "
            "turns had no answer, or the avatar spoke while the person did."
        ),
        prefixes=(
            "turn.answer_ms",
            "turn.end_of_turn_ms",
            "turn.recognition_ms",
            "turn.first_token_ms",
            "turn.first_audio_ms",
            "turn.network_ms",
            "turn.first_answer_ms",
            "turn.unmeasured",
        ),
        aims=(("turn.answer_ms.p50", "≤ 1200"),),
    ),
    Section(
        title="What we add to a plain LiveKit Agents worker",
        about=(
            "The same models, media server, browser and page, taking turns by sessions of a few "
            "questions, one room open at a time. A pair is the same question at the same place of "
            "the conversation. The ratio is the median of the paired ratios, ours to the plain "
            "worker's, with a bootstrap interval. `@no_face`: our face is off. `@scripted`: a "
            "model that answers at once and always the same, so that the model's own spread does "
            "not hide the difference. First turns stand apart: we warm the model, it does not."
        ),
        prefixes=("turn.overhead", "turn.plain_ms"),
        aims=(
            ("turn.overhead_ratio", "upper end ≤ 1.05"),
            ("turn.overhead_ratio@no_face", "upper end ≤ 1.05"),
            ("turn.overhead_ratio@scripted", "upper end ≤ 1.05"),
            ("turn.overhead_ratio@scripted_no_face", "upper end ≤ 1.05"),
        ),
    ),
    Section(
        title="What a running house uses",
        about=(
            "Shares of one core, averaged over a spoken conversation and over silence, with and "
            "without the face. Memory is the house process's own (unique set size), after one and "
            "after many typed turns. `two_rooms_ratio` is the time to the first token in two rooms "
            "that talk in turn, against one room alone before and after."
        ),
        prefixes=("house.",),
        aims=(("house.two_rooms_ratio", "≤ 1.5"), ("house.memory_growth", "no growth: near 1")),
    ),
    Section(
        title="What the local models know",
        about=(
            "Share of ten simple questions answered with the expected word, each asked several "
            "times with the packaged character's prompt. A floor for expectations, no benchmark "
            "of language models."
        ),
        prefixes=("wits.",),
    ),
    Section(
        title="The face",
        about="Processor time of drawing, a frame, and the share of one core at 25 a second.",
        prefixes=("face.",),
    ),
    Section(
        title="The boundary",
        about="Deciding, finding a standing decision again, and loading the rules.",
        prefixes=("policy.",),
    ),
    Section(
        title="Killed in the middle of writing",
        about="Acknowledged facts lost when a writing process is killed at random instants.",
        prefixes=("trail.",),
        aims=(("trail.lost_facts@sqlite", "0"), ("trail.lost_facts@postgresql", "0")),
    ),
)


def write(page: Path, rows: Sequence[Row], diary: Path) -> None:
    """Write the page; figures that were never taken are said to be missing."""
    about = read(diary) if diary.exists() else {}
    page.write_text("\n".join(_lines(rows, about)) + "\n", encoding="utf-8")


def _lines(rows: Sequence[Row], about: dict[str, Any]) -> Iterator[str]:
    yield "# Figures"
    yield ""
    yield (
        "Generated by `make bench ARGS=--write-docs` from `build/bench.json`; `make bench` takes "
        "hours, `ONLY=turn.answer` a part. Ratios compare within one run; do not compare "
        "milliseconds between machines. Intervals are 95 %."
    )
    yield ""
    yield from _machine(about)
    for section in SECTIONS:
        yield f"## {section.title}"
        yield ""
        yield section.about
        yield ""
        yield from _table(section, rows)
        yield ""


def _machine(about: dict[str, Any]) -> Iterator[str]:
    if not about:
        yield "No figures have been taken yet."
        yield ""
        return
    where = about["machine"]
    yield (
        f"Machine: {where['processor']}, {where['cores']} cores, {where['memory_gib']} GiB, "
        f"{where['system']}, Python {where['python']}. Browser, media server and models share it."
    )
    yield ""
    yield "| part | taken | took | load before | load after | how it was |"
    yield "|---|---|---|---|---|---|"
    for name, part in about["parts"].items():
        yield (
            f"| {name} | {part['began'][:16].replace('T', ' ')} | {part['seconds']:.0f} s "
            f"| {part['load_before']} | {part['load_after']} | {_how(part, where['cores'])} |"
        )
    yield ""


def _how(part: dict[str, Any], cores: int) -> str:
    noise = "quiet" if part["load_before"] <= QUIET_LOAD * cores else "**noisy**"
    return f"{noise}, failed" if part["failed"] else noise


def _table(section: Section, rows: Sequence[Row]) -> Iterator[str]:
    mine = [each for each in rows if each["name"].startswith(section.prefixes)]
    aims = dict(section.aims)
    missing = [name for name in aims if name not in {each["name"] for each in mine}]
    if not mine and not missing:
        yield "Not measured yet."
        return
    yield "| figure | value | unit | 95 % | n | compared with | aim |"
    yield "|---|---|---|---|---|---|---|"
    for each in mine:
        interval = "" if each["low"] is None else f"{each['low']:g} … {each['high']:g}"
        baseline = "" if each["baseline"] is None else f"{each['baseline']:g}"
        yield (
            f"| `{each['name']}` | {each['value']:g} | {each['unit']} | {interval} | {each['n']} "
            f"| {baseline} | {aims.get(each['name'], '')} |"
        )
    for name in missing:
        yield f"| `{name}` | not measured yet | | | | | {aims[name]} |"
