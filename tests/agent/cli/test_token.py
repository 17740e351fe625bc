import json
import os
from pathlib import Path

import httpx
import pytest

from agent.cli.main import run
from agent.cli.token import asked_for
from agent.local.addresses import Addresses, write_addresses
from agent.local.ports import free_port
from trail.errors import DependencyUnavailable


def addresses(port: int) -> Addresses:
    return Addresses(
        page_url=f"http://localhost:{port}",
        livekit_url="ws://127.0.0.1:7880",
        model_server_url=None,
        supervisor_pid=os.getpid(),
    )


def test_given_no_house_then_it_is_said_how_to_start_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["token"]) == 1

    assert "start `earwitness up`" in capsys.readouterr().err


def test_given_a_house_that_does_not_answer_then_its_address_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    port = free_port()
    write_addresses(tmp_path / "my data", addresses(port))

    assert run(["token"]) == 1

    assert f"http://localhost:{port} does not answer" in capsys.readouterr().err


def test_given_a_refusal_then_its_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_client: httpx.Client, url: str, **_asked: object) -> httpx.Response:
        return httpx.Response(422, json={"title": "Unprocessable", "detail": "a name is needed"})

    monkeypatch.setattr(httpx.Client, "post", refuse)

    with pytest.raises(DependencyUnavailable, match="a name is needed"):
        asked_for(addresses(1), name="", person=None, room=None)


def test_the_house_is_asked_as_its_page_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, object, str]] = []

    def answer(client: httpx.Client, url: str, **given: object) -> httpx.Response:
        asked.append((url, given["json"], client.headers["Origin"]))
        return httpx.Response(201, json={"participant_token": "t", "room_name": "r"})

    monkeypatch.setattr(httpx.Client, "post", answer)

    got = asked_for(addresses(8080), name="Ada", person=None, room="r")

    assert json.loads(json.dumps(got))["participant_token"] == "t"
    assert asked == [
        ("/api/sign-in", {"name": "Ada"}, "http://localhost:8080"),
        ("/api/token", {"room_name": "r"}, "http://localhost:8080"),
    ]
