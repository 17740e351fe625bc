"""How much of a segment was heard, given what was said and which of it was played. Pure.

There is no branch that falls back to the full text: words count because their sound is covered.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from agent.speech.alignment import speakable, typography
from agent.speech.coverage import Coverage
from trail.events.delivery import CutBy, DeliveryState, SegmentVoiced, VoicedWord

WORD_END_TOLERANCE_S: Final = 0.05
"""A word counts although this much of its end was not played: one frame of the room's sink."""
LOST_SHARE_AT_MOST: Final = 0.5
"""A word of which more than this share fell into a gap was not heard, and the heard text ends
before it. Pausing and resuming drops up to 0.2 s of queued audio, measured: about half a word."""
VOICE_TIMES_ERROR_S: Final = 0.16
"""Largest error of a cut by the voice's own word times, measured over five cuts."""
ESTIMATE_ERROR_S: Final = 0.64
"""Largest error of a cut by estimate, measured over the same five cuts."""


class Stop(StrEnum):
    """Why the heard text ends where it ends."""

    END = "end"
    """Everything that the voice said was heard."""
    CUT = "cut"
    """The sound ended there."""
    GAP = "gap"
    """A word was dropped on the way."""
    UNVOICED = "unvoiced"
    """The text goes on with words that the voice never said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What was heard of a segment."""

    state: DeliveryState
    heard_chars: int
    saying_chars: int
    """End of the word during which the sound ended; at least ``heard_chars``."""
    heard_s: float
    cut_by: CutBy
    error_s: float
    stop: Stop


def judge(
    text: str, sentences: Sequence[SegmentVoiced], covered: Coverage, *, complete: bool
) -> Judgement:
    """Judge a segment.

    Args:
        text: The generated text so far.
        sentences: What the voice made of it, in order.
        covered: Which of its sound was played.
        complete: Generation has ended, so that ``text`` will not grow any more.
    """
    chars, stop, at = _prefix(text, sentences, covered)
    of_s = sentences[-1].start_s + sentences[-1].duration_s if sentences else 0.0
    limit_s = at.start_s if stop is Stop.GAP and at is not None else of_s
    heard_s = covered.within_s(0.0, limit_s)
    wordless = not any(sentence.words for sentence in sentences)
    if stop is Stop.END and wordless and covered.edge_s < of_s - WORD_END_TOLERANCE_S:
        stop = Stop.CUT
    state = _state(chars, stop, heard_s, complete=complete, wordless=wordless)
    if state is DeliveryState.FULL and typography(text[chars:]):
        chars = len(text)
    cut_by, error_s = _located(stop, at, state)
    saying = at.chars_to if at and stop is Stop.CUT and at.start_s <= covered.edge_s else chars
    return Judgement(
        state=state,
        heard_chars=chars,
        saying_chars=max(saying, chars),
        heard_s=heard_s,
        cut_by=cut_by,
        error_s=error_s,
        stop=stop,
    )


def _prefix(
    text: str, sentences: Sequence[SegmentVoiced], covered: Coverage
) -> tuple[int, Stop, VoicedWord | None]:
    """Return the heard characters, why they end, and the first word not heard."""
    chars, reached = 0, 0
    for sentence in sentences:
        if speakable(text[reached : sentence.chars_from]):
            return chars, Stop.UNVOICED, None
        for word in sentence.words:
            if word.end_s > covered.edge_s + WORD_END_TOLERANCE_S or not covered.runs:
                return chars, Stop.CUT, word
            if _dropped(word, covered):
                return chars, Stop.GAP, word
            chars = word.chars_to
        reached = sentence.chars_to
    return chars, Stop.UNVOICED if speakable(text[reached:]) else Stop.END, None


def _dropped(word: VoicedWord, covered: Coverage) -> bool:
    length_s = word.end_s - word.start_s
    lost_s = length_s - covered.within_s(word.start_s, word.end_s)
    return lost_s > max(WORD_END_TOLERANCE_S, LOST_SHARE_AT_MOST * length_s)


def _state(
    chars: int, stop: Stop, heard_s: float, *, complete: bool, wordless: bool
) -> DeliveryState:
    if heard_s <= 0.0 or (chars == 0 and not wordless):
        return DeliveryState.NONE
    if stop is Stop.END and complete:
        return DeliveryState.FULL
    return DeliveryState.PARTIAL


def _located(stop: Stop, at: VoicedWord | None, state: DeliveryState) -> tuple[CutBy, float]:
    if at is None or state is DeliveryState.NONE or stop not in (Stop.CUT, Stop.GAP):
        return CutBy.NOTHING, 0.0
    if at.estimated:
        return CutBy.ESTIMATE, ESTIMATE_ERROR_S
    return CutBy.VOICE_TIMES, VOICE_TIMES_ERROR_S
