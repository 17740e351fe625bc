"""Serves a stand-in on loopback, inside the running loop."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager

from aiohttp import web

Guard = Callable[[web.Request], Awaitable[web.Response | None]]
"""Looks at each request first; what it returns is the answer."""


@asynccontextmanager
async def serving(routes: Iterable[web.RouteDef], guard: Guard) -> AsyncIterator[str]:
    """Yield the address of a server with ``routes``; it stops with the block."""

    @web.middleware
    async def guarded(
        request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        return await guard(request) or await handler(request)

    app = web.Application(middlewares=[guarded])
    app.add_routes(routes)
    runner = web.AppRunner(app, shutdown_timeout=1.0)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    try:
        await site.start()
        host, port = runner.addresses[0][:2]
        yield f"http://{host}:{port}"
    finally:
        await runner.cleanup()
