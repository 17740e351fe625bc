"""The writer of a stream: grouped, in order, nothing lost, and loud when it cannot go on."""

import asyncio
from collections.abc import Sequence

import pytest
from typing_extensions import override

from tests.trail.builders import SESSION, STREAM, number_of
from trail.adapters.in_memory import InMemoryStore
from trail.chain import verify
from trail.clock import ManualClock
from trail.content import content
from trail.envelope import Entry, Envelope, Fact, PrivacyClass
from trail.errors import ContractError, DependencyUnavailable, PositionConflict
from trail.events.house import WorkerReplaced
from trail.events.session import PersonNamed
from trail.ids import EventId, ParticipantId, StreamName, TurnId
from trail.journal import DRAIN_S, PAUSES_S, Journal

COMMIT_S = 0.25


class SlowStore(InMemoryStore):
    """A store whose commits take time, and fail as often as told."""

    def __init__(self, *, failures: int = 0, lost_answers: int = 0) -> None:
        super().__init__()
        self.batches: list[int] = []
        self._failures = failures
        self._lost_answers = lost_answers

    @override
    async def append(
        self, stream: StreamName, entries: Sequence[Entry], *, expected: int | None
    ) -> Sequence[Envelope[Fact]]:
        await asyncio.sleep(COMMIT_S)
        if self._failures > 0:
            self._failures -= 1
            raise DependencyUnavailable("database", "it is away")
        envelopes = await super().append(stream, entries, expected=expected)
        if self._lost_answers > 0:
            self._lost_answers -= 1
            raise DependencyUnavailable("database", "it hung up")
        self.batches.append(len(entries))
        return envelopes


def fact(number: int) -> WorkerReplaced:
    return WorkerReplaced(lost_for_s=float(number))


def now_s() -> float:
    return asyncio.get_running_loop().time()


@pytest.fixture
def store() -> SlowStore:
    return SlowStore()


@pytest.fixture
def journal(store: SlowStore, clock: ManualClock) -> Journal:
    return Journal(store, STREAM, clock=clock, head=0, session_id=SESSION)


async def test_given_facts_noted_during_a_commit_then_they_go_into_the_next_one(
    store: SlowStore, journal: Journal
) -> None:
    started_s = now_s()
    async with asyncio.TaskGroup() as group:
        writer = group.create_task(journal.run())
        journal.note(fact(0))
        await asyncio.sleep(COMMIT_S / 2)
        for number in range(1, 40):
            journal.note(fact(number))
        await journal.flush()
        writer.cancel()

    assert store.batches == [1, 39]
    assert now_s() - started_s == pytest.approx(2 * COMMIT_S, abs=0.05)
    facts = await store.read(STREAM)
    assert [number_of(envelope) for envelope in facts] == list(range(40))
    assert journal.head == 40
    verify(facts)


async def test_given_a_fact_noted_then_it_carries_what_was_said_about_it(
    store: SlowStore, journal: Journal, clock: ManualClock
) -> None:
    words = content("Anna", owner=None)
    clock.advance(1.5)

    noted = journal.note(
        PersonNamed(name=words.ref),
        privacy_class=PrivacyClass.PERSONAL,
        participant_id=ParticipantId("p"),
        turn_id=TurnId("t"),
        correlation_id=EventId("first"),
        causation_id=EventId("cause"),
        contents=[words],
    )
    clock.advance(5.0)
    journal.note(fact(1), at_s=0.5)
    await journal.flush()

    one, two = await store.read(STREAM)
    assert one.event_id == noted
    assert one.session_id == SESSION
    assert (one.at_s, two.at_s) == (1.5, 0.5)
    assert (two.occurred_at - one.occurred_at).total_seconds() == 5.0
    assert one.privacy_class is PrivacyClass.PERSONAL
    assert (one.participant_id, one.turn_id) == ("p", "t")
    assert (one.correlation_id, one.causation_id) == ("first", "cause")
    assert await store.texts([words.ref.content_id]) == {words.ref.content_id: "Anna"}


async def test_given_many_writers_when_noting_then_all_is_recorded(
    store: SlowStore, clock: ManualClock
) -> None:
    journals = [Journal(store, STREAM, clock=clock, head=None) for _ in range(3)]
    for number, journal in enumerate(journals):
        journal.note(fact(number))

    for journal in journals:
        await journal.flush()

    assert [number_of(envelope) for envelope in await store.read(STREAM)] == [0, 1, 2]
    assert [envelope.at_s for envelope in await store.read(STREAM)] == [None] * 3


async def test_given_another_writer_then_run_and_flush_say_that_the_lease_was_lost(
    store: SlowStore, journal: Journal, clock: ManualClock
) -> None:
    other = Journal(store, STREAM, clock=clock, head=0)
    other.note(fact(1))
    await other.flush()

    journal.note(fact(2))
    with pytest.raises(PositionConflict):
        await journal.run()
    journal.note(fact(3))
    with pytest.raises(PositionConflict):
        await journal.flush()

    assert [number_of(envelope) for envelope in await store.read(STREAM)] == [1]


async def test_given_a_store_away_for_a_while_then_nothing_is_lost_and_order_is_kept(
    clock: ManualClock,
) -> None:
    store = SlowStore(failures=2, lost_answers=1)
    journal = Journal(store, STREAM, clock=clock, head=0)
    started_s = now_s()
    journal.note(fact(1))
    journal.note(fact(2))

    await journal.flush()

    assert [number_of(envelope) for envelope in await store.read(STREAM)] == [1, 2]
    assert now_s() - started_s == pytest.approx(4 * COMMIT_S + sum(PAUSES_S[:3]), abs=0.05)


async def test_given_a_store_that_stays_away_then_the_journal_fails(clock: ManualClock) -> None:
    journal = Journal(SlowStore(failures=1000), STREAM, clock=clock, head=0)
    started_s = now_s()
    journal.note(fact(1))

    with pytest.raises(DependencyUnavailable):
        await journal.run()

    attempts = len(PAUSES_S) + 1
    expected_s = sum(PAUSES_S) + attempts * COMMIT_S
    assert now_s() - started_s == pytest.approx(expected_s, abs=0.05)
    with pytest.raises(DependencyUnavailable):
        await journal.flush()


async def test_given_facts_in_line_when_cancelled_then_they_become_durable(
    store: SlowStore, journal: Journal
) -> None:
    started_s = now_s()
    async with asyncio.TaskGroup() as group:
        writer = group.create_task(journal.run())
        journal.note(fact(1))
        await asyncio.sleep(COMMIT_S / 2)
        journal.note(fact(2))
        writer.cancel()

    assert [number_of(envelope) for envelope in await store.read(STREAM)] == [1, 2]
    assert now_s() - started_s < 1.0


async def test_given_a_store_that_hangs_when_cancelled_then_the_end_comes_in_time(
    clock: ManualClock,
) -> None:
    journal = Journal(SlowStore(failures=1000), STREAM, clock=clock, head=0)
    journal.note(fact(1))
    started_s = now_s()
    async with asyncio.TaskGroup() as group:
        writer = group.create_task(journal.run())
        await asyncio.sleep(0.1)
        writer.cancel()

    assert writer.cancelled()
    assert now_s() - started_s == pytest.approx(0.1 + DRAIN_S, abs=0.05)


async def test_given_a_full_line_when_noting_then_it_is_refused_and_the_journal_fails(
    store: SlowStore, clock: ManualClock
) -> None:
    journal = Journal(store, STREAM, clock=clock, head=0, capacity=3)
    for number in range(3):
        journal.note(fact(number))

    with pytest.raises(DependencyUnavailable):
        journal.note(fact(4))
    with pytest.raises(DependencyUnavailable):
        await journal.run()


def test_given_a_fact_outside_the_catalogue_when_noted_then_it_is_refused_at_once(
    store: SlowStore, clock: ManualClock
) -> None:
    journal = Journal(store, STREAM, clock=clock, head=0)

    with pytest.raises(ContractError):
        journal.note(Fact())


async def test_given_nothing_noted_when_flushed_then_nothing_is_written(
    store: SlowStore, journal: Journal
) -> None:
    await journal.flush()

    assert store.batches == []
