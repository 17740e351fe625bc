"""What a running house uses: processor, memory, and what a second room costs the first."""

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from playwright.async_api import expect

from tests.benchmarks.bench_overhead import FACE_OFF
from tests.benchmarks.facts import answers_of, within
from tests.benchmarks.questions import SCRIPTED, spoken
from tests.benchmarks.rows import Row, ratio_row, row
from tests.benchmarks.scale import Scale
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
                yield row(f"house.cpu_share.{part}.{what}@{face}", share, "cores", n=n)


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
        alone, both = asyncio.run(_first_tokens(house, scale.room_turns))
    pairs = [(two, one) for two_rooms in both for two, one in zip(two_rooms, alone, strict=True)]
    yield from ratio_row("house.two_rooms_ratio", _known(pairs))


async def _first_tokens(
    house: RunningHouse, turns: int
) -> tuple[Sequence[float | None], Sequence[Sequence[float | None]]]:
    """Return the seconds to the first token, turn by turn, alone and in each of two rooms."""
    spans: dict[str, list[tuple[datetime, datetime]]] = {"alone": [], "one": [], "other": []}
    async with chromium() as browser:
        async with listener(browser) as somebody:
            await somebody.arrive(house.url, "Anna")
            for turn in range(turns + 1):
                spans["alone"].append(await _type(somebody, spoken(turn), turn=turn + 1))
            await somebody.person.leave()
        async with listener(browser) as one, listener(browser) as other:
            await one.arrive(house.url, "Anna")
            await other.arrive(house.url, "Ben")
            for turn in range(turns + 1):
                spans["one"].append(await _type(one, spoken(turn), turn=turn + 1))
                spans["other"].append(await _type(other, spoken(turn), turn=turn + 1))
            await one.person.leave()
            await other.person.leave()
    answers = await answers_of(house, sessions=3)
    found = {
        room: [
            fact.first_token_s if (fact := within(answers, *span)) is not None else None
            for span in each[1:]
        ]
        for room, each in spans.items()
    }
    return found["alone"], (found["one"], found["other"])


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


def _known(pairs: Sequence[tuple[float | None, float | None]]) -> list[tuple[float, float]]:
    return [(two, one) for two, one in pairs if two is not None and one]
