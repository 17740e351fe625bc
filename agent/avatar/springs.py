"""Motion that settles: a critically damped spring, and a slow wander."""

import math

_LN2 = math.log(2.0)


class Spring:
    """Follows a target without overshoot; exact for any step, so it cannot blow up."""

    __slots__ = ("speed", "value")

    def __init__(self, value: float = 0.0) -> None:
        self.value = value
        self.speed = 0.0

    def step(self, target: float, *, half_life_s: float, dt_s: float) -> float:
        """Move for ``dt_s`` towards ``target`` and return the new value.

        Args:
            target: Where to go.
            half_life_s: Roughly the time in which half of the way is left; > 0.
            dt_s: Seconds since the last step.
        """
        rate = 2.0 * _LN2 / half_life_s
        away = self.value - target
        push = self.speed + away * rate
        left = math.exp(-rate * dt_s)
        self.value = target + left * (away + push * dt_s)
        self.speed = left * (self.speed - push * rate * dt_s)
        return self.value


def wander(t_s: float, phase: float) -> float:
    """Return a smooth wander within -1..1: three sines whose periods do not meet again soon."""
    return (
        math.sin(t_s + phase)
        + 0.6 * math.sin(2.17 * t_s + 1.7 * phase)
        + 0.35 * math.sin(4.31 * t_s + 2.9 * phase)
    ) / 1.95
