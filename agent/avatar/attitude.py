"""What the avatar is doing and how it feels, as far as a face can show it."""

from dataclasses import dataclass
from enum import StrEnum, auto


class Attitude(StrEnum):
    """What the avatar is doing."""

    IDLE = auto()
    LISTENING = auto()
    THINKING = auto()
    SPEAKING = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Affect:
    """How it feels."""

    valence: float = 0.25
    """-1 unhappy .. 1 happy."""
    arousal: float = 0.3
    """0 calm .. 1 excited."""


CALM = Affect()
