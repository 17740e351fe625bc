"""The command ``earwitness``: finds the module of a command, runs it, and turns errors into words.

A command's module is imported only when the command is run, so that help is quick and the
supervisor stays small; a command whose module is not there does not appear. Exit codes: 0, 1
(ran and found a fault), 2 (asked wrongly).
"""

import importlib
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import typer

from config.character import CharacterFileWrong
from config.layers import SettingsError
from trail.errors import EarwitnessError

ASKED_WRONGLY = 2
INTERRUPTED = 130


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """Where a command is, and what it is for."""

    module: str
    attribute: str
    """A function; ending in ``_app``: a function that returns the group of its subcommands."""
    purpose: str
    hidden: bool = False


COMMANDS = {
    "up": Command(
        module="agent.cli.up",
        attribute="up",
        purpose="Start everything on this machine and print the address.",
    ),
    "worker": Command(
        module="agent.cli.worker", attribute="worker", purpose="Run the LiveKit worker alone."
    ),
    "gateway": Command(
        module="agent.cli.gateway", attribute="gateway", purpose="Run page and API alone."
    ),
    "house": Command(
        module="agent.cli.house",
        attribute="house",
        purpose="Run worker and gateway in one process.",
        hidden=True,
    ),
    "doctor": Command(
        module="agent.cli.doctor",
        attribute="doctor",
        purpose="Check every part and say how to mend it.",
    ),
    "models": Command(
        module="agent.cli.models", attribute="models_app", purpose="List and fetch local models."
    ),
    "migrate": Command(
        module="agent.cli.migrate", attribute="migrate", purpose="Bring the database up to date."
    ),
    "sessions": Command(
        module="agent.cli.sessions", attribute="sessions_app", purpose="List conversations."
    ),
    "replay": Command(
        module="agent.cli.replay",
        attribute="replay_command",
        purpose="Print a conversation as it was heard.",
    ),
    "token": Command(
        module="agent.cli.token", attribute="token", purpose="Print a token for a room."
    ),
}


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code."""
    name, *others = arguments or ["--help"]
    command = COMMANDS.get(name)
    if command is not None and _is_there(command):
        app, prog = _loaded(name, command), f"earwitness {name}"
    else:
        app, prog, others = _list_of_commands(), "earwitness", [name, *others]
    try:
        app(others, prog_name=prog)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except KeyboardInterrupt:
        return INTERRUPTED
    except (SettingsError, CharacterFileWrong) as error:
        return _tell(str(error), ASKED_WRONGLY)
    except EarwitnessError as error:
        return _tell(str(error), 1)
    except ExceptionGroup as group:
        known = next(_known(group), None)
        if known is None:
            raise
        return _tell(str(known), 1)
    return 0


def main() -> None:
    """Run the command line of this process."""
    sys.exit(run(sys.argv[1:]))


def _list_of_commands() -> typer.Typer:
    """Return an application that knows what there is, for help and for misspelt names."""
    app = typer.Typer(
        help="A realtime voice avatar whose memory is evidence.",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(lambda: None)
    for name, command in COMMANDS.items():
        if _is_there(command):
            app.command(name, help=command.purpose, hidden=command.hidden)(lambda: None)
    return app


def _is_there(command: Command) -> bool:
    return importlib.util.find_spec(command.module) is not None


def _loaded(name: str, command: Command) -> typer.Typer:
    found = getattr(importlib.import_module(command.module), command.attribute)
    if command.attribute.endswith("_app"):
        group: typer.Typer = found()
        return group
    alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    alone.command(name)(found)
    return alone


def _known(group: ExceptionGroup[Exception]) -> Iterator[EarwitnessError]:
    """Yield the errors of a group, at any depth, that we have words for."""
    known = group.subgroup(EarwitnessError)
    for error in known.exceptions if known is not None else ():
        if isinstance(error, ExceptionGroup):
            yield from _known(error)
        else:
            yield error


def _tell(message: str, code: int) -> int:
    for line in message.splitlines():
        print(f"earwitness: {line}", file=sys.stderr)
    return code


if __name__ == "__main__":
    main()
