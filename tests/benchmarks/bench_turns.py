"""End of speech to the first audible answer, in the browser, with the parts it is made of.

The whole is measured in the page by one audio clock (`tests.benchmarks.studio`). The parts are
the worker's own, from the trail, counted from the end of speech as its voice detector saw it;
what the page measures beyond the worker's sum is called network: transport there and back, jitter
buffers, the difference between the detector's end of speech and the last loud sample, and the
quiet with which the voice begins (30 ms).
"""

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.facts import Answered, answers_of, within
from tests.benchmarks.questions import spoken
from tests.benchmarks.rows import Row, quantile_rows, row
from tests.benchmarks.scale import Scale, tag
from tests.benchmarks.studio import Asked, listener
from tests.e2e.house import RunningHouse, running_house
from tests.e2e.person import chromium
from tests.e2e.voices import Voices
from trail.events.interaction import TurnAnswered

NAMES = (
    "turn.answer_ms",
    "turn.end_of_turn_ms",
    "turn.recognition_ms",
    "turn.first_token_ms",
    "turn.first_audio_ms",
    "turn.network_ms",
    "turn.first_answer_ms",
    "turn.unmeasured",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One clean turn; seconds."""

    answer_s: float
    fact: TurnAnswered | None
    """None: the trail holds no answer for it, so its parts are unknown."""


def rows(scale: Scale) -> Iterator[Row]:
    """Yield the latency figures of each tier."""
    voices = Voices()
    for tier in scale.tiers:
        with tempfile.TemporaryDirectory() as folder, running_house(Path(folder), tier=tier) as up:
            asked, answers = asyncio.run(_talk(up, voices, scale.turns))
        yield from _figures(asked, answers, tag(tier))


async def _talk(
    house: RunningHouse, voices: Voices, turns: int
) -> tuple[Sequence[Asked], Sequence[Answered]]:
    """Hold one conversation; the first turn is the first of the result."""
    async with chromium() as browser, listener(browser) as somebody:
        await somebody.arrive(house.url, "Anna")
        asked = [await somebody.ask(voices.wav(spoken(turn))) for turn in range(turns + 1)]
        await somebody.person.leave()
    return asked, await answers_of(house, sessions=1)


def _figures(asked: Sequence[Asked], answers: Sequence[Answered], tier: str) -> Iterator[Row]:
    first = asked[0].exchange.answer_s
    if first is not None:
        yield row(f"turn.first_answer_ms{tier}", first * 1000, "ms")
    turns = [
        Measured(answer_s=answer_s, fact=within(answers, each.began, each.ended))
        for each in asked[1:]
        if (answer_s := each.exchange.answer_s) is not None
    ]
    yield from _quantiles("answer", [turn.answer_s for turn in turns], tier)
    known = [(turn.answer_s, turn.fact) for turn in turns if turn.fact is not None]
    for name, values in {
        "end_of_turn": [fact.end_of_turn_s for _, fact in known],
        "recognition": [fact.recognition_s for _, fact in known],
        "first_token": [
            max(0.0, fact.first_token_s - max(fact.end_of_turn_s, fact.recognition_s))
            for _, fact in known
        ],
        "first_audio": [max(0.0, fact.first_audio_s - fact.first_token_s) for _, fact in known],
        "network": [answer_s - fact.answer_s for answer_s, fact in known],
    }.items():
        yield from _quantiles(name, values, tier)
    yield row(f"turn.unmeasured{tier}", len(asked) - 1 - len(turns), "turns", n=len(asked) - 1)


def _quantiles(name: str, seconds: Sequence[float], tier: str) -> Sequence[Row]:
    return quantile_rows(f"turn.{name}_ms", [s * 1000 for s in seconds], "ms", tag=tier)
