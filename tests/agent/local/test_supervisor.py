import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import psutil
import pytest

from agent.local.child import Child
from agent.local.status import Part
from agent.local.supervisor import Pauses, Supervisor
from trail.errors import DependencyUnavailable

QUICK = Pauses(first_s=0.05, longest_s=0.2)
WAIT = "import pathlib, sys, time; pathlib.Path(sys.argv[1]).touch(); time.sleep(600)"


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, object]]:
    return "asyncio", {"debug": False}


class Seen:
    """Remembers every published list of parts."""

    def __init__(self) -> None:
        self.lists: list[tuple[Part, ...]] = []

    def __call__(self, parts: tuple[Part, ...]) -> None:
        self.lists.append(parts)

    def of(self, name: str) -> list[Part]:
        found: list[Part] = []
        for parts in self.lists:
            part = next(p for p in parts if p.name == name)
            if not found or found[-1] != part:
                found.append(part)
        return found

    def pid(self, name: str) -> int:
        return int(next(p for p in reversed(self.of(name)) if "pid" in p.values).values["pid"])


def exists(path: Path) -> Callable[[], Awaitable[bool]]:
    async def answer() -> bool:
        return os.path.lexists(path)  # noqa: ASYNC240 - microseconds, and nothing else runs

    return answer


def python(folder: Path, name: str, code: str, *, after: tuple[str, ...] = ()) -> Child:
    touched = folder / f"{name}.ready"
    return Child(
        name=name,
        command=(sys.executable, "-c", code, str(touched)),
        ready=exists(touched),
        log_path=folder / "logs" / f"{name}.log",
        after=after,
        stop_within_s=2.0,
    )


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while True:
            if true():
                return
            await asyncio.sleep(0.02)


async def test_given_two_parts_when_stopped_then_both_ran_in_order_and_none_is_left(
    tmp_path: Path,
) -> None:
    seen = Seen()
    children = [python(tmp_path, "first", WAIT), python(tmp_path, "second", WAIT, after=("first",))]
    supervisor = Supervisor(children, changed=seen)

    async with asyncio.TaskGroup() as group:
        group.create_task(supervisor.run())
        await supervisor.all_ready()
        pids = [seen.pid("first"), seen.pid("second")]
        supervisor.stop()

    states = [{p.name: p.state for p in parts} for parts in seen.lists]
    assert {"first": "running", "second": "starting"} in states
    assert {"first": "running", "second": "stopped"} in states
    assert states[-1] == {"first": "stopped", "second": "stopped"}
    assert not any(psutil.pid_exists(pid) for pid in pids)


async def test_given_a_running_part_when_it_is_killed_then_it_is_named_and_restarted(
    tmp_path: Path,
) -> None:
    seen = Seen()
    supervisor = Supervisor([python(tmp_path, "brain", WAIT)], changed=seen, pauses=QUICK)

    async with asyncio.TaskGroup() as group:
        group.create_task(supervisor.run())
        await supervisor.all_ready()
        killed = seen.pid("brain")
        os.kill(killed, signal.SIGKILL)
        await until(lambda: seen.pid("brain") != killed)
        supervisor.stop()

    died = next(p for p in seen.of("brain") if p.detail_code == "exited")
    assert died.state == "restarting"
    assert died.values == {"exit_code": -9, "restart_in_s": 0.05, "restarts": 1}


async def test_given_a_part_that_always_dies_then_the_pauses_grow(tmp_path: Path) -> None:
    seen = Seen()
    dying = python(tmp_path, "ill", "raise SystemExit(1)")
    supervisor = Supervisor([dying], changed=seen, pauses=QUICK)

    def pauses() -> list[str | int | float]:
        return [p.values["restart_in_s"] for p in seen.of("ill") if "restart_in_s" in p.values]

    async with asyncio.TaskGroup() as group:
        group.create_task(supervisor.run())
        await until(lambda: len(pauses()) >= 4)
        supervisor.stop()

    assert pauses()[:4] == [0.05, 0.1, 0.2, 0.2]


async def test_given_a_part_that_was_asked_wrongly_then_all_ends_with_its_own_words(
    tmp_path: Path,
) -> None:
    seen = Seen()
    wrong = "import sys; print('no such voice: bob'); sys.exit(2)"
    children = [
        python(tmp_path, "server", WAIT),
        python(tmp_path, "house", wrong, after=("server",)),
    ]

    with pytest.raises(DependencyUnavailable, match=r"house: .*no such voice: bob"):
        await Supervisor(children, changed=seen).run()

    assert [p.state for p in seen.lists[-1]] == ["stopped", "failed"]
    assert not psutil.pid_exists(seen.pid("server"))


async def test_given_a_part_deaf_to_the_request_then_it_and_its_own_children_are_killed(
    tmp_path: Path,
) -> None:
    code = (
        "import pathlib, signal, subprocess, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "pathlib.Path(sys.argv[1] + '.pid').write_text(str(child.pid))\n"
        "pathlib.Path(sys.argv[1]).touch()\n"
        "time.sleep(600)\n"
    )
    seen = Seen()
    supervisor = Supervisor([python(tmp_path, "deaf", code)], changed=seen)

    async with asyncio.TaskGroup() as group:
        group.create_task(supervisor.run())
        await supervisor.all_ready()
        supervisor.stop()

    grandchild = int((tmp_path / "deaf.ready.pid").read_text())
    assert not psutil.pid_exists(seen.pid("deaf"))
    await until(lambda: _gone(grandchild))


async def test_given_a_part_that_never_gets_ready_then_it_is_tried_again(tmp_path: Path) -> None:
    seen = Seen()
    silent = Child(
        name="silent",
        command=(sys.executable, "-c", "import time; time.sleep(600)"),
        ready=exists(tmp_path / "never"),
        log_path=tmp_path / "silent.log",
        ready_within_s=0.3,
    )
    supervisor = Supervisor([silent], changed=seen, pauses=QUICK)

    async with asyncio.TaskGroup() as group:
        group.create_task(supervisor.run())
        await until(lambda: any(p.detail_code == "not_ready" for p in seen.of("silent")))
        supervisor.stop()

    assert seen.lists[-1][0].state == "stopped"


async def test_a_program_that_is_missing_is_a_state_not_a_crash(tmp_path: Path) -> None:
    seen = Seen()
    missing = Child(
        name="gone",
        command=(str(tmp_path / "no such program"),),
        ready=exists(tmp_path),
        log_path=tmp_path / "gone.log",
    )
    supervisor = Supervisor([missing], changed=seen, pauses=QUICK)

    async with asyncio.TaskGroup() as group:
        group.create_task(supervisor.run())
        await until(lambda: any(p.detail_code == "cannot_start" for p in seen.of("gone")))
        supervisor.stop()

    assert seen.lists[-1][0].state == "stopped"


async def test_a_key_reaches_the_child_through_standard_input(tmp_path: Path) -> None:
    code = (
        "import pathlib, sys, time; key = sys.stdin.read();"
        "pathlib.Path(sys.argv[1]).write_text(key); time.sleep(600)"
    )
    plain = python(tmp_path, "server", code)
    child = Child(
        name=plain.name,
        command=plain.command,
        ready=plain.ready,
        log_path=plain.log_path,
        stdin=b"s3cret",
    )
    supervisor = Supervisor([child], changed=Seen())

    async with asyncio.TaskGroup() as group:
        group.create_task(supervisor.run())
        await supervisor.all_ready()
        await until(lambda: (tmp_path / "server.ready").read_text() == "s3cret")
        supervisor.stop()

    assert "s3cret" not in " ".join(child.command)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux binds a child's life to its parent")
async def test_given_the_supervisor_is_killed_then_its_children_die_too(tmp_path: Path) -> None:
    code = f"""
import asyncio, pathlib, sys
from agent.local.supervisor import Supervisor
from tests.agent.local.test_supervisor import WAIT, python
folder = pathlib.Path({str(tmp_path)!r})
def changed(parts):
    for part in parts:
        if "pid" in part.values:
            (folder / "child.pid").write_text(str(part.values["pid"]))
asyncio.run(Supervisor([python(folder, "only", WAIT)], changed=changed).run())
"""
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
    await until(lambda: (tmp_path / "child.pid").exists())
    pid = int((tmp_path / "child.pid").read_text())

    parent.kill()
    await parent.wait()

    await until(lambda: _gone(pid))


def _gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_pauses_are_bounded() -> None:
    assert Pauses().before_restart_s(1) == 0.5
    assert Pauses().before_restart_s(10_000) == 30.0
