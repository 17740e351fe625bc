"""Phonemes with times → the mouth at any instant, each sound shaded by its neighbours.

Every sound pulls at the mouth while it lasts and, fading with a half-life, before and after;
the mouth is the weighted mean of all pulls (dominance blending after Cohen and Massaro). So an
"oo" rounds the "t" before it, and a "b" closes the lips whatever stands beside it.
"""

import bisect
import math
from collections.abc import Iterable
from dataclasses import dataclass

from agent.avatar.mouth import CLOSED, MouthPose, blend
from agent.avatar.visemes import LONGER, STRESS, TARGETS, Target, Viseme, mouths_of

BEFORE_HALF_LIFE_S = 0.028
"""Lips prepare a sound ahead of it."""
AFTER_HALF_LIFE_S = 0.020
"""They leave it a little faster than they came."""
LOCALITY = 0.6
"""Exponent of the strength by which its half-life shortens."""
REACH_S = 0.16
"""Beyond this distance a pull is under two percent."""
PAUSE_S = 0.14
"""A longer stretch without any sound closes the mouth; a shorter one is glided through."""
DIPHTHONG_FIRST = 0.55
"""Share of a diphthong that belongs to its first mouth."""
STRESS_TO_VOWEL = 0.5
"""Share of a stress mark's time that the vowel after it takes.

Half agrees best with the sound: the opening correlates by 0.59 (none 0.56, all 0.58).
"""
CLOSED_BELOW = 0.02
"""An opening smaller than this is drawn as none: a third of a pixel at 512 px."""

_REST = TARGETS[Viseme.REST]

TimedPhoneme = tuple[str, float, float]
"""Symbol, start and end in seconds from the segment's first sample."""


@dataclass(slots=True)
class _Sound:
    start_s: float
    end_s: float
    target: Target


class MouthTrack:
    """The mouth of one segment of speech, growing while the segment is synthesised."""

    def __init__(self) -> None:
        self._sounds: list[_Sound] = []
        self._starts: list[float] = []
        self._last_start_s = -1.0
        self._end_s = 0.0
        self._stressed_from_s: float | None = None

    @property
    def end_s(self) -> float:
        """Where the known phonemes end; 0 before the first."""
        return self._end_s

    def extend(self, phonemes: Iterable[TimedPhoneme]) -> None:
        """Append phonemes in order of time; those already known are passed over.

        Args:
            phonemes: Seconds from the segment's first sample; either only the new ones or the
                whole segment so far.
        """
        for symbol, start_s, end_s in phonemes:
            if start_s <= self._last_start_s and end_s <= self._end_s:
                continue
            self._last_start_s = start_s
            self._end_s = max(self._end_s, end_s)
            if symbol == LONGER and self._sounds:
                self._sounds[-1].end_s = end_s
                continue
            if symbol in STRESS:
                self._stressed_from_s = end_s - (end_s - start_s) * STRESS_TO_VOWEL
                continue
            if self._stressed_from_s is not None:
                start_s = min(start_s, self._stressed_from_s)
                self._stressed_from_s = None
            match mouths_of(symbol):
                case (only,):
                    self._add(only, start_s, end_s)
                case (first, second):
                    middle_s = start_s + (end_s - start_s) * DIPHTHONG_FIRST
                    self._add(first, start_s, middle_s)
                    self._add(second, middle_s, end_s)
                case _:
                    pass

    def at(self, t_s: float) -> MouthPose:
        """Return the mouth at ``t_s`` seconds into the segment."""
        if not self._sounds:
            return CLOSED
        first = max(0, bisect.bisect_left(self._starts, t_s - REACH_S) - 1)
        last = bisect.bisect_right(self._starts, t_s + REACH_S)
        near = self._sounds[first:last]
        if first == 0:
            near.append(_Sound(start_s=-math.inf, end_s=self._starts[0], target=_REST))
        if last == len(self._sounds):
            near.append(_Sound(start_s=self._sounds[-1].end_s, end_s=math.inf, target=_REST))
        pose = blend((_pull(sound, t_s), sound.target.pose) for sound in near)
        return CLOSED if max(pose.open, pose.press) < CLOSED_BELOW else pose

    def _add(self, viseme: Viseme, start_s: float, end_s: float) -> None:
        if self._sounds and start_s - self._sounds[-1].end_s > PAUSE_S:
            self._append(_REST, self._sounds[-1].end_s, start_s)
        self._append(TARGETS[viseme], start_s, end_s)

    def _append(self, target: Target, start_s: float, end_s: float) -> None:
        self._sounds.append(_Sound(start_s=start_s, end_s=end_s, target=target))
        self._starts.append(start_s)


def _pull(sound: _Sound, t_s: float) -> float:
    """Return how strongly ``sound`` shapes the mouth at ``t_s``.

    A strong sound fades faster in proportion, or one "b" would keep a whole word shut.
    """
    strength = sound.target.strength
    half_lives = max(
        0.0,
        (sound.start_s - t_s) / BEFORE_HALF_LIFE_S,
        (t_s - sound.end_s) / AFTER_HALF_LIFE_S,
    )
    return float(strength * 0.5 ** (half_lives * strength**LOCALITY))
