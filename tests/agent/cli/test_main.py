from pathlib import Path

import pytest

from agent.cli.main import COMMANDS, Command, run
from agent.local.instance_lock import instance_lock


def test_given_nothing_or_help_then_the_commands_are_listed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run([]) == 0
    bare = capsys.readouterr().out

    assert run(["--help"]) == 0
    assert capsys.readouterr().out == bare
    assert "up " in bare
    assert "house" not in bare


def test_given_a_misspelt_command_then_it_was_asked_wrongly_and_a_name_is_offered(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["upp"]) == 2

    assert "Did you mean 'up'?" in capsys.readouterr().err


def test_every_command_that_is_there_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    run([])
    listed = capsys.readouterr().out
    there = [name for name in COMMANDS if f"\n  {name} " in listed]
    light = [name for name in there if name not in ("worker", "gateway")]  # those load LiveKit

    assert [name for name in light if run([name, "--help"]) != 0] == []


def test_a_command_whose_module_is_missing_does_not_appear(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    later = Command(module="agent.cli.not_yet", attribute="x", purpose="Later.")
    monkeypatch.setitem(COMMANDS, "later", later)

    assert run(["later"]) == 2
    assert run([]) == 0
    assert "later" not in capsys.readouterr().out


def test_given_a_faulty_setting_then_it_was_asked_wrongly(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "my.yaml").write_text("prot: 1\n")

    assert run(["migrate", "--config", "my.yaml"]) == 2

    said = capsys.readouterr()
    assert said.err.strip() == (
        "earwitness: my.yaml, line 1: prot is not a setting; did you mean port?"
    )
    assert said.out == ""


def test_given_a_house_that_runs_when_another_is_started_then_the_first_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with instance_lock(tmp_path / "my data"):
        assert run(["up"]) == 1

    assert "is in use by process" in capsys.readouterr().err


def test_given_an_open_address_then_up_refuses_with_the_reason(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["up", "--host", "0.0.0.0"]) == 2

    assert "not a loopback address" in capsys.readouterr().err


def test_migrate_makes_the_database_and_says_so_on_standard_error(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(["migrate"]) == 0

    said = capsys.readouterr()
    assert said.out == ""
    assert "up to date" in said.err
    assert list((tmp_path / "my data").glob("*.sqlite3"))
