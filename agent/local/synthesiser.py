"""The voice: sound of one sentence with the times of its words and phonemes.

The network predicts durations, pitch and spectra apart from each other, so pitch, its range and
the speed can be changed per sentence, and the durations are tapped to know when each phoneme
sounds. Loaded once, shared by all rooms.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, cast

import hibari
import numpy as np
import onnxruntime
from hibari import dsp, g2p
from numpy.typing import NDArray

from agent.local.onnx_tap import tapped
from agent.local.speakable import speakable
from agent.local.word_times import ReadWord, Timed, written_word_times
from trail.errors import DependencyUnavailable

RATE_HZ = 24_000
DURATIONS = "/Clip_output_0"
"""The graph's value with the duration of each symbol, in units of 25 ms."""
LEAD_S = 0.04
"""The predicted durations run late by this: at pauses the sound then begins and ends within 20 ms
of the word (24 edges in 6 sentences; the 75 ms of the model's family were 30 to 40 ms early)."""
VOICED_HZ = 40.0
AFTER_VOICE_S = 0.05
"""A last vowel does not outlast its voicing by more than this."""
AUDIBLE = 0.02
"""Part of the loudest sample from which sound counts as begun."""
ONSET_S = 0.03
"""Kept before the sound begins; the network itself waits 0.25 s, which would delay every answer."""
SYMBOLS_AT_ONCE = 400
"""Longer sentences are spoken in stretches cut at punctuation."""
_SILENT = frozenset(' ;:,.!?—…"“”()ˈˌː')
_PAUSES = frozenset(";:,.!?—…")
_dsp: Any = dsp
_g2p: Any = g2p
_runtime: Any = onnxruntime


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """The sound of a sentence; everything is empty if there was nothing to say."""

    pcm: NDArray[np.int16]
    """Mono, 24 kHz."""
    words: tuple[Timed, ...]
    """The words that were said, as they were written, without spaces."""
    phonemes: tuple[Timed, ...]
    """Symbols of the voice's alphabet, pauses included."""

    @property
    def duration_s(self) -> float:
        """Seconds of sound."""
        return len(self.pcm) / RATE_HZ


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Tokens that the network sees at once."""

    texts: list[str]
    symbols: list[list[str]]


class Synthesiser:
    """Thread-safe and blocking: 10 to 40 ms for a sentence."""

    def __init__(self, voice: Any, session: Any) -> None:
        self._voice = voice
        self._session = session
        self._reading = threading.Lock()

    @classmethod
    def load(cls, path: Path, *, threads: int = 1) -> Self:
        """Load the voice's network from ``path``.

        Raises:
            DependencyUnavailable: The file is not a voice that can be loaded.
        """
        options = _runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = threads
        options.log_severity_level = 3
        engine: Any = hibari.Hibari
        try:
            voice = engine(model=str(path), threads=threads)
            session = _runtime.InferenceSession(
                tapped(path.read_bytes(), DURATIONS), options, providers=["CPUExecutionProvider"]
            )
        except (RuntimeError, ValueError, OSError) as error:
            raise DependencyUnavailable("tts", f"{path} cannot be loaded: {error}") from error
        except Exception as error:
            raise DependencyUnavailable("tts", f"{path} cannot be loaded: {error}") from error
        loaded = cls(voice, session)
        loaded.speak("Ready.")
        return loaded

    def speak(
        self,
        sentence: str,
        *,
        pitch: float = 1.0,
        speed: float = 1.0,
        pitch_range: float = 1.0,
        gain: float = 1.0,
    ) -> Spoken:
        """Return the sound of ``sentence``.

        Args:
            sentence: As written; markup, emoji and addresses are reduced to what can be said.
            pitch: Factor on the mean pitch; 0.6..1.4 sounds human.
            speed: Factor on the pace, 0.5..2.
            pitch_range: Factor on how far the pitch moves from its mean.
            gain: Factor on the amplitude; what exceeds full scale is clipped.
        """
        said = speakable(sentence)
        sound: list[NDArray[np.float32]] = []
        read: list[ReadWord] = []
        phonemes: list[Timed] = []
        offset = 0.0
        for stretch in self._stretches(said) if said else ():
            symbols = [symbol for token in stretch.symbols for symbol in token]
            wave, times = self._sound(symbols, pitch, speed, pitch_range)
            idle = 0 if sound else _idle_samples(wave)
            wave = wave[idle:]
            shift = offset - idle / RATE_HZ
            timed = [
                Timed(symbol, max(0.0, start + shift), max(0.0, end + shift))
                for symbol, (start, end) in zip(symbols, times, strict=True)
            ]
            read += _read_words(stretch, timed)
            phonemes += timed
            sound.append(wave)
            offset += len(wave) / RATE_HZ
        samples = np.concatenate(sound) if sound else np.zeros(0, np.float32)
        pcm = (np.clip(samples * gain, -1.0, 1.0) * 32767.0).astype(np.int16)
        words = written_word_times(said.split(), read)
        return Spoken(pcm=pcm, words=words, phonemes=tuple(phonemes))

    def _stretches(self, said: str) -> list[_Stretch]:
        """Return the words to read, each with its symbols, in stretches the network can take."""
        with self._reading:
            tokens: list[Any] = self._voice.g2p.phonemize_tokens(
                self._voice.g2p.tokenize(_g2p.normalize(said))
            )
        stretches = [_Stretch([], [])]
        text, symbols = "", list[str]()
        for token in tokens:
            text += token.text
            symbols += [c for c in token.phonemes or "" if c in self._voice.vocab]
            if not token.whitespace and token is not tokens[-1]:
                continue
            stretch = stretches[-1]
            if sum(map(len, stretch.symbols)) + len(symbols) > SYMBOLS_AT_ONCE:
                stretches.append(_cut(stretch))
                stretch = stretches[-1]
            stretch.texts.append(text)
            stretch.symbols.append([*symbols, " "][:SYMBOLS_AT_ONCE])
            text, symbols = "", []
        return [stretch for stretch in stretches if any(map(_sounds, stretch.symbols))]

    def _sound(
        self, symbols: Sequence[str], pitch: float, speed: float, pitch_range: float
    ) -> tuple[NDArray[np.float32], list[tuple[float, float]]]:
        vocab: dict[str, int] = self._voice.vocab
        ids = [0, *(vocab[symbol] for symbol in symbols), 0]
        *parts, durations = self._session.run(
            None,
            {"ids": np.asarray([ids], np.int64), "speed": np.asarray([speed], np.float32)},
        )
        *spectra, f0 = (cast("NDArray[np.float32]", part[0]) for part in parts)
        voiced = f0 > VOICED_HZ
        if voiced.any() and (pitch, pitch_range) != (1.0, 1.0):
            mean = float(np.exp(np.log(f0[voiced]).mean()))
            f0 = f0.copy()
            f0[voiced] = mean * pitch * (f0[voiced] / mean) ** pitch_range
        wave: NDArray[np.float32] = _dsp.synth(*spectra, f0, np.random.default_rng(0))
        hop_s = _dsp.HOP / RATE_HZ
        end_s = len(wave) / RATE_HZ
        voice_end_s = (int(np.flatnonzero(voiced).max()) + 1) * hop_s if voiced.any() else end_s
        edges = np.concatenate([[0.0], np.cumsum(np.ravel(durations))])
        edges = np.clip(edges * (end_s / edges[-1]) - LEAD_S, 0.0, end_s)
        times: list[tuple[float, float]] = []
        for index in range(len(symbols)):
            start, end = float(edges[index + 1]), float(edges[index + 2])
            times.append((start, max(start, min(end, voice_end_s + AFTER_VOICE_S))))
        return wave, times


def _idle_samples(wave: NDArray[np.float32]) -> int:
    """Return how many samples pass before the sound begins, less `ONSET_S`."""
    loud = np.flatnonzero(np.abs(wave) > AUDIBLE * float(np.abs(wave).max()))
    return max(0, int(loud[0]) - int(ONSET_S * RATE_HZ)) if loud.size else 0


def _cut(stretch: _Stretch) -> _Stretch:
    """Cut ``stretch`` after its last pause and return what comes after, to be continued."""
    pauses = [i for i, symbols in enumerate(stretch.symbols) if _PAUSES.intersection(symbols)]
    at = pauses[-1] + 1 if pauses else len(stretch.symbols)
    rest = _Stretch(stretch.texts[at:], stretch.symbols[at:])
    del stretch.texts[at:], stretch.symbols[at:]
    return rest


def _sounds(symbols: Sequence[str]) -> bool:
    return any(symbol not in _SILENT for symbol in symbols)


def _read_words(stretch: _Stretch, timed: Sequence[Timed]) -> list[ReadWord]:
    words: list[ReadWord] = []
    at = 0
    for text, symbols in zip(stretch.texts, stretch.symbols, strict=True):
        own = [phoneme for phoneme in timed[at : at + len(symbols)] if phoneme.text not in _SILENT]
        at += len(symbols)
        words.append(ReadWord(text, (own[0].start_s, own[-1].end_s) if own else None))
    return words
