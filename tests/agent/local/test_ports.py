import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from agent.local.ports import Wanted, answers, free_port, is_free, is_wsl, taken


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, object]]:
    return "asyncio", {"debug": False}


@pytest.fixture
def listening() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def wanted(port: int, kind: Literal["tcp", "udp"] = "tcp") -> Wanted:
    return Wanted(host="127.0.0.1", port=port, kind=kind, purpose="page", flag="--port")


def test_given_somebody_listens_then_the_port_is_taken_and_the_flag_named(listening: int) -> None:
    assert not is_free(wanted(listening))
    assert taken(wanted(listening)).endswith("choose another with --port")
    assert f"tcp port {listening} (page) is in use" in taken(wanted(listening))


def test_given_nobody_listens_then_the_port_is_free(listening: int) -> None:
    assert is_free(wanted(free_port()))
    assert is_free(wanted(listening, "udp"))


def test_given_a_udp_socket_then_its_port_is_taken() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))

        assert not is_free(wanted(other.getsockname()[1], "udp"))


@pytest.mark.parametrize(
    ("answer", "yes"), [(b"HTTP/1.0 200 OK\r\n\r\n", True), (b"HTTP/1.0 503 No\r\n\r\n", False)]
)
async def test_only_200_is_an_answer(answer: bytes, *, yes: bool) -> None:
    async def reply(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()

    server = await asyncio.start_server(reply, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        assert await answers("127.0.0.1", port, "/healthz") is yes


async def test_nobody_there_is_no_answer() -> None:
    assert not await answers("127.0.0.1", free_port(), "/")


def test_wsl_is_recognised(tmp_path: Path) -> None:
    version = tmp_path / "version"
    version.write_text("Linux version 5.15.90.1-microsoft-standard-WSL2")

    assert is_wsl(version)
    assert not is_wsl(tmp_path / "missing")
