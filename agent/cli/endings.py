"""How a command ends: 0 done, 1 ran and found a fault, 2 asked wrongly; news go to stderr."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

import typer

from config.layers import SettingsError
from trail.errors import DependencyUnavailable, TrailCorrupt

FOUND_A_FAULT: Final = 1
ASKED_WRONGLY: Final = 2


def told(sentence: str) -> None:
    """Print news for the person at the terminal."""
    print(sentence, file=sys.stderr)


def asked_wrongly(sentence: str) -> typer.Exit:
    """Say what was asked wrongly and return the end to raise."""
    told(sentence)
    return typer.Exit(ASKED_WRONGLY)


@contextmanager
def ended() -> Generator[None]:
    """Turn expected errors into a sentence and an exit code."""
    try:
        yield
    except SettingsError as error:
        raise asked_wrongly(str(error)) from None
    except (DependencyUnavailable, TrailCorrupt) as error:
        told(str(error))
        raise typer.Exit(FOUND_A_FAULT) from None
