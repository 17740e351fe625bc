"""Runs the gateway inside the current event loop, and ends it cleanly."""

import asyncio
import errno
import socket
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final, cast

import structlog
import uvicorn
from fastapi import FastAPI
from typing_extensions import override

from agent.gateway.asking import Desk
from agent.gateway.own_address import is_loopback
from trail.errors import DependencyUnavailable, EarwitnessError

log = structlog.get_logger()

_GRACE_S: Final = 2
_BACKLOG: Final = 512


class OpenAddress(EarwitnessError):
    """Refused to listen where others could reach a house that believes everybody's word."""


class _Server(uvicorn.Server):
    """Leaves signals to whoever owns the loop."""

    @contextmanager
    @override
    def capture_signals(self) -> Generator[None]:
        yield


def refuse_open_address(host: str) -> None:
    """Let only addresses of this machine pass.

    Raises:
        OpenAddress: ``host`` can be reached from elsewhere; says why that is refused.
    """
    if not is_loopback(host):
        raise OpenAddress(
            f"refused to listen on {host}: signed in by name alone, anybody who reaches this "
            "address could be anybody. Keep --host 127.0.0.1"
        )


async def serve(app: FastAPI, host: str, port: int) -> None:
    """Serve ``app`` until cancelled; then answer what is under way, for two seconds at most.

    Raises:
        OpenAddress: ``host`` is not of this machine.
        DependencyUnavailable: the port is taken; names the flag that changes it.
    """
    refuse_open_address(host)
    listening = _listen(host, port)
    config = uvicorn.Config(
        app,
        access_log=False,
        log_config=None,
        lifespan="off",
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE_S,
        ws="none",
    )
    server = _Server(config)
    async with asyncio.TaskGroup() as group:
        watching = group.create_task(cast("Desk", app.state.desk).turned_away.run(), name="door")
        running = group.create_task(server.serve(sockets=[listening]), name="gateway")
        try:
            log.info("gateway_listening", host=host, port=port)
            await asyncio.shield(running)
        finally:
            cast("Desk", app.state.desk).stopping.set()
            server.should_exit = True
            watching.cancel()
            async with asyncio.timeout(_GRACE_S + 2):
                await asyncio.shield(running)
            log.info("gateway_stopped")


def _listen(host: str, port: int) -> socket.socket:
    address = host.strip("[]")
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            told = f"port {port} on {host} is in use; choose another with --port"
        elif error.errno == errno.EACCES:
            told = f"port {port} may not be opened; choose one above 1023 with --port"
        else:
            told = f"cannot listen on {host} port {port} ({error.strerror}); see --host and --port"
        raise DependencyUnavailable("gateway", told) from error
    listening.settimeout(0.0)
    return listening
