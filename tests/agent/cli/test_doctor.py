import json
import sqlite3
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from typing_extensions import override

from agent.cli.checks_machine import (
    disk_finding,
    face_finding,
    folder_finding,
    network_finding,
    port_findings,
    python_finding,
)
from agent.cli.checks_parts import choice_findings, database_finding, livekit_finding
from agent.cli.checkup import Finding, any_fault, lines_of
from agent.cli.main import run
from agent.cli.offers import gateway_in, offer_findings, offers
from agent.local.instance_lock import instance_lock
from agent.local.ports import free_port
from config.settings import LiveKit, ModelChoice, Models, Settings


def test_given_json_then_findings_and_settings_are_data(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LIVEKIT_API_SECRET", "canary")

    run(["doctor", "--json", "--port", str(free_port()), "--tier", "off"])

    said = capsys.readouterr().out
    data = json.loads(said)
    parts = {finding["part"] for finding in data["findings"]}
    places = {setting["name"]: setting["place"] for setting in data["settings"]}
    assert {"Python", "disk", "face", "LiveKit", "database", "page", "characters"} <= parts
    assert places["port"] == "--port"
    assert places["data_dir"] == "EARWITNESS_DATA_DIR"
    assert places["livekit.api_secret"] == "LIVEKIT_API_SECRET"
    assert "canary" not in said
    assert not (tmp_path / "my data").exists()


def test_given_a_fault_then_the_exit_code_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--tier", "off"]) == 1

    assert "asks for a local model, but models.tier is off" in capsys.readouterr().out


def test_findings_say_how_to_mend() -> None:
    findings = [
        Finding(part="disk", state="ok", said="fine"),
        Finding(part="page", state="fault", said="not built", mend="make up"),
    ]

    assert [*lines_of(findings)][1:] == [
        "FAULT page             not built",
        f"{'':<22} → make up",
    ]
    assert any_fault(findings)


def test_python_disk_and_libraries_are_judged() -> None:
    def missing(name: str) -> object:
        raise OSError(name)

    assert python_finding((3, 10, 1)).state == "fault"
    assert python_finding((3, 13, 0)).state == "ok"
    assert disk_finding(Path("/x"), free_bytes=10**9).state == "note"
    assert "apt-get install libegl1" in face_finding(missing).mend


def test_given_only_loopback_then_the_network_is_noted() -> None:
    assert network_finding(["lo"]).state == "note"
    assert network_finding(["lo0", "en0"]).state == "ok"


def test_given_a_folder_that_cannot_be_made_then_the_setting_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    finding = folder_finding("data folder", tmp_path / "file" / "below")

    assert finding.state == "fault"
    assert "EARWITNESS_DATA_DIR" in finding.mend


def test_given_a_running_house_then_its_ports_are_its_own(tmp_path: Path) -> None:
    with instance_lock(tmp_path):
        (finding,) = port_findings(Settings(data_dir=tmp_path))

    assert finding.state == "ok"


def test_given_livekit_elsewhere_without_a_key_then_the_names_of_the_settings_are_told() -> None:
    finding = livekit_finding(Settings(livekit=LiveKit(url="wss://there")))

    assert finding.state == "fault"
    assert "LIVEKIT_API_KEY" in finding.mend


@pytest.mark.parametrize(
    ("choice", "word"),
    [
        (ModelChoice(provider="openai"), "OPENAI_API_KEY"),
        (ModelChoice(provider="deepgram"), "DEEPGRAM_API_KEY"),
        (ModelChoice(provider="plugin", plugin="livekit.plugins.x"), "import path"),
    ],
)
def test_given_a_choice_that_cannot_work_then_it_is_said_what_it_lacks(
    choice: ModelChoice, word: str
) -> None:
    (finding,) = choice_findings(Settings(models=Models(llm=(choice,))))

    assert finding.part == "models.llm[0]"
    assert word in finding.mend


def test_given_a_database_of_a_newer_version_then_it_is_a_fault(tmp_path: Path) -> None:
    assert run(["migrate"]) == 0
    settings = Settings(data_dir=tmp_path / "my data")
    now = database_finding(settings).state
    with sqlite3.connect(settings.data_dir / "trail.sqlite3") as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'later'")
    connection.close()

    assert now == "ok"
    assert "newer version" in database_finding(settings).said


def test_given_a_file_that_is_no_database_then_it_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "trail.sqlite3").write_text("not a database " * 100)

    assert database_finding(Settings(data_dir=tmp_path)).state == "fault"


class _Ollama(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = b'{"object": "list", "data": [{"id": "qwen3:4b"}, {"id": "llava"}]}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    @override
    def log_message(self, format: str, *args: object) -> None:
        pass


def test_given_a_local_server_then_it_is_offered_with_what_to_write() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Ollama) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        found = offers(
            ("127.0.0.1",), known={"Ollama": server.server_port, "LM Studio": free_port()}
        )
        server.shutdown()
        thread.join()

    (finding,) = offer_findings(found)
    assert finding.part == "Ollama"
    assert "qwen3:4b, llava; it is not used" in finding.said
    assert f"base_url: http://127.0.0.1:{server.server_port}/v1" in finding.mend


def test_windows_around_linux_is_the_default_gateway() -> None:
    routes = (
        "Iface\tDestination\tGateway \tFlags\n"
        "eth0\t0070A8C0\t00000000\t0001\n"
        "eth0\t00000000\t0170A8C0\t0003\n"
    )

    assert gateway_in(routes) == "192.168.112.1"
    assert gateway_in("Iface\tDestination\tGateway\n") is None
