"""Processes that die, are started twice, or have no network: what it costs, and what is said."""

import asyncio
import contextlib
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from playwright.async_api import Browser, expect

from agent.local.instance_lock import holder
from tests.e2e.house import RunningHouse, command_line, free_ports, running_house
from tests.e2e.person import CHROMIUM, Person, chromium, somebody
from tests.e2e.scripted_model import LONG_STORY, Script, scripted_model, settings_for
from tests.e2e.talking import (
    FINAL,
    PATIENT_MS,
    SOON_MS,
    answered,
    greeted,
    notice,
    session_of,
    transcript_of,
)
from tests.e2e.voices import Voices

CAPITAL = "What is the capital of Portugal?"
A_CABLE_TO_NOWHERE = (
    "ip link set lo up && ip link add lan0 type veth peer name nowhere && "
    "ip address add 192.0.2.1/24 dev lan0 && ip link set lan0 up && ip link set nowhere up"
)
"""WebRTC takes no loopback addresses of its own: with nothing but ``lo``, browsers and the media
library of the worker find no address to connect from.
"""


@pytest.fixture(scope="module")
def plain_house(tmp_path_factory: pytest.TempPathFactory, script: Script) -> Iterator[RunningHouse]:
    """A house without models of its own and without a face: it starts quickly."""
    with scripted_model(script) as url:
        remote = f"{{provider: openai, base_url: {url}, model: none}}"
        config = f"models: {{tier: 'off', stt: {remote}, llm: {remote}, tts: {remote}}}\n"
        config += "avatar: {provider: 'off'}\n"
        with running_house(tmp_path_factory.mktemp("plain"), config=config, tier=None) as running:
            yield running


def up(data_dir: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Start a house that is expected to end at once."""
    return subprocess.run(
        command_line(data_dir, "up", "--tier", "tiny", *words),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


async def happened(house: RunningHouse, session: str) -> list[str]:
    """Return the types of all facts of a session, as the operator reads them."""
    async with httpx.AsyncClient(base_url=house.url, headers=house.operator, timeout=20) as client:
        answer = await client.get(f"/api/sessions/{session}/trail", params={"limit": 500})
    return [item["event_type"] for item in answer.raise_for_status().json()["items"]]


async def test_given_the_house_process_is_killed_in_mid_sentence_then_the_session_goes_on(
    scripted_house: RunningHouse, browser: Browser
) -> None:
    async with somebody(browser) as person:
        await greeted(person, scripted_house.url, "Kim")
        session = await session_of(person, scripted_house.url)
        await person.type("Tell me a story.")
        story = person.turns_of("avatar").nth(1)
        await expect(story.locator(".heard")).to_contain_text("keeper", timeout=SOON_MS)

        scripted_house.part("agent.cli.main house").kill()
        await until_resumed(scripted_house, session)
        await expect(person.page.locator(".panel")).to_have_count(0, timeout=PATIENT_MS)
        await expect(story).to_have_attribute(
            "data-delivery", re.compile("partial|unknown"), timeout=PATIENT_MS
        )
        await answered(person, CAPITAL, "Lisbon")

        assert await session_of(person, scripted_house.url) == session
        turns = await transcript_of(person, scripted_house.url)
        cut = [t for t in turns if t["speaker"] == "avatar"][1]
        assert cut["delivery"]["state"] in ("partial", "unknown")
        assert cut["text"] in LONG_STORY
        assert [t["text"] for t in turns if t["speaker"] == "person"] == [
            "Tell me a story.",
            CAPITAL,
        ]
        facts = await happened(scripted_house, session)
        assert facts.count("session.resumed") == 1
        await person.leave()
    verified = scripted_house.command("replay", session, "--verify")
    assert verified.returncode == 0, verified.stderr


async def test_given_the_media_server_is_killed_then_the_session_goes_on_in_a_new_one(
    scripted_house: RunningHouse, browser: Browser
) -> None:
    async with somebody(browser) as person:
        await greeted(person, scripted_house.url, "Lea")
        session = await session_of(person, scripted_house.url)

        scripted_house.part("livekit-server").kill()
        status = person.page.get_by_role("status").first
        await expect(status).to_contain_text("Reconnecting…", timeout=PATIENT_MS)
        await expect(person.page.locator(".panel")).to_have_count(0, timeout=PATIENT_MS)
        await person.type(CAPITAL)
        answer = person.turns_of("avatar", delivery=["full"]).nth(1)
        again = person.page.get_by_role("button", name="Send again")
        await expect(answer.or_(again).first).to_be_visible(timeout=PATIENT_MS)
        if await again.is_visible():  # written before the avatar was back, and reported
            await again.click()
        await expect(answer).to_contain_text("Lisbon", timeout=PATIENT_MS)

        assert await session_of(person, scripted_house.url) == session


async def until_resumed(house: RunningHouse, session: str) -> None:
    """Wait until another worker has taken a session over."""
    for _ in range(150):
        await asyncio.sleep(0.5)
        with contextlib.suppress(httpx.HTTPError):
            if "session.resumed" in await happened(house, session):
                return
    raise AssertionError("nobody took the session over")


async def test_given_the_model_server_is_killed_then_it_costs_a_sentence_and_not_the_session(
    house: RunningHouse, browser: Browser
) -> None:
    async with somebody(browser) as person:
        await greeted(person, house.url, "Max")
        house.process.send_signal(signal.SIGSTOP)
        try:
            house.part("agent.local.model_server").kill()
            await person.type(CAPITAL)
            await expect(notice(person, "no_answer")).to_be_visible(timeout=PATIENT_MS)
        finally:
            house.process.send_signal(signal.SIGCONT)
        apology = person.turns_of("avatar", delivery=FINAL).nth(1)
        await expect(apology).to_be_visible(timeout=PATIENT_MS)

        await until_running(house, "model-server")
        assert "model-server ended by itself" in house.log.read_text()
        await person.type(CAPITAL)
        answer = person.turns_of("avatar", delivery=FINAL).nth(2)
        await expect(answer).to_be_visible(timeout=PATIENT_MS)

        turns = [t for t in await transcript_of(person, house.url) if t["speaker"] == "avatar"]
        assert turns[1]["text"] != turns[2]["text"]
        assert turns[2]["delivery"]["state"] == "full"


async def until_running(house: RunningHouse, part: str) -> None:
    """Wait until a part reports that it runs."""
    async with httpx.AsyncClient(base_url=house.url) as client:
        for _ in range(600):
            parts = (await client.get("/api/status")).json()["parts"]
            if {"running"} == {each["state"] for each in parts if each["name"] == part}:
                return
            await asyncio.sleep(0.2)
    raise AssertionError(f"{part} did not come back")


def test_given_a_running_house_when_started_again_then_the_second_names_the_first(
    plain_house: RunningHouse,
) -> None:
    ports = free_ports(4)

    second = up(plain_house.data_dir, "--port", str(ports[0]), "--livekit-port", str(ports[1]))

    assert second.returncode == 1
    assert f"process {plain_house.process.pid}" in second.stderr
    assert "--data-dir" in second.stderr
    assert httpx.get(f"{plain_house.url}/readyz").status_code == httpx.codes.OK


@pytest.mark.parametrize("flag", ["--port", "--livekit-port"])
def test_given_a_port_in_use_then_the_flag_that_changes_it_is_named(
    tmp_path: Path, flag: str
) -> None:
    ports = {"--port": free_ports(4)[0], "--livekit-port": free_ports(4)[1]}
    with socket.socket() as occupant:
        occupant.bind(("127.0.0.1", ports[flag]))
        occupant.listen()

        ended = up(tmp_path, *(str(w) for pair in ports.items() for w in pair))

    assert ended.returncode == 1
    assert f"port {ports[flag]}" in ended.stderr
    assert f"choose another with {flag}" in ended.stderr


def test_given_a_database_of_a_newer_version_then_up_says_so_and_leaves_it_alone(
    tmp_path: Path,
) -> None:
    made = subprocess.run(command_line(tmp_path, "migrate"), timeout=60, check=False)
    assert made.returncode == 0
    database = tmp_path / "trail.sqlite3"
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999_from_the_future'")
    connection.close()
    ports = free_ports(4)

    ended = up(tmp_path, "--port", str(ports[0]), "--livekit-port", str(ports[1]))

    assert ended.returncode == 1
    assert "newer" in ended.stderr
    assert "Traceback" not in ended.stderr
    with sqlite3.connect(database) as connection:
        versions = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    connection.close()
    assert versions == [("9999_from_the_future",)]


async def test_given_a_conversation_when_ctrl_c_then_no_process_and_no_lock_is_left(
    tmp_path: Path, browser: Browser, script: Script
) -> None:
    with scripted_model(script) as url:
        folder = tmp_path / "with spaces, and ünïcode"
        async with somebody(browser) as person:
            with running_house(folder, config=settings_for(url)) as house:
                await greeted(person, house.url, "Ida")
                await person.type("Tell me a story.")
                story = person.turns_of("avatar").nth(1)
                await expect(story.locator(".heard")).to_contain_text("keeper", timeout=SOON_MS)
                family = psutil.Process(house.process.pid).children(recursive=True)

                house.process.send_signal(signal.SIGINT)
                house.process.wait(timeout=60)

                assert house.process.returncode == 0
                assert [p for p in family if p.is_running()] == []
    assert holder(house.data_dir) is None
    left = {path.name for path in house.data_dir.glob("trail.sqlite3*")}
    assert not left & {"trail.sqlite3-wal", "trail.sqlite3-shm", "trail.sqlite3-journal"}
    assert not (house.data_dir / "run" / "addresses.json").exists()
    told = house.command("replay", "latest")
    assert "lighthouse" in told.stdout
    assert house.command("replay", "latest", "--verify").returncode == 0


@contextmanager
def browser_inside(namespace_of: int, folder: Path) -> Iterator[str]:
    """Yield a program that runs Chromium in the network of a process."""
    program = folder / "chromium"
    inside = f"nsenter --target {namespace_of} --net"
    program.write_text(f'#!/bin/sh\nexec {inside} "{CHROMIUM}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    yield str(program)


@pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0 or shutil.which("unshare") is None,
    reason="only the superuser of a Linux can make a network namespace",
)
async def test_given_no_network_at_all_then_a_spoken_question_is_answered(
    tmp_path: Path, chromium_is_there: None, voices: Voices
) -> None:
    alone = ("unshare", "--net", "sh", "-c", f'{A_CABLE_TO_NOWHERE} && exec "$0" "$@"')
    with (
        running_house(tmp_path, inside=alone) as house,
        browser_inside(house.process.pid, tmp_path) as program,
    ):
        async with chromium(program=program) as browser, somebody(browser) as person:
            await greeted(person, house.url, "Nora")
            await person.say(voices.wav(CAPITAL))
            answer = person.turns_of("avatar", delivery=FINAL).nth(1)
            await expect(answer).to_be_visible(timeout=PATIENT_MS)

            await expect(person.turns_of("person").first).to_contain_text("Portugal")
            turns = await transcript_of_inside(person)
            assert turns[-1]["speaker"] == "avatar"
            assert turns[-1]["text"] != ""
            assert len(await person.heard()) > 0


async def transcript_of_inside(person: Person) -> list[dict[str, Any]]:
    """Return the person's newest transcript, asked from where the person is."""
    turns: list[dict[str, Any]] = await person.page.evaluate(
        """async () => {
          const { sessions } = await (await fetch('/api/sessions')).json();
          const path = `/api/sessions/${sessions[0].session_id}/transcript`;
          return (await (await fetch(path)).json()).turns;
        }"""
    )
    return turns
