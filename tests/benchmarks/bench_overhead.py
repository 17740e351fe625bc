"""What the product costs a turn beside a plain LiveKit Agents worker, in pairs.

Both sides use one media server, one model server, one browser and the same page. They take turns
by whole sessions, so that nobody else's room is open while one is measured, and which side begins
changes each time. The n-th turn of one side is paired with the n-th of the other: the same question
at the same place of the conversation, a minute apart. The first turn of a session is set apart: we
warm the model when a session opens, a plain worker does not.
"""

import asyncio
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from playwright.async_api import Browser

from tests.benchmarks.plain_room import into_a_plain_room, plain_worker
from tests.benchmarks.questions import SCRIPTED, spoken
from tests.benchmarks.rows import Row, bootstrap, quantile_rows, ratio_row, row
from tests.benchmarks.scale import Scale, tag
from tests.benchmarks.studio import listener
from tests.e2e.house import RunningHouse, running_house
from tests.e2e.person import chromium
from tests.e2e.scripted_model import Script, scripted_model, settings_for
from tests.e2e.voices import Voices

NAMES = (
    "turn.overhead_ratio",
    "turn.overhead_ms",
    "turn.overhead_first_ratio",
    "turn.plain_ms.p50",
    "turn.plain_ms.p95",
)
FACE_OFF = 'avatar:\n  provider: "off"\n'


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One way to compare."""

    tag: str
    scripted: bool
    face: bool


VARIANTS = (
    Variant(tag="", scripted=False, face=True),
    Variant(tag="@no_face", scripted=False, face=False),
    Variant(tag="@scripted", scripted=True, face=True),
    Variant(tag="@scripted_no_face", scripted=True, face=False),
)
"""A scripted model answers at once and always the same, so that the model's own spread does not
hide what we add."""


@dataclass(slots=True)
class Pairs:
    """Latencies of ours and of the plain worker, seconds."""

    later: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    first: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])


def names(variant: Variant) -> tuple[str, ...]:
    """Return the names of a variant's rows."""
    return tuple(f"{name}{variant.tag}" for name in NAMES)


def rows(scale: Scale, variant: Variant) -> Iterator[Row]:
    """Yield one variant's comparison."""
    voices = Voices()
    face = "" if variant.face else FACE_OFF
    if variant.scripted:
        with scripted_model(Script(replies=dict(SCRIPTED))) as url:
            pairs = _compared(settings_for(url, more=face), "tiny", voices, scale)
        yield from _figures(pairs, variant.tag)
    else:
        tier = scale.tiers[0]
        pairs = _compared(face, tier, voices, scale)
        yield from _figures(pairs, variant.tag + tag(tier))


def _compared(config: str, tier: str, voices: Voices, scale: Scale) -> Pairs:
    with (
        tempfile.TemporaryDirectory() as name,
        running_house(Path(name), config=config, tier=tier) as house,
        plain_worker(house, Path(name), tier=tier, config=config),
    ):
        return asyncio.run(_alternate(house, voices, scale))


async def _alternate(house: RunningHouse, voices: Voices, scale: Scale) -> Pairs:
    pairs, rounds = Pairs(), 0
    async with chromium() as browser:
        while len(pairs.later) < scale.pairs and rounds < 3 * scale.pairs:
            sides = (True, False) if rounds % 2 == 0 else (False, True)
            measured = {
                ours: await _session(browser, house, voices, scale, ours=ours) for ours in sides
            }
            both = [
                (ours, plain) for ours, plain in zip(measured[True], measured[False], strict=True)
            ]
            pairs.first += _complete(both[:1])
            pairs.later += _complete(both[1:])
            rounds += 1
    return pairs


async def _session(
    browser: Browser, house: RunningHouse, voices: Voices, scale: Scale, *, ours: bool
) -> list[float | None]:
    """Return the latencies of one session; None where a turn was not clean."""
    prepare = None if ours else into_a_plain_room(house)
    async with listener(browser, prepare=prepare) as somebody:
        await somebody.arrive(house.url, "Anna")
        asked = [
            await somebody.ask(voices.wav(spoken(turn)))
            for turn in range(scale.turns_a_session + 1)
        ]
        await somebody.person.leave()
    return [each.exchange.answer_s for each in asked]


def _complete(pairs: Sequence[tuple[float | None, float | None]]) -> list[tuple[float, float]]:
    return [(a, b) for a, b in pairs if a is not None and b is not None]


def _figures(pairs: Pairs, mark: str) -> Iterator[Row]:
    yield from ratio_row(f"turn.overhead_ratio{mark}", pairs.later)
    yield from ratio_row(f"turn.overhead_first_ratio{mark}", pairs.first)
    if not pairs.later:
        return
    added_ms = [(ours - plain) * 1000 for ours, plain in pairs.later]
    low, high = bootstrap(added_ms)
    yield row(
        f"turn.overhead_ms{mark}",
        statistics.median(added_ms),
        "ms",
        n=len(added_ms),
        interval=(low, high),
    )
    yield from quantile_rows(
        "turn.plain_ms", [plain * 1000 for _, plain in pairs.later], "ms", tag=mark
    )
