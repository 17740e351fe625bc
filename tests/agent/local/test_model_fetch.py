"""Fetching models: every byte checked, interruptions continued, what is gone replaced by name."""

import hashlib
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from typing_extensions import override

from agent.local.model_fetch import ModelUnavailable, fetch, obtain
from agent.local.model_files import home_of, located
from agent.local.model_lock import (
    HubSource,
    ModelEntry,
    ModelFile,
    ModelLock,
    PackageSource,
    Wheel,
    WheelSource,
)

DATA = bytes(range(256)) * 4_000
GONE = PackageSource(kind="package", module="no_such_package_anywhere", folder="x")


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def entry(*sources: HubSource | PackageSource | WheelSource, name: str = "talker") -> ModelEntry:
    return ModelEntry(
        name=name,
        role="llm",
        tiers=("small",),
        licence="MIT",
        files=(ModelFile(name="talker.bin", size=len(DATA), sha256=sha(DATA)),),
        sources=sources,
    )


class Hub(BaseHTTPRequestHandler):
    """Serves ``/good``, ``/broken`` (other bytes) and notes which ranges were asked for."""

    ranges: list[str]

    def do_GET(self) -> None:
        wanted = self.headers.get("Range", "")
        self.ranges.append(wanted)
        if not self.path.startswith(("/good", "/broken")):
            self.send_error(404)
            return
        data = DATA if self.path.startswith("/good") else DATA[::-1]
        begin = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(data) - begin))
        self.end_headers()
        self.wfile.write(data[begin:])

    @override
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def hub() -> Iterator[tuple[str, list[str]]]:
    ranges: list[str] = []
    kind = type("NotingHub", (Hub,), {"ranges": ranges})
    server = ThreadingHTTPServer(("127.0.0.1", 0), kind)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", ranges
    server.shutdown()
    thread.join()
    server.server_close()


def at(address: str, folder: str) -> HubSource:
    return HubSource(kind="hub", folder=f"{address}/{folder}")


def test_given_a_source_when_fetched_then_bytes_are_whole_and_progress_reaches_the_end(
    tmp_path: Path, hub: tuple[str, list[str]]
) -> None:
    told: list[tuple[int, int]] = []

    path = fetch(entry(GONE, at(hub[0], "good")), tmp_path, progress=lambda *p: told.append(p))

    assert path.read_bytes() == DATA
    assert told[-1] == (len(DATA), len(DATA))
    assert located(entry(GONE), tmp_path) == path


def test_given_other_bytes_than_listed_when_fetched_then_the_next_source_is_asked(
    tmp_path: Path, hub: tuple[str, list[str]]
) -> None:
    path = fetch(entry(at(hub[0], "broken"), at(hub[0], "good")), tmp_path)

    assert path.read_bytes() == DATA


def test_given_no_source_when_fetched_then_the_error_names_the_model_and_every_reason(
    tmp_path: Path, hub: tuple[str, list[str]]
) -> None:
    with pytest.raises(ModelUnavailable, match="talker is not to be had") as caught:
        fetch(entry(GONE, at(hub[0], "broken"), at(hub[0], "none")), tmp_path)

    assert [reason.split(":")[0] for reason in caught.value.reasons] == ["package", "hub", "hub"]
    assert located(entry(GONE), tmp_path) is None


def test_given_an_interrupted_download_when_fetched_again_then_only_the_rest_is_asked_for(
    tmp_path: Path, hub: tuple[str, list[str]]
) -> None:
    partial = home_of(entry(GONE), tmp_path) / "partial"
    partial.mkdir(parents=True)
    (partial / "talker.bin").write_bytes(DATA[:5_000])

    path = fetch(entry(at(hub[0], "good")), tmp_path)

    assert path.read_bytes() == DATA
    assert hub[1] == ["bytes=5000-"]
    assert not partial.exists()


def test_given_a_model_cut_short_when_looked_for_then_it_is_not_there_and_fetching_mends_it(
    tmp_path: Path, hub: tuple[str, list[str]]
) -> None:
    model = entry(at(hub[0], "good"))
    path = fetch(model, tmp_path)
    path.write_bytes(DATA[:-1])

    assert located(model, tmp_path) is None
    assert fetch(model, tmp_path).read_bytes() == DATA


def test_given_a_model_altered_in_place_when_looked_for_then_it_is_not_there(
    tmp_path: Path, hub: tuple[str, list[str]]
) -> None:
    model = entry(at(hub[0], "good"))
    path = fetch(model, tmp_path)
    path.write_bytes(b"x" + DATA[1:])

    assert located(model, tmp_path) is None


def test_given_the_wanted_model_is_gone_when_obtained_then_a_lower_tier_takes_its_place_by_name(
    tmp_path: Path, hub: tuple[str, list[str]]
) -> None:
    small = entry(at(hub[0], "none"), name="large-talker")
    tiny = replace(entry(at(hub[0], "good"), name="little-talker"), tiers=("tiny",))
    lock = ModelLock(model=(small, tiny))

    got = obtain(lock, "llm", "small", tmp_path)

    assert (got.entry.name, got.instead_of) == ("little-talker", "large-talker")
    assert "large-talker" in got.reason


def wheels_in(partial: Path, *, parts: int) -> WheelSource:
    """Lay wheels into ``partial`` as an earlier, interrupted set-up left them."""
    partial.mkdir(parents=True)
    size = len(DATA) // parts
    wheels: list[Wheel] = []
    for n in range(parts):
        path = partial / f"talker_part{n}-1.0-py3-none-any.whl"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(f"talker_part{n}/data/part{n}.bin", DATA[n * size : (n + 1) * size])
            archive.writestr(f"talker_part{n}-1.0.dist-info/METADATA", "Name: talker")
        data = path.read_bytes()
        wheels.append(Wheel(package=f"talker-part{n}==1.0", size=len(data), sha256=sha(data)))
    return WheelSource(kind="wheels", wheels=tuple(wheels), joined=True)


def test_given_all_wheels_of_an_interrupted_set_up_when_fetched_then_nothing_is_downloaded(
    tmp_path: Path,
) -> None:
    source = wheels_in(home_of(entry(GONE), tmp_path) / "partial", parts=4)

    path = fetch(entry(source), tmp_path)

    assert path.read_bytes() == DATA
    assert not (path.parent / "partial").exists()


def test_given_a_full_disk_when_fetched_then_it_is_named_at_once(tmp_path: Path) -> None:
    huge = replace(
        entry(WheelSource(kind="wheels", wheels=())),
        files=(ModelFile(name="x", size=10**18, sha256=""),),
    )

    with pytest.raises(ModelUnavailable, match="full"):
        fetch(huge, tmp_path)
