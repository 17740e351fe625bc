"""What a running house uses: processor, memory, and what a second room costs the first."""

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from playwright.async_api import Browser, expect

from tests.benchmarks.bench_overhead import FACE_OFF
from tests.benchmarks.facts import answers_of, within
from tests.benchmarks.questions import SCRIPTED, spoken
from tests.benchmarks.rows import Row, ratio_row, row
from tests.benchmarks.scale import Scale, tag
from tests.benchmarks.studio import Listener, listener
from tests.benchmarks.usage import Usage, resident_mib
from tests.e2e.house import RunningHouse, running_house
from tests.e2e.person import chromium
from tests.e2e.scripted_model import Script, scripted_model, settings_for
from tests.e2e.voices import Voices

PROCESSOR_NAMES = ("house.cpu_share",)
MEMORY_NAMES = ("house.memory",)
ROOMS_NAMES = ("house.two_rooms_ratio",)
FINAL = ("full", "partial", "none", "unknown")
ANSWER_MS = 90_000


def processor(scale: Scale) -> Iterator[Row]:
    """Shares of one core while somebody talks with it, and while it listens to silence."""
    voices = Voices()
    for face, config in (("face", ""), ("no_face", FACE_OFF)):
        with (
            tempfile.TemporaryDirectory() as name,
            running_house(Path(name), config=config, tier=scale.tiers[0]) as house,
        ):
            used = asyncio.run(_used(house, voices, scale))
        for what, shares in used.items():
            for part, share in shares.items():
                n = scale.talking_turns if what == "talking" else 1
                name = f"house.cpu_share.{part}.{what}@{face}{tag(scale.tiers[0])}"
                yield row(name, share, "cores", n=n)


async def _used(house: RunningHouse, voices: Voices, scale: Scale) -> dict[str, dict[str, float]]:
    async with chromium() as browser, listener(browser) as somebody:
        await somebody.arrive(house.url, "Anna")
        await somebody.ask(voices.wav(spoken(0)))
        talking = Usage(house)
        for turn in range(scale.talking_turns):
            await somebody.ask(voices.wav(spoken(turn + 1)))
        talked = talking.shares()
        listening = Usage(house)
        await asyncio.sleep(scale.listening_s)
        listened = listening.shares()
        await somebody.person.leave()
    return {"talking": talked, "listening": listened}


def memory(scale: Scale) -> Iterator[Row]:
    """Memory of the house process after one turn and after many."""
    with (
        scripted_model(Script(replies=dict(SCRIPTED))) as url,
        tempfile.TemporaryDirectory() as name,
        running_house(Path(name), config=settings_for(url)) as house,
    ):
        first, last = asyncio.run(_grown(house, scale.memory_turns))
    yield row("house.memory_mib@turn_1", first, "MiB")
    yield row(f"house.memory_mib@turn_{scale.memory_turns}", last, "MiB", baseline=first)
    yield row("house.memory_growth", last / first, "ratio", n=scale.memory_turns, baseline=1.0)


async def _grown(house: RunningHouse, turns: int) -> tuple[float, float]:
    async with chromium() as browser, listener(browser) as somebody:
        await somebody.arrive(house.url, "Anna")
        await _type(somebody, "Tell me more.", turn=1)
        first = resident_mib(house)
        for turn in range(2, turns + 1):
            await _type(somebody, "Tell me more.", turn=turn)
        last = resident_mib(house)
        await somebody.person.leave()
    return first, last


def rooms(scale: Scale) -> Iterator[Row]:
    """First token of typed turns in two rooms that talk in turn, against one room alone."""
    with (
        tempfile.TemporaryDirectory() as name,
        running_house(Path(name), config=FACE_OFF, tier=scale.tiers[0]) as house,
    ):
        alone, shared = asyncio.run(_first_tokens(house, scale.room_turns))
    yield from ratio_row(f"house.two_rooms_ratio{tag(scale.tiers[0])}", _paired(shared, alone))


FirstTokens = Sequence[float | None]
"""Seconds to the first token, turn by turn; None where the trail holds no answer."""
Spans = list[tuple[datetime, datetime]]


async def _first_tokens(
    house: RunningHouse, turns: int
) -> tuple[Sequence[FirstTokens], Sequence[FirstTokens]]:
    """Return what one room alone needs, before and after, and what each of two rooms needs.

    The first turn of each room is left out.
    """
    async with chromium() as browser:
        before = await _alone(browser, house, turns)
        one_spans: Spans = []
        other_spans: Spans = []
        async with listener(browser) as one, listener(browser) as other:
            await one.arrive(house.url, "Anna")
            await other.arrive(house.url, "Ben")
            for turn in range(turns + 1):
                one_spans.append(await _type(one, spoken(turn), turn=turn + 1))
                other_spans.append(await _type(other, spoken(turn), turn=turn + 1))
            await one.person.leave()
            await other.person.leave()
        after = await _alone(browser, house, turns)
    answers = await answers_of(house, sessions=4)

    def tokens(spans: Spans) -> FirstTokens:
        facts = [within(answers, *span) for span in spans[1:]]
        return [fact.first_token_s if fact is not None else None for fact in facts]

    return (tokens(before), tokens(after)), (tokens(one_spans), tokens(other_spans))


async def _alone(browser: Browser, house: RunningHouse, turns: int) -> Spans:
    async with listener(browser) as somebody:
        await somebody.arrive(house.url, "Anna")
        spans = [await _type(somebody, spoken(turn), turn=turn + 1) for turn in range(turns + 1)]
        await somebody.person.leave()
    return spans


async def _type(somebody: Listener, text: str, *, turn: int) -> tuple[datetime, datetime]:
    """Type a message, wait until its answer was said, and return from when to when that took.

    Args:
        somebody: Who types.
        text: What.
        turn: Number of the turn, from 1; the greeting comes before them.
    """
    began = datetime.now(UTC)
    await somebody.person.type(text)
    said = somebody.person.turns_of("avatar", delivery=FINAL)
    await expect(said).to_have_count(turn + 1, timeout=ANSWER_MS)
    return began, datetime.now(UTC)


def _paired(
    shared: Sequence[FirstTokens], alone: Sequence[FirstTokens]
) -> list[tuple[float, float]]:
    """Pair each shared turn with the mean of the same turn alone, before and after."""
    pairs: list[tuple[float, float]] = []
    for room in shared:
        for two, *ones in zip(room, *alone, strict=True):
            known = [one for one in ones if one]
            if two is not None and known:
                pairs.append((two, sum(known) / len(known)))
    return pairs
