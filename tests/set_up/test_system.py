from pathlib import Path

import pytest

from scripts.system import (
    Version,
    go_is_new_enough,
    missing_packages,
    node_is_new_enough,
    plan_for,
    put_shim,
    python_is_supported,
    version_in,
)


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("v20.19.1\n", (20, 19, 1)),
        ("go version go1.26.8 linux/amd64", (1, 26, 8)),
        ("go version go1.27 linux/amd64", (1, 27, 0)),
        ("command not found", None),
    ],
)
def test_versions_are_found_in_what_programs_say(text: str, version: Version | None) -> None:
    assert version_in(text) == version


@pytest.mark.parametrize(
    ("version", "enough"),
    [
        (None, False),
        ((18, 20, 4), False),
        ((20, 18, 3), False),
        ((20, 19, 0), True),
        ((21, 7, 0), False),
        ((22, 11, 0), False),
        ((22, 12, 0), True),
        ((24, 19, 0), True),
    ],
)
def test_node_must_run_the_tools_of_the_front_end(version: Version | None, *, enough: bool) -> None:
    assert node_is_new_enough(version) is enough


def test_go_and_python_have_bounds() -> None:
    assert go_is_new_enough((1, 26, 0))
    assert not go_is_new_enough((1, 19, 8))
    assert not go_is_new_enough(None)
    assert [python_is_supported((3, minor)) for minor in (10, 11, 13, 14)] == [
        False,
        True,
        True,
        False,
    ]


def test_only_what_is_missing_is_asked_for() -> None:
    assert missing_packages(browser=True, has_library=lambda _: True, has_program=bool) == ()
    assert missing_packages(
        browser=True, has_library=lambda name: name == "libGL.so.1", has_program=lambda _: False
    ) == ("libegl1", "chromium")
    assert missing_packages(
        browser=False, has_library=lambda _: False, has_program=lambda _: False
    ) == ("libegl1", "libgl1")


def test_given_root_then_the_packages_are_named_and_installed() -> None:
    plan = plan_for(("libegl1",), has_apt=True, is_root=True, sudo_asks_nothing=False)

    assert plan.say == "Installing Debian packages: libegl1"
    assert plan.commands[-1][-1] == "libegl1"
    assert "sudo" not in plan.commands[-1]


def test_given_sudo_without_a_password_then_it_is_used() -> None:
    plan = plan_for(("libegl1",), has_apt=True, is_root=False, sudo_asks_nothing=True)

    assert all(command[:2] == ("sudo", "-n") for command in plan.commands)


def test_given_neither_then_the_one_line_to_run_is_told() -> None:
    plan = plan_for(("libegl1", "libgl1"), has_apt=True, is_root=False, sudo_asks_nothing=False)

    assert plan.commands == ()
    assert "sudo apt-get install libegl1 libgl1" in plan.say


def test_given_another_system_then_the_packages_are_only_named() -> None:
    plan = plan_for(("libegl1",), has_apt=False, is_root=True, sudo_asks_nothing=True)

    assert plan.commands == ()
    assert "libegl1" in plan.say


def test_a_shim_runs_its_command_from_a_folder_with_spaces(tmp_path: Path) -> None:
    program = tmp_path / "a folder" / "tool"
    program.parent.mkdir()
    program.touch()

    put_shim(tmp_path / "bin", "tool", [program])
    put_shim(tmp_path / "bin", "tool", [program, Path("first")])

    assert (tmp_path / "bin" / "tool").read_text().splitlines()[1] == (
        f'exec "{program}" "first" "$@"'
    )
