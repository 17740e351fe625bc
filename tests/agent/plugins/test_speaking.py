"""The streaming voice."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from livekit.agents import tts
from livekit.agents.types import USERDATA_TIMED_TRANSCRIPT

from agent.local.synthesiser import Synthesiser
from agent.worker.plugins.speaking import LocalTTS, SpokenWord

pytestmark = pytest.mark.anyio
TEXT = "Hello there, my friend. How are you today? I hope that you are well."


Collected = tuple[float, list[tuple[float, SpokenWord]]]
Way = Callable[[LocalTTS, str], Awaitable[Collected]]


async def collected(
    stream: tts.SynthesizeStream | tts.ChunkedStream,
) -> Collected:
    """Return seconds of sound, and the words with the position of the sound they came with."""
    length_s = 0.0
    words: list[tuple[float, SpokenWord]] = []
    async for event in stream:
        for word in event.frame.userdata.get(USERDATA_TIMED_TRANSCRIPT, []):
            assert isinstance(word, SpokenWord)
            words.append((length_s, word))
        length_s += event.frame.duration
    return length_s, words


async def written(voice: LocalTTS, text: str) -> Collected:
    async with voice.stream() as stream:
        for letter in text:
            stream.push_text(letter)
        stream.end_input()
        return await collected(stream)


async def whole(voice: LocalTTS, text: str) -> Collected:
    async with voice.synthesize(text) as stream:
        return await collected(stream)


@pytest.mark.parametrize("way", [written, whole])
async def test_words_come_before_their_sound_with_times_inside_it(
    way: Way, synthesiser: Synthesiser
) -> None:
    length_s, words = await way(LocalTTS(synthesiser), TEXT)

    reached_s = 0.0
    assert "".join(word for _, word in words).split() == TEXT.split()
    for at_s, word in words:
        assert isinstance(word.start_time, float)
        assert isinstance(word.end_time, float)
        assert word.start_time >= reached_s
        reached_s = word.end_time
        assert at_s <= word.start_time + 0.05
        assert word.start_time <= word.end_time <= length_s


async def test_every_word_carries_its_phonemes_on_the_same_time_line(
    synthesiser: Synthesiser,
) -> None:
    length_s, words = await written(LocalTTS(synthesiser), TEXT)

    phonemes = [phoneme for _, word in words for phoneme in word.phonemes]
    starts = [start for _, start, _ in phonemes]
    assert starts == sorted(starts)
    assert phonemes[-1][2] <= length_s
    for _, word in words:
        assert isinstance(word.start_time, float)
        assert any(abs(start - word.start_time) < 0.01 for _, start, _ in word.phonemes)


@pytest.mark.parametrize("text", ["😀", "…", "**"])
async def test_given_nothing_to_say_when_spoken_then_there_is_a_breath_and_no_word(
    text: str, synthesiser: Synthesiser
) -> None:
    for way in (written, whole):
        length_s, words = await way(LocalTTS(synthesiser), text)

        assert 0 < length_s < 0.1
        assert words == []


async def test_given_a_sentence_whose_end_is_known_when_more_is_to_come_then_it_is_spoken(
    synthesiser: Synthesiser,
) -> None:
    async with LocalTTS(synthesiser).stream() as stream:
        stream.push_text("The capital is Lisbon. And")

        async with asyncio.timeout(60):
            first = await anext(stream)

        assert first.frame.duration > 0
        assert not first.is_final


async def test_given_a_character_that_speaks_slowly_when_spoken_then_it_takes_longer(
    synthesiser: Synthesiser,
) -> None:
    plain, _ = await whole(LocalTTS(synthesiser), TEXT)
    slow, _ = await whole(LocalTTS(synthesiser, speed=0.8), TEXT)

    assert slow > 1.1 * plain
