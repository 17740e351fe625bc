"""Where the mouth is: the few numbers that everything which moves it agrees on."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class MouthPose:
    """One position of the mouth. The default is closed and relaxed."""

    open: float = 0.0
    """0 closed .. 1 as far as speech goes."""
    wide: float = 0.0
    """-1 rounded .. 1 spread."""
    teeth: float = 0.0
    """0..1, how much the rows of teeth are together and show (s, f, ee)."""
    press: float = 0.0
    """0..1, lips pressed together (p, b, m)."""
    tongue: float = 0.0
    """0..1, how far the tongue is raised to the teeth."""


CLOSED = MouthPose()


def blend(weighted: Iterable[tuple[float, MouthPose]]) -> MouthPose:
    """Return the mean of poses by weight; of nothing, the closed mouth."""
    total = opened = wide = teeth = press = tongue = 0.0
    for weight, pose in weighted:
        total += weight
        opened += weight * pose.open
        wide += weight * pose.wide
        teeth += weight * pose.teeth
        press += weight * pose.press
        tongue += weight * pose.tongue
    if total <= 0.0:
        return CLOSED
    return MouthPose(
        open=opened / total,
        wide=wide / total,
        teeth=teeth / total,
        press=press / total,
        tongue=tongue / total,
    )
