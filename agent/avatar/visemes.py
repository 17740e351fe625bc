"""Which mouth belongs to which sound: the symbols of the voice mapped to fifteen mouths.

The symbols are those of the Kokoro family of voices (IPA, one capital letter per diphthong,
punctuation for pauses). The fifteen mouths are the usual set of lip-sync animation.
"""

# ruff: noqa: RUF001  (letters of the phonetic alphabet, which is meant to look like this)

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum, auto

from agent.avatar.mouth import CLOSED, MouthPose


class Viseme(StrEnum):
    """A mouth that the eye can tell from the others."""

    REST = auto()
    LIPS = auto()
    """p, b, m"""
    LIP_ON_TEETH = auto()
    """f, v"""
    TONGUE_ON_TEETH = auto()
    """th"""
    TONGUE_UP = auto()
    """t, d"""
    NASAL = auto()
    """n, l"""
    BACK = auto()
    """k, g, ng, h"""
    HUSH = auto()
    """sh, ch, j"""
    HISS = auto()
    """s, z"""
    RHOTIC = auto()
    """r, er"""
    AH = auto()
    EH = auto()
    EE = auto()
    OH = auto()
    OO = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What the mouth aims at during one sound."""

    pose: MouthPose
    strength: float
    """How much of its own shape the sound insists on beside its neighbours; a vowel is 1.

    Lips must close for a "b" whatever surrounds it, while a "k" takes the shape of the next vowel.
    """


TARGETS: dict[Viseme, Target] = {
    Viseme.REST: Target(pose=CLOSED, strength=1.5),
    Viseme.LIPS: Target(pose=MouthPose(wide=-0.05, press=1.0), strength=8.0),
    Viseme.LIP_ON_TEETH: Target(pose=MouthPose(open=0.07, wide=0.1, teeth=0.9), strength=4.0),
    Viseme.TONGUE_ON_TEETH: Target(
        pose=MouthPose(open=0.2, wide=0.15, teeth=0.5, tongue=1.0), strength=2.0
    ),
    Viseme.TONGUE_UP: Target(
        pose=MouthPose(open=0.2, wide=0.15, teeth=0.55, tongue=0.6), strength=0.8
    ),
    Viseme.NASAL: Target(pose=MouthPose(open=0.24, wide=0.12, teeth=0.4, tongue=0.7), strength=0.8),
    Viseme.BACK: Target(pose=MouthPose(open=0.28, wide=0.05, teeth=0.25), strength=0.5),
    Viseme.HUSH: Target(pose=MouthPose(open=0.2, wide=-0.5, teeth=0.9), strength=2.5),
    Viseme.HISS: Target(pose=MouthPose(open=0.12, wide=0.45, teeth=1.0), strength=2.0),
    Viseme.RHOTIC: Target(pose=MouthPose(open=0.26, wide=-0.4, teeth=0.25), strength=1.2),
    Viseme.AH: Target(pose=MouthPose(open=0.92, wide=0.1, teeth=0.1), strength=1.0),
    Viseme.EH: Target(pose=MouthPose(open=0.55, wide=0.45, teeth=0.25), strength=1.0),
    Viseme.EE: Target(pose=MouthPose(open=0.3, wide=0.8, teeth=0.5), strength=1.0),
    Viseme.OH: Target(pose=MouthPose(open=0.62, wide=-0.65), strength=1.6),
    Viseme.OO: Target(pose=MouthPose(open=0.3, wide=-1.0), strength=2.0),
}

PAUSES = frozenset(";:,.!?—…")
"""Punctuation that the voice turns into silence."""

STRESS = frozenset("ˈˌ")
"""Stands before the vowel that is stressed; the voice gives it time of its own."""

GLUE = frozenset(' "“”()ʰʲ̃↓→↗↘ᵝ') | STRESS
"""Symbols without a mouth of their own: the neighbours glide through them."""

LONGER = "ː"
"""Prolongs the sound before it."""


def _table(rows: Iterable[tuple[str, tuple[Viseme, ...]]]) -> dict[str, tuple[Viseme, ...]]:
    return {symbol: visemes for symbols, visemes in rows for symbol in symbols}


SOUNDS: dict[str, tuple[Viseme, ...]] = _table(
    (
        ("pbmɸβ", (Viseme.LIPS,)),
        ("fvʋ", (Viseme.LIP_ON_TEETH,)),
        ("θð", (Viseme.TONGUE_ON_TEETH,)),
        ("tdTɾɽʈɖʔ", (Viseme.TONGUE_UP,)),
        ("nlɳɲʎ", (Viseme.NASAL,)),
        ("kɡghŋqcxχɣɟɴʁʝçɰ", (Viseme.BACK,)),
        ("ʃʒʧʤɕʂʥʨꭧS", (Viseme.HUSH,)),
        ("szʦʣ", (Viseme.HISS,)),
        ("ɹrɻɚɜ", (Viseme.RHOTIC,)),
        ("aɑɐæʌ", (Viseme.AH,)),
        ("ɛeəᵊɘœø", (Viseme.EH,)),
        ("iɪᵻɨjyɯ", (Viseme.EE,)),
        ("ɔoɒɤ", (Viseme.OH,)),
        ("uʊwɥ", (Viseme.OO,)),
        ("A", (Viseme.EH, Viseme.EE)),
        ("I", (Viseme.AH, Viseme.EE)),
        ("O", (Viseme.OH, Viseme.OO)),
        ("Q", (Viseme.EH, Viseme.OO)),
        ("W", (Viseme.AH, Viseme.OO)),
        ("Y", (Viseme.OH, Viseme.EE)),
    )
)
"""Symbol → its mouth, or for a diphthong its two mouths in order."""

UNKNOWN = (Viseme.BACK,)
"""A symbol of another alphabet: something is being said, so the mouth is a little open."""


def mouths_of(symbol: str) -> tuple[Viseme, ...]:
    """Return the mouths of one symbol in order; none where the neighbours glide through it."""
    if symbol in SOUNDS:
        return SOUNDS[symbol]
    if symbol in PAUSES:
        return (Viseme.REST,)
    if symbol in GLUE or symbol == LONGER or not symbol:
        return ()
    return UNKNOWN
