"""One session is one task group. Nothing outlives it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

import structlog

from trail.errors import ContractError

log = structlog.get_logger()

Service = Callable[[], Awaitable[None]]


async def optional(name: str, service: Service) -> None:
    """Run ``service``; if it fails, say so and go on without it.

    For work whose loss must not end a conversation (a face, a metric). Cancellation passes
    through untouched.
    """
    try:
        await service()
    except Exception:  # the boundary for optional work
        log.exception("optional_service_failed", part=name)


async def run_session(
    essentials: Mapping[str, Service],
    optionals: Mapping[str, Service],
    *,
    until: asyncio.Event,
) -> None:
    """Run services until ``until`` is set or an essential one fails.

    Raises:
        ExceptionGroup: what the essential services raised.
    """
    async with asyncio.TaskGroup() as group:
        tasks = [
            *(group.create_task(_essential(n, run), name=n) for n, run in essentials.items()),
            *(group.create_task(optional(n, run), name=n) for n, run in optionals.items()),
        ]
        await until.wait()
        for task in tasks:
            task.cancel()


async def _essential(name: str, service: Service) -> None:
    await service()
    raise ContractError(f"{name} ended by itself; an essential service runs until cancelled")
