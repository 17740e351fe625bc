import io
import socket
from pathlib import Path

import pytest
from pydantic import SecretStr

from agent.cli.news import News
from agent.cli.prepare import (
    PortTaken,
    local_roles,
    require_free,
    require_media,
    require_models,
    require_server,
    wanted_ports,
)
from agent.local.ports import free_port
from config.settings import LiveKit, ModelChoice, Models, Settings
from trail.errors import DependencyUnavailable

REMOTE = (ModelChoice(provider="openai", base_url="http://localhost:11434/v1"),)


def test_the_ports_of_a_house_are_named_with_their_flags() -> None:
    ports = wanted_ports(Settings(), own_livekit=True, tcp_media=True)

    assert [(p.port, p.kind, p.flag) for p in ports] == [
        (8080, "tcp", "--port"),
        (7880, "tcp", "--livekit-port"),
        (7881, "tcp", "--livekit-port"),
        (7882, "udp", "--livekit-port"),
    ]


def test_given_a_livekit_elsewhere_then_only_the_page_needs_a_port() -> None:
    assert len(wanted_ports(Settings(), own_livekit=False, tcp_media=False)) == 1


def test_given_two_ports_in_use_then_both_are_named() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as page,
        socket.create_server(("127.0.0.1", 0)) as media,
    ):
        settings = Settings(
            port=page.getsockname()[1], livekit=LiveKit(port=media.getsockname()[1])
        )
        with pytest.raises(PortTaken) as raised:
            require_free(wanted_ports(settings, own_livekit=True, tcp_media=False))

    assert f"port {settings.port} (page and API) is in use" in str(raised.value)
    assert "choose another with --livekit-port" in str(raised.value)


def test_given_free_ports_then_nothing_is_said() -> None:
    settings = Settings(port=free_port(), livekit=LiveKit(port=free_port()))

    require_free(wanted_ports(settings, own_livekit=False, tcp_media=False))


def test_only_roles_with_a_local_choice_need_a_model() -> None:
    assert local_roles(Settings()) == ("stt", "llm", "tts")
    assert local_roles(Settings(models=Models(llm=REMOTE))) == ("stt", "tts")
    assert local_roles(Settings(models=Models(llm=(*REMOTE, ModelChoice())))) == (
        "stt",
        "llm",
        "tts",
    )
    assert local_roles(Settings(models=Models(tier="off"))) == ()


def test_given_tier_off_then_nothing_is_fetched() -> None:
    brains = require_models(Settings(models=Models(tier="off")), News(io.StringIO()))

    assert brains.obtained == ()


def test_given_neither_server_nor_go_then_it_is_said_what_helps(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("sys.executable", "/nowhere/python")

    with pytest.raises(DependencyUnavailable, match="install livekit-server"):
        require_server(Settings(cache_dir=tmp_path), News(io.StringIO()))


def test_given_a_livekit_elsewhere_that_does_not_answer_then_the_settings_are_named() -> None:
    there = LiveKit(
        url=f"ws://127.0.0.1:{free_port()}", api_key=SecretStr("k"), api_secret=SecretStr("s" * 32)
    )

    with pytest.raises(DependencyUnavailable, match="look at LIVEKIT_URL"):
        require_media(Settings(livekit=there))


def test_given_a_livekit_elsewhere_without_a_key_then_the_key_is_asked_for() -> None:
    with pytest.raises(DependencyUnavailable, match="needs LIVEKIT_API_KEY"):
        require_media(Settings(livekit=LiveKit(url="ws://there")))
