"""A transcript for reading in a terminal: who, when, what was heard, and what was not. Pure.

What was never heard stands in square brackets with its reason, so that it cannot be taken for
something heard in a copy without colours either.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from typing import Final

from agent.replay.transcript import Delivery, Transcript, TranscriptTurn
from trail.events.delivery import DeliveryState, How
from trail.ids import ParticipantId

_DIM: Final = "\x1b[2m"
_PLAIN: Final = "\x1b[0m"
_DIRECTIONS: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the direction of writing, and with it the meaning of a line."""


def as_text(
    read: Transcript, *, names: Mapping[ParticipantId, str], coloured: bool
) -> Iterator[str]:
    """Yield the lines of a transcript.

    Args:
        read: What to print.
        names: What to call the participants; who has no name is called by id.
        coloured: Also print what was not heard dimly; for terminals.
    """
    called = {
        turn.participant_id: printable(names.get(turn.participant_id) or turn.participant_id)
        for turn in read.turns
    }
    width = max((len(name) for name in called.values()), default=0)
    for turn in read.turns:
        name = called[turn.participant_id].ljust(width)
        yield f"{clock_time(turn.at_s):>7}  {name}  {_words(turn, coloured=coloured)}"


def clock_time(at_s: float) -> str:
    """Return session time as ``m:ss`` or ``h:mm:ss``."""
    minutes, seconds = divmod(int(at_s), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def printable(text: str) -> str:
    """Return ``text`` on one line and without characters that command a terminal."""
    return "".join("\ufffd" if _commands(char) else char for char in " ".join(text.split()))


def _commands(char: str) -> bool:
    return unicodedata.category(char) in {"Cc", "Cs"} or char in _DIRECTIONS


def _words(turn: TranscriptTurn, *, coloured: bool) -> str:
    said = printable(turn.text)
    if turn.channel == "text" and turn.speaker == "person":
        said = f"(typed) {said}"
    missed = _missed(turn)
    if not missed:
        return said
    if coloured:
        missed = f"{_DIM}{missed}{_PLAIN}"
    return f"{said} {missed}" if said else missed


def _missed(turn: TranscriptTurn) -> str:
    """Return what of a turn was not heard, and why; empty if nothing is missing."""
    if turn.delivery is None:
        return ""
    reason = _reason(turn.delivery)
    generated, heard = turn.generated_text or "", turn.text
    rest = generated[len(heard) :] if generated.startswith(heard) else generated
    rest = printable(rest)
    if turn.delivery.state is DeliveryState.FULL:
        return f"[not spoken: {rest}]" if rest else ""
    return f"[{reason}: {rest}]" if rest else f"[{reason}]"


def _reason(delivery: Delivery) -> str:
    match delivery.state:
        case DeliveryState.PENDING:
            return "not ended"
        case DeliveryState.UNKNOWN:
            return "not known whether heard"
        case DeliveryState.CANCELED:
            return "withdrawn"
        case DeliveryState.SUPERSEDED:
            return "replaced"
        case _ if delivery.how is How.INTERRUPTED:
            return "interrupted, not heard"
        case _:
            return "not heard"
