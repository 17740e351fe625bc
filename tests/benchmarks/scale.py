"""How much is measured: the full form for figures, the quick one to see that all works."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Sizes of one run."""

    turns: int
    """Of the latency figures, a tier."""
    pairs: int
    """Of the comparison with a plain worker, a variant."""
    turns_a_session: int
    """After the first, before the other side has its turn."""
    talking_turns: int
    """Over which the processor's use is averaged."""
    listening_s: float
    """Silence over which it is averaged."""
    memory_turns: int
    room_turns: int
    """Typed in each room, for one against two."""
    samples: int
    """Answers to each question of wit."""
    decisions: int
    kills: int
    tiers: tuple[str, ...] = ("small", "tiny")
    """The first is the one that people get."""


FULL = Scale(
    turns=20,
    pairs=60,
    turns_a_session=6,
    talking_turns=8,
    listening_s=30.0,
    memory_turns=50,
    room_turns=10,
    samples=3,
    decisions=2_000,
    kills=200,
)
QUICK = Scale(
    turns=2,
    pairs=2,
    turns_a_session=2,
    talking_turns=1,
    listening_s=3.0,
    memory_turns=3,
    room_turns=2,
    samples=1,
    decisions=50,
    kills=3,
    tiers=("tiny",),
)


def tag(tier: str) -> str:
    """Return what follows a figure's name for a tier; nothing for the one that people get."""
    return "" if tier == "small" else f"@{tier}"
