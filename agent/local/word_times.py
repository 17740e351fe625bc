"""From phoneme times to the times of the words as they were written.

The voice reads a normalised text ("7:30" becomes "seven thirty"). Words that both texts share are
matched; where they differ, the written words of the stretch share its time by their length.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher


@dataclass(frozen=True, slots=True)
class Timed:
    """Something said, with seconds from the first sample; start_s <= end_s."""

    text: str
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class ReadWord:
    """One word of the normalised text; without times if it has no sound."""

    text: str
    span: tuple[float, float] | None


def written_word_times(written: Sequence[str], read: Sequence[ReadWord]) -> tuple[Timed, ...]:
    """Return the written words that were said, in order, with times that never run backwards.

    Args:
        written: The words of the text, without spaces.
        read: The words of the normalised text in order, as the voice timed them.
    """
    match = SequenceMatcher(None, list(written), [word.text for word in read], autojunk=False)
    said: list[Timed] = []
    for kind, from_w, to_w, from_r, to_r in match.get_opcodes():
        texts = written[from_w:to_w]
        stretch = read[from_r:to_r]
        if kind == "equal" or len(texts) == len(stretch):
            said += [
                Timed(text, *word.span)
                for text, word in zip(texts, stretch, strict=True)
                if word.span is not None
            ]
        elif texts and (spans := [word.span for word in stretch if word.span is not None]):
            said += _shared(texts, spans[0][0], spans[-1][1])
        elif said and not texts and (spans := [w.span for w in stretch if w.span is not None]):
            last = said.pop()
            said.append(Timed(last.text, last.start_s, max(last.end_s, spans[-1][1])))
    return tuple(_in_order(said))


def _shared(texts: Sequence[str], start_s: float, end_s: float) -> list[Timed]:
    letters = sum(len(text) for text in texts)
    out: list[Timed] = []
    begin_s, before = start_s, 0
    for text in texts:
        before += len(text)
        stop_s = min(end_s, start_s + (end_s - start_s) * before / letters)
        out.append(Timed(text, begin_s, stop_s))
        begin_s = stop_s
    return out


def _in_order(words: Sequence[Timed]) -> list[Timed]:
    out: list[Timed] = []
    reached = 0.0
    for word in words:
        start = max(word.start_s, reached)
        reached = max(word.end_s, start)
        out.append(Timed(word.text, start, reached))
    return out
