from pathlib import Path

from agent.local.addresses import Addresses, read_addresses, remove_addresses, write_addresses
from agent.local.status import Part, read_parts, run_folder, write_parts


def test_what_is_published_is_read_back(tmp_path: Path) -> None:
    parts = (
        Part(name="house", state="restarting", detail_code="exited", values={"exit_code": 1}),
        Part(name="model-server", state="off", detail_code="not_needed"),
    )

    write_parts(tmp_path, parts)

    assert read_parts(tmp_path) == parts


def test_given_nothing_or_damaged_bytes_then_no_parts_are_read(tmp_path: Path) -> None:
    assert read_parts(tmp_path) == ()

    write_parts(tmp_path, ())
    (run_folder(tmp_path) / "parts.json").write_text("[{")

    assert read_parts(tmp_path) == ()


def test_addresses_are_there_while_the_house_runs(tmp_path: Path) -> None:
    addresses = Addresses(
        page_url="http://localhost:8080",
        livekit_url="ws://127.0.0.1:7880",
        model_server_url=None,
        supervisor_pid=17,
    )

    write_addresses(tmp_path, addresses)
    while_running = read_addresses(tmp_path)
    remove_addresses(tmp_path)

    assert while_running == addresses
    assert read_addresses(tmp_path) is None
