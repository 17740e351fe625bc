"""Ears: text from one utterance, with Whisper on the processor.

Whisper was made for windows of 30 s. Encoding only the utterance and 3 s more gives the same words
in a sixth of the time, except that it often says them again and again. Where it plainly does, they
are taken once; what repeats in another way, runs too fast or is improbable is decoded again in the
full window. Loaded once, shared by all rooms.
"""

import re
import threading
from dataclasses import dataclass
from math import exp
from pathlib import Path
from typing import Any, Self, cast

import ctranslate2
import numpy as np
from faster_whisper import WhisperModel
from faster_whisper.tokenizer import Tokenizer
from numpy.typing import NDArray

from trail.errors import DependencyUnavailable

_ct2: Any = ctranslate2
"""The package ships no types."""
Samples = NDArray[np.float32]
"""Mono, 16 kHz, -1..1."""

RATE_HZ = 16_000
HOP_SAMPLES = 160
FULL_FRAMES = 3_000
"""Whisper's own window: 30 s of 10 ms frames."""
PAD_S = 3.0
"""1, 2, 3 and 5 s gave 4.8, 4.8, 4.7 and 4.8 % wrong words."""
SHORTEST_S = 0.1
WORDS_PER_S_AT_MOST = 5.0
REPEATED_WORDS_PER_S = 3.5
"""Nobody says the same thing over and over at this pace without a pause."""
LOGPROB_AT_LEAST = -0.9
SURE_LOGPROB = -0.5
"""Repeated words are believed from here on. Of 130 utterances (LibriSpeech, labelled clips of other
speech, LibriVox, our voice) 31 were; five differed from the full window, by a word, and were no
worse than it. They took a quarter of its time."""
TOKENS_PER_S = 8
NOISE_LOGPROB = -0.8
NOISE_PROBABILITY = 0.6
"""Whisper's own thresholds for "nothing was said" are -1.0 and 0.6; noise alone reaches -0.8."""

_TOKENS = re.compile(r"[a-z0-9']+")
_STUTTER = re.compile(r"(.{1,3})\1{4,}")
_ASIDE = re.compile(r"\[[^\]]*\]|\([^)]*\)|♪[^♪]*♪?|\*[^*]*\*")
_PHANTOMS = frozenset(
    {
        "you",
        "thank you",
        "thanks for watching",
        "thank you for watching",
        "thank you very much",
        "bye",
        "bye bye",
        "so",
        "oh",
        "the end",
        "please subscribe",
        "i'm sorry",
    }
)
"""What Whisper says about silence and hum; believed only when it is sure that somebody spoke."""
PHANTOM_NO_SPEECH = 0.3
SHOWN_CONFIDENCE = 0.3
"""Half a word is often taken for another one; such guesses score 0.04 to 0.2."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """What was understood; an empty text means that nothing was said."""

    text: str
    confidence: float
    """0..1: mean probability of the tokens."""
    no_speech: float
    """0..1: how sure the model is that nobody spoke."""


class Recogniser:
    """Thread-safe and blocking: call it from a thread, one utterance at a time per caller."""

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._turn = threading.Lock()

    @classmethod
    def load(cls, path: Path, *, threads: int = 2, language: str = "en") -> Self:
        """Load a folder with ``model.bin``, configuration, tokenizer and vocabulary.

        Raises:
            DependencyUnavailable: The folder does not hold a model that can be loaded.
        """
        try:
            model: Any = WhisperModel(
                str(path), device="cpu", compute_type="int8", cpu_threads=threads
            )
        except (RuntimeError, ValueError, OSError) as error:
            raise DependencyUnavailable("stt", f"{path} cannot be loaded: {error}") from error
        multilingual = cast("bool", model.model.is_multilingual)
        tokenizer = Tokenizer(
            model.hf_tokenizer, multilingual, task="transcribe", language=language
        )
        return cls(model, tokenizer)

    def transcribe(self, pcm: Samples) -> Recognised:
        """Return the words of one utterance (at most 30 s; what is longer is cut off)."""
        duration_s = len(pcm) / RATE_HZ
        if duration_s < SHORTEST_S:
            return Recognised(text="", confidence=0.0, no_speech=1.0)
        frames = min(FULL_FRAMES, len(pcm) // HOP_SAMPLES + int(PAD_S * 100))
        frames += frames & 1
        text, logprob, no_speech = self._decode(pcm, frames)
        if frames < FULL_FRAMES and is_suspicious(text, duration_s, logprob):
            if logprob >= SURE_LOGPROB and (once := said_once(text, duration_s)):
                text = once
            else:
                text, logprob, no_speech = self._decode(pcm, FULL_FRAMES)
        said = what_was_said(text, duration_s, logprob, no_speech)
        return Recognised(text=said, confidence=exp(min(0.0, logprob)), no_speech=no_speech)

    def _decode(self, pcm: Samples, frames: int) -> tuple[str, float, float]:
        missing = max(0, frames * HOP_SAMPLES - len(pcm))
        padded = np.concatenate([pcm, np.zeros(missing, np.float32)])
        mel: Samples = self._model.feature_extractor(padded, padding=0)[:, :frames]
        window: Any = _ct2.StorageView.from_array(np.ascontiguousarray(mel[None]))
        prompt = [*self._tokenizer.sot_sequence, self._tokenizer.no_timestamps]
        longest = min(448, int(len(pcm) / RATE_HZ * TOKENS_PER_S) + 20)
        with self._turn:
            encoded = self._model.model.encode(window)
            (result,) = self._model.model.generate(
                encoded,
                [prompt],
                beam_size=1,
                max_length=longest,
                return_scores=True,
                return_no_speech_prob=True,
            )
        text = cast("str", self._tokenizer.decode(result.sequences_ids[0])).strip()
        return text, float(result.scores[0]), float(result.no_speech_prob)


def is_suspicious(text: str, duration_s: float, logprob: float) -> bool:
    """Return whether a short-window result must be decoded again in the full window."""
    words = _TOKENS.findall(text.lower())
    return (
        len(words) > WORDS_PER_S_AT_MOST * duration_s + 3
        or _repeats(words)
        or _STUTTER.search(text) is not None
        or logprob < LOGPROB_AT_LEAST
    )


def said_once(text: str, duration_s: float) -> str:
    """Return what ``text`` repeats faster than anybody speaks, or "" if it does not.

    The last repetition may be cut off, in the middle of a word too. What Whisper says about silence
    is not believed for being repeated.
    """
    written = text.split()
    words = ["".join(_TOKENS.findall(word.lower())) for word in written]
    if len(words) <= REPEATED_WORDS_PER_S * duration_s:
        return ""
    for period in range(1, len(words) * 2 // 3 + 1):
        *again, last = words[period:]
        following = words[: len(again)]
        is_enough = len(again) + 1 >= min(3, period)
        if is_enough and again == following and words[len(again)].startswith(last):
            is_phantom = " ".join(words[:period]) in _PHANTOMS
            return "" if is_phantom else " ".join(written[:period])
    return ""


def what_was_said(text: str, duration_s: float, logprob: float, no_speech: float) -> str:
    """Return the words somebody spoke, or "" if these are what Whisper makes of noise."""
    spoken = " ".join(_ASIDE.sub(" ", text).split())
    words = _TOKENS.findall(spoken.lower())
    if not words:
        return ""
    if no_speech > NOISE_PROBABILITY and logprob < NOISE_LOGPROB:
        return ""
    if " ".join(words) in _PHANTOMS and no_speech > PHANTOM_NO_SPEECH:
        return ""
    if _STUTTER.search(spoken) or len(words) > 2 * WORDS_PER_S_AT_MOST * duration_s + 3:
        return ""
    return spoken


def is_doubtful(heard: Recognised) -> bool:
    """Return whether words of an unfinished utterance are better not shown to anybody."""
    words = _TOKENS.findall(heard.text.lower())
    return " ".join(words) in _PHANTOMS or heard.confidence < SHOWN_CONFIDENCE


def _repeats(words: list[str]) -> bool:
    triples = list(zip(words, words[1:], words[2:], strict=False))
    return len(triples) != len(set(triples))
