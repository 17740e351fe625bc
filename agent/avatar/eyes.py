"""When the eyes blink and where they look: small random habits, repeatable from a seed."""

from dataclasses import dataclass

from numpy.random import Generator

from agent.avatar.attitude import Attitude

CLOSING_S = 0.07
SHUT_S = 0.03
OPENING_S = 0.14
BLINK_S = CLOSING_S + SHUT_S + OPENING_S

DOUBLE_BLINK_SHARE = 0.12
DOUBLE_BLINK_AFTER_S = 0.18
SHORTEST_OPEN_S = 1.1
MEAN_OPEN_S = 3.2
MEAN_OPEN_LISTENING_S = 4.2
"""People blink less while they attend to somebody."""

GLANCE_AWAY_SHARE = 0.3
"""Of the glances while speaking; the others return to the listener."""


class Blink:
    """The lids."""

    def __init__(self, randomness: Generator) -> None:
        self._randomness = randomness
        self._next_s = 1.5
        self._since_s: float | None = None

    def at(self, t_s: float, attitude: Attitude) -> float:
        """Return 0 (open) .. 1 (shut) at ``t_s``; call with rising times."""
        if self._since_s is None:
            if t_s < self._next_s:
                return 0.0
            self._since_s = t_s
        elapsed_s = t_s - self._since_s
        if elapsed_s >= BLINK_S:
            self._since_s = None
            self._next_s = t_s + self._pause_s(attitude)
            return 0.0
        return _ease(_lid(elapsed_s))

    def _pause_s(self, attitude: Attitude) -> float:
        if self._randomness.random() < DOUBLE_BLINK_SHARE:
            return DOUBLE_BLINK_AFTER_S
        mean_s = MEAN_OPEN_LISTENING_S if attitude is Attitude.LISTENING else MEAN_OPEN_S
        return max(SHORTEST_OPEN_S, float(self._randomness.exponential(mean_s)))


@dataclass(frozen=True, slots=True)
class Direction:
    """Where the eyes point; 0, 0 is the person in front, x to the right and y down."""

    x: float = 0.0
    y: float = 0.0


class Gaze:
    """Where the eyes want to be; they jump there, as eyes do."""

    def __init__(self, randomness: Generator) -> None:
        self._randomness = randomness
        self._direction = Direction()
        self._next_s = 0.8
        self._attitude: Attitude | None = None

    def at(self, t_s: float, attitude: Attitude) -> Direction:
        """Return the direction at ``t_s``; call with rising times."""
        if t_s >= self._next_s or attitude is not self._attitude:
            self._attitude = attitude
            self._direction, rest_s = self._glance(attitude)
            self._next_s = t_s + rest_s
        return self._direction

    def _glance(self, attitude: Attitude) -> tuple[Direction, float]:
        between = self._randomness.uniform
        if attitude is Attitude.THINKING:
            side = 1.0 if self._randomness.random() < 0.5 else -1.0
            away = Direction(side * between(0.40, 0.70), between(-0.65, -0.35))
            return away, between(0.8, 1.7)
        if attitude is Attitude.SPEAKING and self._randomness.random() < GLANCE_AWAY_SHARE:
            return Direction(between(-0.45, 0.45), between(-0.20, 0.20)), between(0.5, 1.1)
        near = Direction(self._randomness.normal(0, 0.05), self._randomness.normal(0, 0.04))
        return near, between(0.9, 2.6)


def _lid(elapsed_s: float) -> float:
    if elapsed_s < CLOSING_S:
        return elapsed_s / CLOSING_S
    if elapsed_s < CLOSING_S + SHUT_S:
        return 1.0
    return 1.0 - (elapsed_s - CLOSING_S - SHUT_S) / OPENING_S


def _ease(x: float) -> float:
    return x * x * (3.0 - 2.0 * x)
