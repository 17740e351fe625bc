"""The life of one segment of speech. Everything that moves a segment between phases is here.

``generated → queued → playing → delivered | canceled | superseded``, and ``unknown`` when
nobody can tell. A phase is never left backwards; the four last ones are final.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from trail.errors import ContractError

LOGIC_VERSION: Final = 1
"""Raised when the same reports lead to another outcome on purpose; part of `SessionOpened`."""


class Phase(StrEnum):
    """Where a segment is on its way to an ear."""

    GENERATED = "generated"
    QUEUED = "queued"
    PLAYING = "playing"
    DELIVERED = "delivered"
    CANCELED = "canceled"
    SUPERSEDED = "superseded"
    UNKNOWN = "unknown"


class Input(StrEnum):
    """What can happen to a segment."""

    QUEUED = "queued"
    """Its first audio was handed to the sink."""
    STARTED = "started"
    RAN = "ran"
    """A stretch of its audio left our queue."""
    ENDED = "ended"
    """The sink is through with it, and what it reports can be believed."""
    LOST = "lost"
    """The sink or the listener is gone, or the reports contradict each other."""
    FAILED = "failed"
    """Its text or its sound could not be made."""
    WITHDRAWN = "withdrawn"
    REPLACED = "replaced"
    """Another reply takes its place."""
    DISPLAYED = "displayed"
    """It was shown as text and will not be spoken."""


FINAL: Final = frozenset({Phase.DELIVERED, Phase.CANCELED, Phase.SUPERSEDED, Phase.UNKNOWN})
LATE: Final = frozenset({Input.STARTED, Input.RAN, Input.ENDED, Input.LOST, Input.FAILED})
"""Reports from outside; they may arrive after the end and then change nothing."""

TRANSITIONS: Final[Mapping[tuple[Phase, Input], Phase]] = {
    (Phase.GENERATED, Input.QUEUED): Phase.QUEUED,
    (Phase.GENERATED, Input.ENDED): Phase.DELIVERED,
    (Phase.GENERATED, Input.LOST): Phase.UNKNOWN,
    (Phase.GENERATED, Input.FAILED): Phase.DELIVERED,
    (Phase.GENERATED, Input.WITHDRAWN): Phase.CANCELED,
    (Phase.GENERATED, Input.REPLACED): Phase.SUPERSEDED,
    (Phase.GENERATED, Input.DISPLAYED): Phase.DELIVERED,
    (Phase.QUEUED, Input.STARTED): Phase.PLAYING,
    (Phase.QUEUED, Input.ENDED): Phase.DELIVERED,
    (Phase.QUEUED, Input.LOST): Phase.UNKNOWN,
    (Phase.QUEUED, Input.FAILED): Phase.DELIVERED,
    (Phase.QUEUED, Input.WITHDRAWN): Phase.DELIVERED,
    (Phase.QUEUED, Input.REPLACED): Phase.SUPERSEDED,
    (Phase.PLAYING, Input.RAN): Phase.PLAYING,
    (Phase.PLAYING, Input.ENDED): Phase.DELIVERED,
    (Phase.PLAYING, Input.LOST): Phase.UNKNOWN,
    (Phase.PLAYING, Input.FAILED): Phase.DELIVERED,
    **{(phase, late): phase for phase in FINAL for late in LATE},
}


def advance(phase: Phase, what: Input) -> Phase:
    """Return the phase after ``what`` happened.

    Raises:
        ContractError: ``what`` is impossible in this phase.
    """
    try:
        return TRANSITIONS[phase, what]
    except KeyError:
        raise ContractError(f"{what} is impossible while {phase}") from None
