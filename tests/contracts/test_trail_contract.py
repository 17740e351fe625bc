"""What every store promises of facts, on memory, SQLite and PostgreSQL."""

import asyncio
import dataclasses
from collections import defaultdict
from datetime import UTC, datetime, timedelta, timezone

import pytest

from tests.databases import Place
from tests.trail.builders import ANNA, BEN, STREAM, mark, number_of, spoken, unfit, whole
from trail.chain import verify
from trail.envelope import Entry, PrivacyClass
from trail.errors import ContractError, PositionConflict
from trail.events.house import WorkerReplaced
from trail.ids import HOUSE, EventId, ParticipantId, SessionId, StreamName, TurnId


async def test_positions_start_at_one_and_have_no_gaps(place: Place) -> None:
    async with place.open() as store:
        first = await store.append(STREAM, [mark(1), mark(2)], expected=0)
        second = await store.append(STREAM, [mark(3)], expected=2)

        assert [envelope.position for envelope in (*first, *second)] == [1, 2, 3]
        assert await store.read(STREAM) == [*first, *second]
        assert await store.head(STREAM) == 3
        assert await store.head(HOUSE) == 0
        verify([*first, *second])


async def test_given_a_cursor_when_reading_then_what_comes_after_it_returns(place: Place) -> None:
    async with place.open() as store:
        await store.append(STREAM, [mark(n) for n in range(1, 8)], expected=0)

        page = await store.read(STREAM, after=2, limit=3)

    assert [number_of(envelope) for envelope in page] == [3, 4, 5]


async def test_what_is_read_is_what_was_appended_in_every_field(place: Place) -> None:
    entry = Entry(
        fact=WorkerReplaced(lost_for_s=3),  # an integer where seconds belong
        privacy_class=PrivacyClass.SENSITIVE,
        occurred_at=datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=timezone(timedelta(hours=-7))),
        at_s=0.1 + 0.2,
        session_id=SessionId("s"),
        participant_id=ParticipantId("p ü 🙂 \u202e"),
        turn_id=TurnId("t"),
        correlation_id=EventId("c"),
        causation_id=EventId("d"),
    )
    async with place.open(source="worker") as store:
        (returned,) = await store.append(STREAM, [entry], expected=0)
    async with place.open() as store:
        (read,) = await store.read(STREAM)

    assert read == returned
    assert read.occurred_at == entry.occurred_at
    assert read.occurred_at.tzinfo == UTC
    assert read.source == ("test" if place.kind == "memory" else "worker")
    for field in dataclasses.fields(entry):
        if field.name not in {"contents", "occurred_at"}:
            assert getattr(read, field.name) == getattr(entry, field.name)
    verify([read])


async def test_given_another_was_first_when_appending_then_nothing_is_recorded(
    place: Place,
) -> None:
    async with place.open() as store:
        await store.append(STREAM, [mark(1)], expected=0)
        late, words = spoken("too late")

        with pytest.raises(PositionConflict) as conflict:
            await store.append(STREAM, [late], expected=0)

        assert (conflict.value.expected, conflict.value.actual) == (0, 1)
        assert await store.head(STREAM) == 1
        assert await store.texts([words.ref.content_id]) == {}


async def test_given_a_position_beyond_the_end_when_appending_then_it_conflicts(
    place: Place,
) -> None:
    async with place.open() as store:
        with pytest.raises(PositionConflict):
            await store.append(STREAM, [mark(1)], expected=5)


@pytest.mark.parametrize("entries", [[], [mark(1), unfit()]], ids=["nothing", "one is unfit"])
async def test_given_a_batch_that_cannot_be_when_appending_then_nothing_is_recorded(
    place: Place, entries: list[Entry]
) -> None:
    async with place.open() as store:
        with pytest.raises(ContractError):
            await store.append(STREAM, entries, expected=0)

        await store.append(STREAM, [mark(2)], expected=0)

        assert [number_of(envelope) for _, envelope in await store.read_all()] == [2]
        assert [order for order, _ in await store.read_all()] == [1]


@pytest.mark.parametrize(
    "entry",
    [
        dataclasses.replace(mark(1), participant_id=ParticipantId("a\x00b")),
        dataclasses.replace(mark(1), participant_id=ParticipantId("a\ud800b")),
        dataclasses.replace(mark(1), at_s=float("nan")),
        dataclasses.replace(mark(1), occurred_at=datetime(2026, 1, 1)),  # noqa: DTZ001
    ],
    ids=["NUL", "half a character", "not a number", "no time zone"],
)
async def test_given_what_no_database_holds_when_appending_then_it_is_refused(
    place: Place, entry: Entry
) -> None:
    async with place.open() as store:
        with pytest.raises(ContractError):
            await store.append(STREAM, [entry], expected=0)


async def test_given_the_answer_got_lost_when_appending_again_then_it_is_recorded_once(
    place: Place,
) -> None:
    entries = [mark(1), mark(2)]
    async with place.open() as store:
        first = await store.append(STREAM, entries, expected=0)
        second = await store.append(STREAM, entries, expected=0)
        third = await store.append(STREAM, entries, expected=None)

        assert second == third == first
        assert await store.read(STREAM) == first


async def test_given_an_id_of_something_else_when_appending_then_it_is_refused(
    place: Place,
) -> None:
    used = mark(1)
    async with place.open() as store:
        await store.append(STREAM, [used], expected=0)

        with pytest.raises(ContractError):
            await store.append(HOUSE, [used], expected=0)
        with pytest.raises(ContractError):
            await store.append(STREAM, [mark(2), used], expected=1)

        assert len(await store.read_all()) == 1


async def test_given_two_writers_at_one_position_when_both_append_then_one_wins(
    place: Place,
) -> None:
    lost: list[PositionConflict] = []

    async def attempt(number: int) -> None:
        async with place.open() as store:
            try:
                await store.append(STREAM, [mark(number)], expected=0)
            except PositionConflict as error:
                lost.append(error)

    async with asyncio.TaskGroup() as group:
        for number in range(6):
            group.create_task(attempt(number))

    async with place.open() as store:
        assert await store.head(STREAM) == 1
    assert len(lost) == 5


async def test_given_many_writers_at_once_when_batches_are_appended_then_they_do_not_mix(
    place: Place,
) -> None:
    async def write(writer: int, streams: list[StreamName]) -> None:
        async with place.open() as store:
            for batch in range(5):
                entries = [mark(100 * writer + batch) for _ in range(3)]
                await store.append(streams[batch % len(streams)], entries, expected=None)

    async with asyncio.TaskGroup() as group:
        for writer in range(4):
            group.create_task(write(writer, [HOUSE, StreamName("person/p")]))

    async with place.open() as store:
        numbers = [number_of(envelope) for _, envelope in await store.read_all()]
        orders = [order for order, _ in await store.read_all()]
        for stream in (HOUSE, StreamName("person/p")):
            verify(await store.read(stream))
    assert orders == list(range(1, 61))
    batches = [numbers[start : start + 3] for start in range(0, 60, 3)]
    assert all(len(set(batch)) == 1 for batch in batches)


async def test_given_writers_at_work_when_read_in_global_order_then_no_cursor_misses_a_fact(
    place: Place,
) -> None:
    writing = 3

    async def write(writer: int) -> None:
        nonlocal writing
        async with place.open() as store:
            for batch in range(12):
                stream = StreamName(f"session/{writer}")
                entries = [mark(batch) for _ in range(1 + batch % 3)]
                await store.append(stream, entries, expected=None)
        writing -= 1

    async def follow() -> list[int]:
        seen: list[int] = []
        async with place.open() as store:
            while True:
                last_look = writing == 0
                for order, _ in await store.read_all(after=seen[-1] if seen else 0, limit=7):
                    seen.append(order)
                if last_look and seen and seen[-1] == 3 * 24:
                    return seen
                await asyncio.sleep(0)

    async with asyncio.TaskGroup() as group:
        readers = [group.create_task(follow()) for _ in range(2)]
        for writer in range(3):
            group.create_task(write(writer))

    assert [reader.result() for reader in readers] == [list(range(1, 73))] * 2


async def test_given_facts_about_people_when_read_by_person_then_only_theirs_come_in_order(
    place: Place,
) -> None:
    async with place.open() as store:
        await store.append(STREAM, [mark(1, about=ANNA), mark(2, about=BEN)], expected=0)
        await store.append(HOUSE, [mark(3), mark(4, about=ANNA), mark(5, about=ANNA)], expected=0)

        found = await store.read_person(ANNA)
        later = await store.read_person(ANNA, after=found[0][0], limit=1)

    numbers = [(order, number_of(envelope)) for order, envelope in found]
    assert numbers == [(1, 1), (4, 4), (5, 5)]
    assert [number_of(envelope) for _, envelope in later] == [4]


async def test_streams_are_chained_each_for_itself(place: Place) -> None:
    async with place.open() as store:
        for number in range(4):
            await store.append(STREAM, [mark(number)], expected=number)
            await store.append(HOUSE, [mark(number)], expected=None)

        by_stream = defaultdict(list)
        for _, envelope in await store.read_all():
            by_stream[envelope.stream].append(envelope)

        assert set(by_stream) == {STREAM, HOUSE}
        for stream, envelopes in by_stream.items():
            verify(envelopes)
            assert await whole(store, stream) == envelopes
