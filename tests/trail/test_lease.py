"""A lease is kept while the store answers, and its loss is loud and in time."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from typing_extensions import override

from trail.adapters.in_memory import InMemoryStore
from trail.errors import DependencyUnavailable
from trail.lease import Lease, LeaseLost

TTL_S = 9.0


def virtual_now() -> datetime:
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=now_s())


def now_s() -> float:
    return asyncio.get_running_loop().time()


class Flaky(InMemoryStore):
    """A store that does not answer at certain times."""

    def __init__(self, away: Callable[[float], bool]) -> None:
        super().__init__(now=virtual_now)
        self._away = away
        self._opened_s = now_s()

    @override
    async def acquire(self, name: str, holder: str, *, ttl_s: float) -> bool:
        if self._away(now_s() - self._opened_s):
            raise DependencyUnavailable("database", "it is away")
        return await super().acquire(name, holder, ttl_s=ttl_s)


async def test_given_a_store_that_answers_then_a_lease_is_kept_for_hours() -> None:
    store = InMemoryStore(now=virtual_now)
    lease = Lease(store, "session/s", "me", TTL_S)
    assert await lease.acquire()

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(7_200):
            await lease.keep()

    assert await store.held("session/s")
    await lease.release()
    assert not await store.held("session/s")


async def test_given_a_lease_of_another_then_it_is_not_acquired() -> None:
    store = InMemoryStore(now=virtual_now)
    assert await Lease(store, "session/s", "me", TTL_S).acquire()

    assert not await Lease(store, "session/s", "you", TTL_S).acquire()


async def test_given_another_took_it_then_the_next_renewal_says_so() -> None:
    store = InMemoryStore(now=virtual_now)
    lease = Lease(store, "session/s", "me", TTL_S)
    await lease.acquire()
    await store.release("session/s", "me")
    await store.acquire("session/s", "you", ttl_s=60.0)
    started_s = now_s()

    with pytest.raises(LeaseLost):
        await lease.keep()

    assert now_s() - started_s == pytest.approx(TTL_S / 3, abs=0.01)


async def test_given_a_short_outage_then_the_lease_is_kept() -> None:
    lease = Lease(Flaky(lambda at_s: 1.0 < at_s < 8.0), "session/s", "me", TTL_S)
    await lease.acquire()

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(100):
            await lease.keep()


async def test_given_a_renewal_that_comes_late_when_nobody_took_it_then_it_is_kept() -> None:
    store = Flaky(lambda at_s: 1.0 < at_s < 1.5 * TTL_S)
    lease = Lease(store, "session/s", "me", TTL_S)
    await lease.acquire()

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(100):
            await lease.keep()

    assert await store.held("session/s")


async def test_given_a_renewal_that_comes_late_when_another_took_it_then_it_is_lost() -> None:
    store = InMemoryStore(now=virtual_now)
    lease = Lease(store, "session/s", "me", TTL_S)
    await lease.acquire()
    await asyncio.sleep(TTL_S + 0.1)
    assert await store.acquire("session/s", "you", ttl_s=60.0)

    with pytest.raises(LeaseLost):
        await lease.keep()


async def test_given_a_long_outage_then_it_is_given_up() -> None:
    lease = Lease(Flaky(lambda at_s: at_s > 1.0), "session/s", "me", TTL_S)
    await lease.acquire()
    started_s = now_s()

    with pytest.raises(LeaseLost):
        await lease.keep()

    assert now_s() - started_s == pytest.approx(2 * TTL_S, abs=0.01)
