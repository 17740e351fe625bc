"""Speaks for the people of the tests, and writes down what their recordings say."""

import io
import re
import wave
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agent.local.model_fetch import obtain
from agent.local.model_lock import Role, load_lock
from agent.local.recogniser import Recogniser
from agent.local.synthesiser import RATE_HZ, Synthesiser
from config.load import load_settings

LEAD_S = 0.1
TAIL_S = 0.3
PEOPLE_PITCH = 0.72
"""People speak lower than the avatar, so that a recording tells them apart."""


class Voices:
    """One voice and one pair of ears outside the house."""

    def __init__(self) -> None:
        self._voice = Synthesiser.load(model_path("tts"))
        self._ears = Recogniser.load(model_path("stt"), threads=2)
        self._said: dict[str, bytes] = {}

    def wav(self, text: str) -> bytes:
        """Return ``text`` spoken, as a 24 kHz WAV file."""
        if text not in self._said:
            parts = [self._voice.speak(s, pitch=PEOPLE_PITCH).pcm for s in _sentences(text)]
            lead = np.zeros(int(LEAD_S * RATE_HZ), np.int16)
            rest = np.zeros(int(TAIL_S * RATE_HZ), np.int16)
            self._said[text] = wav_of(np.concatenate([lead, *parts, rest]), RATE_HZ)
        return self._said[text]

    def seconds(self, text: str) -> float:
        """Return how long ``text`` takes to say."""
        return (len(self.wav(text)) - 44) / 2 / RATE_HZ

    def transcribed(self, pcm: NDArray[np.int16], rate_hz: int) -> str:
        """Return the words of a recording."""
        step = rate_hz // 16_000
        mono = pcm[: len(pcm) // step * step].astype(np.float32) / 32_768
        return self._ears.transcribe(mono.reshape(-1, step).mean(1)).text


def model_path(role: Role) -> Path:
    """Return the tiny model that fills ``role``, fetched if need be."""
    return obtain(load_lock(), role, "tiny", load_settings().cache_dir).path


def wav_of(pcm: NDArray[np.int16], rate_hz: int) -> bytes:
    """Return a WAV file of mono samples."""
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate_hz)
        out.writeframes(pcm.tobytes())
    return file.getvalue()


def words(text: str) -> list[str]:
    """Return the words of a text, as they compare."""
    return re.findall(r"[a-z0-9']+", text.lower())


def agreement(said: str, heard: str) -> float:
    """Return which share of the words of ``said`` stand in ``heard`` in the same order, 0..1."""
    a, b = words(said), words(heard)
    if not a:
        return 1.0 if not b else 0.0
    row = [0] * (len(b) + 1)
    for left in a:
        before = row[:]
        for index, right in enumerate(b, start=1):
            row[index] = (
                before[index - 1] + 1 if left == right else max(before[index], row[index - 1])
            )
    return row[-1] / len(a)


def loud_stretches(pcm: NDArray[np.int16], rate_hz: int) -> list[tuple[float, float]]:
    """Return when a recording is not silent, as ``(from_s, to_s)``, gaps under 0.4 s bridged."""
    hop = rate_hz // 50
    frames = pcm[: len(pcm) // hop * hop].reshape(-1, hop).astype(float)
    loud = np.flatnonzero(np.sqrt((frames**2).mean(1)) > 150)
    stretches: list[tuple[float, float]] = []
    for at_s in loud / 50:
        if stretches and at_s - stretches[-1][1] < 0.4:
            stretches[-1] = (stretches[-1][0], at_s + 0.02)
        else:
            stretches.append((at_s, at_s + 0.02))
    return stretches


def _sentences(text: str) -> list[str]:
    return re.findall(r"[^.!?]+[.!?]*", text)
