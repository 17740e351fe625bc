"""One spoken exchange, read from the levels of what was said and of what was heard."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

HOP_S: Final = 256 / 48_000
SAID_LOUD: Final = 300
"""RMS of 16-bit samples above which the person speaks; the voice's pauses are digital silence."""
HEARD_LOUD: Final = 150
"""RMS above which an answer is audible: 47 dB below full scale."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """When a person stopped and when their answer began; seconds of one audio clock."""

    speech_end_s: float
    answer_start_s: float | None
    """None: nothing was heard after the person's last word."""
    talked_over: bool
    """Whether the avatar was audible while the person spoke, so that this is no clean turn."""
    quiet_for_s: float
    """Silence at the end of the recording."""

    @property
    def answer_s(self) -> float | None:
        """End of speech to the first audible answer; None if there is none to measure."""
        if self.talked_over or self.answer_start_s is None:
            return None
        return self.answer_start_s - self.speech_end_s


def exchange_of(said: Sequence[int], heard: Sequence[int]) -> Exchange | None:
    """Return what two recordings of equal length show; None while nobody has spoken.

    Args:
        said: Levels of the microphone, one a hop.
        heard: Levels of the loudspeaker, likewise.
    """
    spoken = _loud(said, SAID_LOUD)
    if not len(spoken):
        return None
    first, last = int(spoken[0]), int(spoken[-1])
    audible = _loud(heard, HEARD_LOUD)
    after = audible[audible > last]
    during = audible[(audible >= first) & (audible <= last)]
    quiet_from = int(audible[-1]) if len(audible) else last
    return Exchange(
        speech_end_s=(last + 1) * HOP_S,
        answer_start_s=float(after[0]) * HOP_S if len(after) else None,
        talked_over=bool(len(during)),
        quiet_for_s=(len(heard) - max(quiet_from, last)) * HOP_S,
    )


def quiet_for_s(heard: Sequence[int]) -> float:
    """Return how long the end of a recording is silent; its whole length if nothing is loud."""
    audible = _loud(heard, HEARD_LOUD)
    return (len(heard) - (int(audible[-1]) + 1 if len(audible) else 0)) * HOP_S


def is_audible(heard: Sequence[int]) -> bool:
    """Tell whether anything can be heard in a recording."""
    return bool(len(_loud(heard, HEARD_LOUD)))


def _loud(levels: Sequence[int], threshold: int) -> NDArray[np.intp]:
    """Return the hops that are loud and stand beside another loud one; one alone is a click."""
    loud = np.pad(np.asarray(levels, float) > threshold, 1)
    return np.flatnonzero(loud[1:-1] & (loud[:-2] | loud[2:]))
