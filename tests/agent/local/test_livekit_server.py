import asyncio
import json
import shutil
import socket
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from agent.local.child import die_with_parent
from agent.local.livekit_server import (
    build,
    cached,
    located,
    numbers,
    rendered,
    version_of,
    write_config,
)
from trail.errors import DependencyUnavailable

TEMPLATE = (Path(__file__).parents[3] / "livekit.yaml").read_text()


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, object]]:
    return "asyncio", {"debug": False}


def program(path: Path, says: str, exit_code: int = 0) -> Path:
    path.write_text(f"#!{sys.executable}\nprint({says!r})\nraise SystemExit({exit_code})\n")
    path.chmod(0o755)
    return path


def test_given_loopback_then_nothing_is_offered_to_other_machines() -> None:
    config: dict[str, Any] = json.loads(
        rendered(TEMPLATE, port=7980, host="127.0.0.1", key="k", secret="s" * 32)
    )

    assert (config["port"], config["rtc"]["udp_port"]) == (7980, 7982)
    assert config["bind_addresses"] == ["127.0.0.1"]
    assert config["rtc"]["ips"] == {"includes": ["127.0.0.0/8"]}
    assert config["rtc"]["tcp_port"] == 0


def test_given_a_browser_outside_wsl_then_media_is_offered_over_tcp() -> None:
    config: dict[str, Any] = json.loads(
        rendered(TEMPLATE, port=7980, host="127.0.0.1", key="k", secret="s", tcp_media=True)
    )

    assert config["rtc"]["tcp_port"] == 7981


def test_the_packaged_file_holds_no_key() -> None:
    assert "keys" not in yaml.safe_load(TEMPLATE)


def test_the_written_file_is_private(tmp_path: Path) -> None:
    path = write_config(tmp_path / "run" / "livekit.json", "{}")

    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_versions_compare_by_number() -> None:
    assert numbers("1.13.5") > numbers("1.9.11")
    assert numbers("go1.26.8") >= (1, 26)


def test_given_a_program_of_that_name_that_is_something_else_then_it_is_not_taken(
    tmp_path: Path,
) -> None:
    assert version_of(program(tmp_path / "impostor", "hello")) is None
    assert version_of(tmp_path / "missing") is None


def test_given_a_server_in_the_cache_then_it_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert located(tmp_path) is None

    program(cached(tmp_path), "livekit-server version 1.13.5")

    found = located(tmp_path)
    assert found is not None
    assert (found.path, found.version) == (cached(tmp_path), "1.13.5")


def test_given_one_on_the_path_then_it_comes_first_unless_it_is_ancient(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    on_path = program(tmp_path / "livekit-server", "livekit-server version 1.20.0")
    program(cached(tmp_path), "livekit-server version 1.13.5")

    first = located(tmp_path)
    program(on_path, "livekit-server version 0.15.2")
    second = located(tmp_path)

    assert first is not None
    assert first.path == on_path
    assert second is not None
    assert second.path == cached(tmp_path)


def test_given_a_build_that_fails_then_the_last_words_are_told_and_nothing_is_left(
    tmp_path: Path,
) -> None:
    go = program(tmp_path / "go", "no space left on device", exit_code=1)

    with pytest.raises(DependencyUnavailable, match="no space left on device"):
        build(tmp_path / "cache", go=go, progress=lambda _seconds: None)

    assert list((tmp_path / "cache").iterdir()) == []


@pytest.mark.skipif(shutil.which("livekit-server") is None, reason="no livekit-server on the PATH")
async def test_the_real_server_takes_our_configuration(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    content = rendered(TEMPLATE, port=port, host="127.0.0.1", key="k", secret="s" * 32)
    config = write_config(tmp_path / "livekit.json", content)

    process = await asyncio.create_subprocess_exec(
        "livekit-server", "--config", str(config), preexec_fn=die_with_parent()
    )
    try:
        async with asyncio.timeout(20):
            answer = b""
            while not answer:
                answer = await _get(port)
    finally:
        process.kill()
        await process.wait()

    assert answer.endswith(b"OK")


async def _get(port: int) -> bytes:
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
    except ConnectionRefusedError:
        await asyncio.sleep(0.1)
        return b""
    writer.write(b"GET / HTTP/1.0\r\n\r\n")
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer
