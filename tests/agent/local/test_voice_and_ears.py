"""The real voice and the real ears, one heard by the other."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray

from agent.local.recogniser import Recogniser
from agent.local.synthesiser import RATE_HZ, Spoken, Synthesiser
from tests.models import SPEECH, agreement, for_ears
from trail.errors import DependencyUnavailable

SENTENCES = (
    "What is the capital of Portugal?",
    "My name is Ada and I live near the harbour.",
    "The train to the city leaves at seven in the morning.",
    "Please tell me a long story about the sea and the old lighthouse.",
)
ODD = "The meeting is at 7:30 pm, costs $9.99 and Dr. Smith comes 5 km on foot — really!"


@pytest.mark.parametrize("sentence", SENTENCES)
def test_what_the_voice_says_is_what_the_ears_hear(
    sentence: str, synthesiser: Synthesiser, recogniser: Recogniser
) -> None:
    heard = recogniser.transcribe(for_ears(synthesiser.speak(sentence).pcm))

    assert agreement(sentence, heard.text) >= 0.8
    assert heard.confidence > 0.3


@pytest.mark.parametrize("sentence", [*SENTENCES, ODD, "word, " * 300])
def test_word_and_phoneme_times_run_forward_inside_the_sound(
    sentence: str, synthesiser: Synthesiser
) -> None:
    spoken = synthesiser.speak(sentence)

    for timed in (spoken.words, spoken.phonemes):
        starts = [item.start_s for item in timed]
        assert starts == sorted(starts)
        assert all(0 <= item.start_s <= item.end_s <= spoken.duration_s for item in timed)


def test_given_numbers_and_abbreviations_when_spoken_then_the_words_are_the_written_ones(
    synthesiser: Synthesiser,
) -> None:
    spoken = synthesiser.speak(ODD)

    assert [word.text for word in spoken.words] == [w for w in ODD.split() if w != "—"]


def test_given_markup_when_spoken_then_the_words_are_what_was_said(
    synthesiser: Synthesiser,
) -> None:
    spoken = synthesiser.speak("**Look** at 😀 https://www.example.com/a?b=c now")

    assert [word.text for word in spoken.words] == ["Look", "at", "example.com", "now"]


def test_given_nothing_to_say_when_spoken_then_there_is_no_sound(synthesiser: Synthesiser) -> None:
    spoken = synthesiser.speak("😀 …")

    assert (spoken.pcm.size, spoken.words, spoken.phonemes) == (0, (), ())


def test_the_sound_begins_at_once_and_words_are_where_it_is_loud(synthesiser: Synthesiser) -> None:
    spoken = synthesiser.speak("Cats, dogs, parrots, bees, goats, and cows, too.")

    words = np.zeros(len(spoken.pcm), bool)
    for word in spoken.words:
        words[int(word.start_s * RATE_HZ) : int(word.end_s * RATE_HZ)] = True
    assert spoken.words[0].start_s < 0.1
    assert loudness(spoken.pcm[words]) > 4 * loudness(spoken.pcm[~words])


def test_given_a_slower_and_lower_manner_when_spoken_then_it_is_longer_and_lower(
    synthesiser: Synthesiser,
) -> None:
    plain = synthesiser.speak(SENTENCES[1])
    slow = synthesiser.speak(SENTENCES[1], speed=0.8, pitch=0.7)

    assert slow.duration_s > 1.1 * plain.duration_s
    assert pitch_hz(slow) < 0.85 * pitch_hz(plain)


@pytest.mark.parametrize("kind", ["silence", "hiss", "hum", "tone", "cough"])
def test_given_sound_without_words_when_heard_then_there_is_no_text(
    kind: str, recogniser: Recogniser
) -> None:
    at_s = np.arange(32_000) / 16_000
    dice = np.random.default_rng(1)
    sound = {
        "silence": np.zeros(32_000),
        "hiss": dice.normal(0, 0.05, 32_000),
        "hum": 0.2 * np.sin(2 * np.pi * 50 * at_s),
        "tone": 0.2 * np.sin(2 * np.pi * 440 * at_s),
        "cough": dice.normal(0, 0.3, 32_000) * np.exp(-at_s * 12),
    }[kind]

    assert recogniser.transcribe(sound.astype(np.float32)).text == ""


@pytest.mark.skipif(not SPEECH.exists(), reason="recorded speech is not on this machine")
@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("livekit_weather_question.wav", "what is the weather in paris"),
        (
            "jfk.flac",
            "and so my fellow americans ask not what your country can do for you ask what you can "
            "do for your country",
        ),
    ],
)
def test_recorded_speech_is_understood(file: str, text: str, recogniser: Recogniser) -> None:
    samples, rate_hz = soundfile.read(SPEECH / file, dtype="int16", always_2d=True)

    heard = recogniser.transcribe(for_ears(samples[:, 0], rate_hz))

    assert agreement(text, heard.text) >= 0.9


def test_given_several_rooms_at_once_when_they_speak_and_hear_then_they_do_not_mix(
    synthesiser: Synthesiser, recogniser: Recogniser
) -> None:
    def said_and_heard(sentence: str) -> str:
        return recogniser.transcribe(for_ears(synthesiser.speak(sentence).pcm)).text

    alone = [said_and_heard(sentence) for sentence in SENTENCES]
    with ThreadPoolExecutor(4) as rooms:
        together = list(rooms.map(said_and_heard, SENTENCES))

    assert together == alone


@pytest.mark.parametrize("engine", [Recogniser, Synthesiser])
def test_given_a_file_that_is_no_model_when_loaded_then_the_error_names_it(
    engine: type[Recogniser] | type[Synthesiser], tmp_path: Path
) -> None:
    broken = tmp_path / "model.bin"
    broken.write_bytes(b"not a model")

    with pytest.raises(DependencyUnavailable, match=str(tmp_path)):
        engine.load(broken if engine is Synthesiser else tmp_path)


def loudness(pcm: NDArray[np.int16]) -> float:
    return float(np.sqrt(np.mean(pcm.astype(float) ** 2)))


def pitch_hz(spoken: Spoken) -> float:
    """Return the median pitch of the loud stretches, by autocorrelation."""
    found: list[float] = []
    for begin in range(0, len(spoken.pcm) - 2_400, 1_200):
        frame = spoken.pcm[begin : begin + 2_400].astype(float)
        if loudness(spoken.pcm[begin : begin + 2_400]) < loudness(spoken.pcm):
            continue
        likeness = np.correlate(frame, frame, "full")[len(frame) :]
        lag = 60 + int(np.argmax(likeness[60:300]))
        found.append(RATE_HZ / lag)
    return float(np.median(found))
