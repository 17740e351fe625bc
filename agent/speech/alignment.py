"""Which characters of a generated text sound when.

A voice knows the words it said and when; the generated text also has markdown, emoji and words
in another spelling ("$5" is spoken as "five dollars"). This module lays the one on the other.
Text that the voice passed over gets no time of its own.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate, pairwise
from math import isfinite
from typing import Final

from trail.events.delivery import VoicedWord

_WITHOUT_SPACES: Final = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""Scripts written without spaces (kana, Han): each character stands for a word."""
_TOKEN: Final = re.compile(rf"[{_WITHOUT_SPACES}]|[^\s{_WITHOUT_SPACES}]+")

CHARS_PER_S_AT_MOST: Final = 30.0
"""No voice speaks faster (about 15 is usual): text that would have needed more was passed over."""

CHARS_PER_S_UNFINISHED: Final = 12.0
"""Letters and digits a second, on the slow side of usual, where a sentence's sound was cut off
while it was being made, so that its full length is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedWord:
    """One word as the voice gives it; seconds from the first sample of its *sentence*."""

    text: str
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class _Token:
    end: int
    key: str


def speakable(text: str) -> bool:
    """Tell whether ``text`` has anything to say: a letter or a digit."""
    return any(char.isalnum() for char in text)


def typography(text: str) -> bool:
    """Tell whether ``text`` is only spacing, punctuation and markup, so that nobody misses it."""
    return not any(unicodedata.category(char) in _SHOWN or char.isalnum() for char in text)


_SHOWN: Final = frozenset({"So", "Cn", "Co"})
"""Unicode categories of emoji and other pictures."""


def voiced_words(
    text: str,
    chars: tuple[int, int],
    *,
    start_s: float,
    duration_s: float,
    words: Sequence[TimedWord] = (),
    whole: bool = True,
) -> tuple[VoicedWord, ...]:
    """Return when each spoken word of ``text[chars[0]:chars[1]]`` sounds.

    Args:
        text: The generated text so far.
        chars: The sentence that was given to the voice.
        start_s: Where the sentence's sound begins, seconds from the segment's first sample.
        duration_s: Length of the sentence's sound.
        words: The voice's own times. Where there are none, or they make no sense, times are
            estimated by characters.
        whole: The sound is of the whole sentence; otherwise it was cut off while being made, and
            text is left out that its length cannot hold.

    Returns:
        Ordered by characters and by time, times from the segment's first sample.
    """
    tokens = [token for token in _tokens(text, chars) if token.key]
    spoken = [word for word in words if _key(word.text)]
    if spoken and _sensible(spoken):
        timed = list(_laid_on(tokens, spoken, duration_s, whole=whole))
    elif whole:
        timed = list(_spread(tokens, 0.0, duration_s))
    else:
        length_s = sum(len(token.key) + 1 for token in tokens) / CHARS_PER_S_UNFINISHED
        timed = [
            word
            for word in _spread(tokens, 0.0, max(length_s, duration_s))
            if word.end_s <= duration_s
        ]
    ends = accumulate((min(word.end_s, duration_s) for word in timed), max)
    return tuple(
        VoicedWord(
            chars_to=word.chars_to,
            start_s=start_s + min(max(word.start_s, 0.0), end_s),
            end_s=start_s + end_s,
            estimated=word.estimated,
        )
        for word, end_s in zip(timed, ends, strict=True)
    )


def _tokens(text: str, chars: tuple[int, int]) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text, *chars):
        yield _Token(match.end(), _key(match.group()))


def _key(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in folded if char.isalnum())


def _laid_on(
    tokens: Sequence[_Token], words: Sequence[TimedWord], duration_s: float, *, whole: bool
) -> Iterator[VoicedWord]:
    matcher = SequenceMatcher(
        None, [_key(word.text) for word in words], [token.key for token in tokens], autojunk=False
    )
    for tag, words_from, words_to, tokens_from, tokens_to in matcher.get_opcodes():
        some_words, some_tokens = words[words_from:words_to], tokens[tokens_from:tokens_to]
        if tag == "delete":
            continue
        if tag == "insert":
            begin_s = words[words_from - 1].end_s if words_from else 0.0
            end_s = words[words_from].start_s if words_from < len(words) else duration_s
            unfinished = words_from == len(words) and not whole
            if not unfinished and _sayable(some_tokens, end_s - begin_s):
                yield from _spread(some_tokens, begin_s, end_s)
        elif len(some_words) == len(some_tokens):
            for token, word in zip(some_tokens, some_words, strict=True):
                yield _timed(token, word.start_s, word.end_s, estimated=False)
        elif len(some_tokens) == 1:
            yield _timed(
                some_tokens[0], some_words[0].start_s, some_words[-1].end_s, estimated=False
            )
        else:
            yield from _spread(some_tokens, some_words[0].start_s, some_words[-1].end_s)


def _sensible(words: Sequence[TimedWord]) -> bool:
    """Tell whether a voice's times can be meant: they are numbers, and time runs forward."""
    times = [time_s for word in words for time_s in (word.start_s, word.end_s)]
    starts = [word.start_s for word in words]
    return (
        all(isfinite(time_s) for time_s in times)
        and all(word.start_s <= word.end_s for word in words)
        and all(earlier <= later for earlier, later in pairwise(starts))
    )


def _sayable(tokens: Sequence[_Token], seconds: float) -> bool:
    return seconds * CHARS_PER_S_AT_MOST >= sum(len(token.key) for token in tokens)


def _spread(tokens: Sequence[_Token], begin_s: float, end_s: float) -> Iterator[VoicedWord]:
    weights = [len(token.key) + 1 for token in tokens]
    total = sum(weights)
    said = 0
    for token, weight in zip(tokens, weights, strict=True):
        start = begin_s + (end_s - begin_s) * said / total
        said += weight
        finish = end_s if said == total else begin_s + (end_s - begin_s) * said / total
        yield _timed(token, start, finish, estimated=True)


def _timed(token: _Token, start_s: float, end_s: float, *, estimated: bool) -> VoicedWord:
    return VoicedWord(chars_to=token.end, start_s=start_s, end_s=end_s, estimated=estimated)
