"""How a command ends: 0 done, 1 ran and found a fault, 2 asked wrongly; news go to stderr."""

import sys
from typing import Final

import typer

FOUND_A_FAULT: Final = 1
ASKED_WRONGLY: Final = 2


def told(sentence: str) -> None:
    """Print news for the person at the terminal."""
    print(sentence, file=sys.stderr)


def asked_wrongly(sentence: str) -> typer.Exit:
    """Say what was asked wrongly and return the end to raise."""
    told(f"earwitness: {sentence}")
    return typer.Exit(ASKED_WRONGLY)
