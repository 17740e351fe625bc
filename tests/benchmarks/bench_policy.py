"""How long the boundary takes: loading, deciding, and finding a standing decision again.

``python -m tests.benchmarks.bench_policy`` prints one JSON row per figure.
"""

import json
import math
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cedarpy

from policy.consent import Consents
from policy.engine import decide, question, thing
from policy.gate import Gate
from policy.ruleset import RuleSet, load_rules
from tests.policy.builders import ANNA, BEN, NOW, request
from trail.clock import SystemClock
from trail.envelope import Fact, PrivacyClass
from trail.ids import EventId, ParticipantId, PersonId

MANY = 1_000
QUESTION = request(audience=(ANNA, BEN))
CONSENTS = {who: Consents(person=who) for who in (ANNA, BEN)}


class _Nowhere:
    """A recorder that costs nothing."""

    def note(
        self,
        fact: Fact,
        *,
        privacy_class: PrivacyClass = PrivacyClass.OPERATIONAL,
        participant_id: ParticipantId | None = None,
    ) -> EventId:
        return EventId("")

    async def flush(self) -> None:
        pass


def rows(*, n: int = 2_000) -> Iterator[dict[str, Any]]:
    """Yield rows ``{name, value, unit, baseline, n, low, high}``.

    The baseline of many rules is the same rules in one set.
    """
    rules = load_rules()
    yield from _rows("policy.load_ms", _times(load_rules, 50), "ms", 1e3)
    yield from _rows("policy.decide_ms", _times(lambda: _decide(rules), n), "ms", 1e3)
    with tempfile.TemporaryDirectory() as folder:
        many = load_rules(_many(Path(folder)))
    whole = cedarpy.PolicySet.from_str("\n".join(rule.text for rule in many.rules))
    split = _times(lambda: _decide(many), n // 10)
    unsplit = _times(
        lambda: cedarpy.is_authorized(question(QUESTION, CONSENTS, NOW), whole, thing(QUESTION)),
        n // 10,
    )
    baseline = statistics.median(unsplit) * 1e3
    yield from _rows("policy.decide_1000_rules_ms", split, "ms", 1e3, baseline=baseline)
    gate = Gate(rules, _Nowhere(), clock=SystemClock(), consents=_consents)
    yield from _rows(
        "policy.standing_us", _times(lambda: gate.standing(QUESTION), n * 5), "us", 1e6
    )


def _consents(person: PersonId) -> Consents:
    return CONSENTS[person]


def _decide(rules: RuleSet) -> None:
    decide(rules, QUESTION, CONSENTS, NOW)


def _many(folder: Path) -> Path:
    """Write `MANY` rules, spread over the nine boundaries as an installation might have them."""
    actions = ["capture", "identity", "egress", "commit", "retrieve", "tool", "retention", "audit"]
    path = folder / "many.cedar"
    path.write_text(
        "\n".join(
            f'@id("many.rule{i}") @reason("r") forbid (principal,'
            f' action == Action::"{actions[i % len(actions)]}", resource)'
            f' when {{ context.channel == "channel{i}" }};'
            for i in range(MANY)
        )
    )
    return path


def _times(run: Callable[[], object], n: int) -> list[float]:
    run()
    times: list[float] = []
    for _ in range(n):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return times


def _rows(
    name: str, times: list[float], unit: str, scale: float, *, baseline: float | None = None
) -> Iterator[dict[str, Any]]:
    times = sorted(time * scale for time in times)
    for quantile in (0.5, 0.95):
        low, value, high = _quantile(times, quantile)
        yield {
            "name": f"{name}.p{quantile * 100:.0f}",
            "value": round(value, 4),
            "unit": unit,
            "baseline": round(baseline, 4) if baseline and quantile == 0.5 else None,
            "n": len(times),
            "low": round(low, 4),
            "high": round(high, 4),
        }


def _quantile(ordered: list[float], quantile: float) -> tuple[float, float, float]:
    """Return a quantile between the ends of its 95 % interval, by rank."""
    middle = quantile * len(ordered)
    spread = 1.96 * math.sqrt(middle * (1 - quantile))
    low, value, high = (
        ordered[min(len(ordered) - 1, max(0, round(rank)))]
        for rank in (middle - spread, middle, middle + spread)
    )
    return low, value, high


if __name__ == "__main__":
    for row in rows():
        print(json.dumps(row))
