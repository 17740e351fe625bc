"""Nothing in a stream can be changed, dropped, added or reordered unnoticed."""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from datetime import timedelta
from typing import Any

import pytest

from tests.trail.builders import STREAM, mark, spoken
from trail.adapters.in_memory import InMemoryStore
from trail.chain import verify
from trail.envelope import Envelope, Fact, PrivacyClass
from trail.errors import TrailCorrupt
from trail.events.house import HouseStopped
from trail.ids import HOUSE

Facts = list[Envelope[Fact]]


async def _stream() -> Facts:
    store = InMemoryStore()
    return list(await store.append(STREAM, [mark(1), spoken("hi")[0], mark(3)], expected=0))


async def test_a_stream_verifies_whole_and_in_stretches() -> None:
    facts = await _stream()

    verify([])
    verify(facts)
    verify(facts[1:], previous=facts[0].digest)


DAMAGES: dict[str, Callable[[Facts], Sequence[Envelope[Fact]]]] = {
    "first is missing": lambda facts: facts[1:],
    "middle is missing": lambda facts: [facts[0], facts[2]],
    "swapped": lambda facts: [facts[1], facts[0], facts[2]],
    "twice": lambda facts: [facts[0], facts[0], *facts[1:]],
    "another stream": lambda facts: [facts[0], replace(facts[1], stream=HOUSE), facts[2]],
    "another digest": lambda facts: [*facts[:2], replace(facts[2], digest="0" * 64)],
    "renumbered": lambda facts: [facts[0], replace(facts[2], position=2)],
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
async def test_given_a_damaged_stream_when_verified_then_its_position_is_named(
    damage: Callable[[Facts], Sequence[Envelope[Fact]]],
) -> None:
    facts = damage(await _stream())

    with pytest.raises(TrailCorrupt, match=r" at \d: "):
        verify(facts)


async def test_every_field_of_an_envelope_is_covered_by_the_digest() -> None:
    (first, *_) = await _stream()
    others: dict[str, Any] = {
        "occurred_at": first.occurred_at + timedelta(microseconds=1),
        "at_s": 0.25,
        "position": 1,
        "privacy_class": PrivacyClass.PUBLIC,
        "schema_version": 1,
        "fact": HouseStopped(part="worker"),
        "recorded_payload": {"lost_for_s": 2.0},
    }
    unchanged = {"position", "schema_version"}

    for field in fields(first):
        changed = replace(first, **{field.name: others.get(field.name, "another")})
        if field.name not in unchanged:
            with pytest.raises(TrailCorrupt):
                verify([changed])
