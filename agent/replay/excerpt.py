"""A part of a session: what happened between two session times. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from agent.replay.transcript import Transcript
from trail.envelope import Envelope, Fact

_TIME: Final = re.compile(r"(\d+:){0,2}\d+(\.\d+)?", re.ASCII)


def between(
    envelopes: Sequence[Envelope[Fact]], *, from_s: float | None, to_s: float | None
) -> tuple[Envelope[Fact], ...]:
    """Return the facts recorded within the given session time, ends included."""
    return tuple(
        envelope
        for envelope in envelopes
        if _within(envelope.at_s or 0.0, from_s=from_s, to_s=to_s)
    )


def turns_between(read: Transcript, *, from_s: float | None, to_s: float | None) -> Transcript:
    """Return the turns that began within the given session time, ends included."""
    kept = tuple(turn for turn in read.turns if _within(turn.at_s, from_s=from_s, to_s=to_s))
    return replace(read, turns=kept)


def seconds(text: str) -> float:
    """Return the session time meant by ``90``, ``1:30`` or ``1:02:03``.

    Raises:
        ValueError: it is none.
    """
    if not _TIME.fullmatch(text):
        raise ValueError(f"{text!r} is no time")
    total = 0.0
    for part in text.split(":"):
        total = total * 60 + float(part)
    return total


def _within(at_s: float, *, from_s: float | None, to_s: float | None) -> bool:
    return (from_s is None or at_s >= from_s) and (to_s is None or at_s <= to_s)
