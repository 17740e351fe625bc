"""The commands that read recorded sessions, on a real SQLite file."""

import asyncio
import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from agent.cli.replay import replay_command
from agent.cli.sessions import sessions_app
from agent.wiring.store import migrate, open_trail
from config.load import load_settings
from tests.agent.replay.tale import ANNA, OPENED, SESSION, Tale
from trail.ids import CharacterId, EventId, PersonId, RoomName, session_stream
from trail.ports import Person, SessionRow

ROOM = "room-1"


@pytest.fixture
def recorded() -> None:
    asyncio.run(_record())


async def _record(**entry: str) -> None:
    tale = Tale()
    tale.joins(ANNA)
    tale.says("What is the capital?", turn="p1", from_s=61.0, to_s=62.0)
    tale.replies("The capital is Lisbon.", turn="a1", answers="p1", at_s=63.0, heard_s=1.1)
    tale.ends()
    if "cause" in entry:
        last = tale.entries[-1]
        tale.entries[-1] = replace(last, causation_id=EventId(entry["cause"]))
    settings = load_settings()
    await migrate(settings)
    async with open_trail(settings, source="worker") as store:
        person = PersonId(ANNA)
        await store.add(
            Person(person_id=person, name="Anna", created_at=OPENED, last_seen_at=OPENED)
        )
        await store.create(
            SessionRow(
                session_id=SESSION,
                room=RoomName(ROOM),
                owner=person,
                character_id=CharacterId("ada"),
                created_at=OPENED,
                ended_at=OPENED,
                people=(person,),
            )
        )
        await store.append(session_stream(SESSION), tale.entries, expected=0)


def run(*words: str) -> Result:
    app = typer.Typer()
    app.command("replay")(replay_command)
    app.add_typer(sessions_app(), name="sessions")
    return CliRunner().invoke(app, words, catch_exceptions=False)


@pytest.mark.usefixtures("recorded")
@pytest.mark.parametrize("asked", ["latest", ROOM, SESSION])
def test_given_a_recorded_session_when_replayed_then_it_reads_as_it_was_heard(asked: str) -> None:
    ran = run("replay", asked)

    assert ran.exit_code == 0
    assert ran.stdout.splitlines() == [
        "   1:01  Anna  What is the capital?",
        "   1:03  ada   The capital [interrupted, not heard: is Lisbon.]",
    ]


@pytest.mark.usefixtures("recorded")
def test_given_a_sound_session_when_verified_then_the_news_say_so_and_no_data_comes() -> None:
    ran = run("replay", "latest", "--verify")

    assert (ran.exit_code, ran.stdout) == (0, "")
    assert "1 deliveries recomputed, all agree" in ran.stderr


@pytest.mark.usefixtures("recorded")
def test_given_a_changed_database_when_verified_then_the_fault_is_named() -> None:
    path = load_settings().data_dir / "trail.sqlite3"
    _tamper(path)

    ran = run("replay", "latest", "--verify")

    assert ran.exit_code == 1
    assert "does not verify" in ran.stderr
    assert ran.stdout == ""


def test_given_a_cause_that_exists_nowhere_when_verified_then_it_is_named() -> None:
    asyncio.run(_record(cause="never-recorded"))

    ran = run("replay", "latest", "--verify")

    assert ran.exit_code == 1
    assert "never-recorded" in ran.stderr


@pytest.mark.usefixtures("recorded")
def test_given_json_when_replayed_then_it_is_the_published_transcript() -> None:
    read = json.loads(run("replay", "latest", "--as", "json").stdout)

    assert read["session_id"] == SESSION
    assert [turn["speaker"] for turn in read["turns"]] == ["person", "avatar"]


@pytest.mark.usefixtures("recorded")
def test_given_lines_and_a_time_when_replayed_then_they_are_the_facts_from_then_on() -> None:
    lines = run("replay", "latest", "--as", "jsonl", "--from", "1:03").stdout.splitlines()

    facts = [json.loads(line) for line in lines]
    assert facts[0]["event_type"] == "delivery.segment_started"
    assert all(fact["at_s"] >= 63 for fact in facts)


@pytest.mark.usefixtures("recorded")
def test_given_an_unknown_session_when_replayed_then_it_was_asked_wrongly() -> None:
    ran = run("replay", "no-such-room")

    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "'no-such-room'" in ran.stderr


def test_given_no_trail_yet_when_replayed_then_it_says_so_and_makes_nothing() -> None:
    ran = run("replay", "latest")

    assert ran.exit_code == 2
    assert "no session has been recorded yet" in ran.stderr
    assert not load_settings().data_dir.exists()


def test_given_a_time_that_is_none_when_replayed_then_it_was_asked_wrongly() -> None:
    ran = run("replay", "latest", "--from", "noon")

    assert ran.exit_code == 2
    assert "--from 'noon' is no time" in ran.stderr


@pytest.mark.usefixtures("recorded")
def test_given_a_session_when_listed_then_its_people_are_named() -> None:
    (row,) = json.loads(run("sessions", "list", "--json").stdout)

    assert (row["session_id"], row["room"], row["people"]) == (SESSION, ROOM, ["Anna"])
    assert "Anna" in run("sessions", "list").stdout


def test_given_no_trail_yet_when_listed_then_the_list_is_empty() -> None:
    ran = run("sessions", "list", "--json")

    assert (ran.exit_code, json.loads(ran.stdout)) == (0, [])


@pytest.mark.usefixtures("recorded")
def test_given_a_session_when_deleted_then_its_words_are_gone_and_its_chain_verifies() -> None:
    deleted = run("sessions", "delete", "latest", "--yes")

    assert deleted.exit_code == 0
    assert "0 left" in deleted.stderr
    assert "[erased, 4 words]" in run("replay", "latest").stdout
    assert run("replay", "latest", "--verify").exit_code == 0


@pytest.mark.usefixtures("recorded")
def test_given_nobody_confirms_when_deleting_then_nothing_is_erased() -> None:
    assert run("sessions", "delete", "latest").exit_code == 1
    assert "What is the capital?" in run("replay", "latest").stdout


def _tamper(path: Path) -> None:
    connection = sqlite3.connect(path)
    try:
        tables = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        for table in tables:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            if {"position", "at_s", "digest"} <= set(columns):
                connection.execute(f"UPDATE {table} SET at_s = 99.0 WHERE position = 4")
        connection.commit()
    finally:
        connection.close()
