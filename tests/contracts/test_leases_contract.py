"""What every store promises of leases, on memory, SQLite and PostgreSQL."""

import asyncio

from tests.databases import Place
from trail.ids import uuid7

LONG_S = 60.0
OVER_S = 0.0


async def test_given_a_free_lease_when_acquired_then_it_is_held(place: Place) -> None:
    async with place.open() as store:
        assert not await store.held("x")

        assert await store.acquire("x", "me", ttl_s=LONG_S)

        assert await store.held("x")
        assert not await store.held("y")


async def test_given_a_lease_of_another_when_acquired_then_it_is_refused(place: Place) -> None:
    async with place.open() as store:
        await store.acquire("x", "me", ttl_s=LONG_S)

        assert not await store.acquire("x", "you", ttl_s=LONG_S)
        assert await store.acquire("y", "you", ttl_s=LONG_S)


async def test_given_my_own_lease_when_acquired_again_then_it_is_renewed(place: Place) -> None:
    async with place.open() as store:
        await store.acquire("x", "me", ttl_s=OVER_S)

        assert await store.acquire("x", "me", ttl_s=LONG_S)

        assert await store.held("x")
        assert not await store.acquire("x", "you", ttl_s=LONG_S)


async def test_given_an_expired_lease_when_acquired_then_another_gets_it(place: Place) -> None:
    async with place.open() as store:
        await store.acquire("x", "me", ttl_s=OVER_S)
        assert not await store.held("x")

        assert await store.acquire("x", "you", ttl_s=LONG_S)

        assert not await store.acquire("x", "me", ttl_s=LONG_S)


async def test_given_a_released_lease_when_acquired_then_another_gets_it(place: Place) -> None:
    async with place.open() as store:
        await store.acquire("x", "me", ttl_s=LONG_S)

        await store.release("x", "you")
        assert await store.held("x")
        await store.release("x", "me")
        assert not await store.held("x")

        assert await store.acquire("x", "you", ttl_s=LONG_S)


async def test_given_many_who_want_a_lease_at_once_then_one_gets_it(place: Place) -> None:
    async def attempt() -> bool:
        async with place.open() as store:
            return await store.acquire("x", uuid7(), ttl_s=LONG_S)

    async with asyncio.TaskGroup() as group:
        attempts = [group.create_task(attempt()) for _ in range(12)]

    assert sum(attempt.result() for attempt in attempts) == 1
