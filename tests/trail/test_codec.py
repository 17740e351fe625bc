"""Every fact of the catalogue, also tomorrow's, survives writing and reading."""

import dataclasses
import json
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trail import codec
from trail.catalogue import NAMES
from trail.chain import GENESIS, verify
from trail.codec import canonical, decode, encode, envelope_from_json, envelope_to_json
from trail.envelope import Entry, Envelope, Fact
from trail.errors import ContractError, TrailCorrupt
from trail.events.house import HouseStopped, WorkerReplaced
from trail.ids import StreamName
from trail.seal import seal

NOW = datetime(2026, 1, 1, tzinfo=UTC)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
INSTANTS = st.datetimes(timezones=st.just(UTC))
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
KINDS = [pytest.param(kind, id=name) for name, (kind, _) in NAMES.items()]


@pytest.fixture(autouse=True, scope="module")
def _what_facts_may_hold() -> Iterator[None]:
    for kind, strategy in ((float, NUMBERS), (datetime, INSTANTS), (str, TEXTS)):
        st.register_type_strategy(kind, strategy)
    yield
    for kind, strategy in ((float, st.floats()), (datetime, st.datetimes()), (str, st.text())):
        st.register_type_strategy(kind, strategy)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=20)
@given(data=st.data())
def test_every_fact_survives_the_round_trip(kind: type[Fact], data: st.DataObject) -> None:
    fact = data.draw(st.from_type(kind))

    encoded = encode(fact)
    text = canonical(encoded.payload)
    decoded = decode(encoded.event_type, encoded.schema_version, json.loads(text))

    assert decoded.fact == fact
    assert decoded.recorded_payload is None
    assert canonical(encode(decoded.fact).payload) == text


@settings(max_examples=50)
@given(data=st.data())
def test_every_envelope_survives_the_round_trip(data: st.DataObject) -> None:
    facts = [kind for kind, _ in NAMES.values()]
    entry = Entry(
        fact=data.draw(st.sampled_from(facts).flatmap(st.from_type)),
        occurred_at=data.draw(INSTANTS),
        at_s=data.draw(st.none() | NUMBERS),
    )
    (envelope,) = _sealed(entry)

    wire = json.loads(json.dumps(envelope_to_json(envelope)))

    assert envelope_from_json(wire) == envelope
    verify([envelope_from_json(wire)])


def test_given_a_fact_outside_the_catalogue_when_encoded_then_it_is_refused() -> None:
    @dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
    class Unknown(Fact):
        pass

    with pytest.raises(ContractError):
        encode(Unknown())


@pytest.mark.parametrize(
    ("name", "version", "payload"),
    [
        ("session.forgotten", 1, {}),
        ("session.house_stopped", 2, {"part": "worker"}),
        ("session.house_stopped", 0, {"part": "worker"}),
        ("session.house_stopped", 1, {}),
        ("session.house_stopped", 1, {"part": "worker", "mood": "fine"}),
        ("session.house_stopped", 1, {"part": 7}),
        ("session.ended", 1, {"reason": "boredom"}),
    ],
    ids=["name", "future", "past", "missing", "unknown field", "type", "closed set"],
)
def test_given_data_that_does_not_fit_when_decoded_then_the_trail_is_corrupt(
    name: str, version: int, payload: dict[str, object]
) -> None:
    with pytest.raises(TrailCorrupt):
        decode(name, version, payload)


@pytest.mark.parametrize(
    "change",
    [{"schema": "other"}, {"payload": None}, {"position": "one"}, {"extra": 1}],
    ids=lambda change: next(iter(change)),
)
def test_given_json_that_is_no_envelope_when_read_then_the_trail_is_corrupt(
    change: dict[str, object],
) -> None:
    (envelope,) = _sealed(Entry(fact=HouseStopped(part="worker")))

    with pytest.raises(TrailCorrupt):
        envelope_from_json({**envelope_to_json(envelope), **change})


def test_given_an_old_version_when_read_then_it_is_lifted_and_its_digest_still_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    old = _sealed(Entry(fact=WorkerReplaced(lost_for_s=2.0)), Entry(fact=HouseStopped(part="x")))
    wire = [envelope_to_json(envelope) for envelope in old]
    name = "session.worker_replaced"
    monkeypatch.setattr(codec, "NAMES", {**NAMES, name: (WorkerReplaced, 3)})
    doubled = {
        (name, 1): lambda data: {"twice_s": data["lost_for_s"] * 2},
        (name, 2): lambda data: {"lost_for_s": data["twice_s"] + 1},
    }
    monkeypatch.setattr(codec, "UPCASTERS", doubled)

    new = [envelope_from_json(envelope) for envelope in wire]

    assert new[0].fact == WorkerReplaced(lost_for_s=5.0)
    assert new[0].schema_version == 1
    assert [envelope_to_json(envelope) for envelope in new] == wire
    verify(new)


def _sealed(*entries: Entry) -> list[Envelope[Fact]]:
    return list(
        seal(
            entries,
            stream=StreamName("house"),
            source="test",
            now=NOW,
            head=0,
            previous=GENESIS,
        )
    )
