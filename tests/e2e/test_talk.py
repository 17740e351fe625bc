"""A person talks to the avatar: real server, real media, real browser, real ears and voice."""

import asyncio
from typing import Any

import httpx
import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.async_api import Browser, expect

from tests.e2e.house import RunningHouse
from tests.e2e.person import HEARD_RATE_HZ, Person, somebody
from tests.e2e.scripted_model import LONG_STORY, Script
from tests.e2e.voices import Voices, agreement, loud_stretches, words

SOON_MS = 60_000
MOUTH_CLOSED, MOUTH_OPEN = 3, 10
FINAL = ("full", "partial", "none", "unknown")


async def greeted(person: Person, url: str, name: str) -> None:
    """Sign in, start talking and hear the greeting to its end."""
    await person.arrive(url, name)
    await person.start()
    greeting = person.turns_of("avatar", delivery=FINAL).first
    await expect(greeting).to_be_visible(timeout=SOON_MS)


async def transcript_of(person: Person, url: str) -> list[dict[str, Any]]:
    """Return what the gateway serves of the person's newest session."""
    cookies = {c["name"]: c["value"] for c in await person.page.context.cookies()}
    async with httpx.AsyncClient(base_url=url, cookies=cookies) as client:
        sessions = (await client.get("/api/sessions")).json()["sessions"]
        answer = await client.get(f"/api/sessions/{sessions[0]['session_id']}/transcript")
    turns: list[dict[str, Any]] = answer.json()["turns"]
    return turns


async def test_given_a_spoken_question_then_a_face_answers_and_the_transcript_is_what_was_heard(
    house: RunningHouse, browser: Browser, voices: Voices
) -> None:
    async with somebody(browser) as person:
        await greeted(person, house.url, "Anna")
        before = len(await person.heard())
        still = [await person.face() for _ in range(3)]

        await person.say(voices.wav("What is the capital of Portugal?"))
        answer = person.turns_of("avatar").nth(1)
        await expect(answer).to_be_visible(timeout=SOON_MS)
        said = person.turns_of("avatar", delivery=FINAL).nth(1)
        await person.watch()
        await expect(said).to_be_visible(timeout=SOON_MS)
        talking = await person.seen()

        heard = voices.transcribed((await person.heard())[before:], HEARD_RATE_HZ)
        turns = await transcript_of(person, house.url)
        question = next(t for t in turns if t["speaker"] == "person")
        reply = [t for t in turns if t["speaker"] == "avatar"][1]
        assert agreement("What is the capital of Portugal", str(question["text"])) > 0.8
        # the small model may write words that the voice passes over
        assert agreement(str(reply["text"]), heard) >= 0.5
        assert words(str(reply["text"])) != []
        assert max(_openness(frame) for frame in still) <= MOUTH_CLOSED
        assert max(_openness(frame) for frame in talking) >= MOUTH_OPEN


async def test_given_a_barge_in_then_the_turn_ends_where_the_sound_ended(
    scripted_house: RunningHouse, browser: Browser, voices: Voices
) -> None:
    async with somebody(browser) as person:
        await greeted(person, scripted_house.url, "Bea")
        await person.say(voices.wav("Please tell me a story."))
        story = person.turns_of("avatar").nth(1)
        await expect(story.locator(".heard")).to_contain_text("keeper", timeout=SOON_MS)

        before = len(await person.heard())
        await person.say(voices.wav("Stop, wait a moment please."))
        await expect(person.turns_of("avatar", delivery=["partial"])).to_be_visible(timeout=SOON_MS)
        await person.watch()
        await expect(person.turns_of("person").nth(1)).to_be_visible(timeout=SOON_MS)
        await asyncio.sleep(0.5)
        afterwards = await person.seen()

        turns = await transcript_of(person, scripted_house.url)
        cut = next(t for t in turns if t["delivery"] and t["delivery"]["state"] == "partial")
        stop = next(t for t in turns if "moment" in str(t["text"]).lower())
        assert LONG_STORY.startswith(str(cut["text"]))
        assert str(cut["text"]) != LONG_STORY
        assert turns.index(cut) < turns.index(stop)
        everything = voices.transcribed(await person.heard(), HEARD_RATE_HZ)
        assert agreement(str(cut["text"]), everything) > 0.7
        said_last = words(str(cut["text"]))[-1]
        unsaid = words(LONG_STORY.removeprefix(str(cut["text"])))[2:6]
        assert said_last in words(everything)
        assert agreement(" ".join(unsaid), everything) < 1.0
        assert len(await person.heard()) > before
        assert min(_openness(frame) for frame in afterwards) <= MOUTH_CLOSED


async def test_given_a_typed_message_then_it_is_answered(
    scripted_house: RunningHouse, browser: Browser, script: Script, voices: Voices
) -> None:
    async with somebody(browser) as person:
        await greeted(person, scripted_house.url, "Cleo")
        before = len(await person.heard())

        await person.type("What is the capital of Portugal?")

        await expect(person.turns_of("person").first).to_contain_text("capital", timeout=SOON_MS)
        answer = person.turns_of("avatar", delivery=["full"]).nth(1)
        await expect(answer).to_contain_text("Lisbon", timeout=SOON_MS)
        heard = voices.transcribed((await person.heard())[before:], HEARD_RATE_HZ)
        assert agreement("The capital of Portugal is Lisbon.", heard) > 0.8
        assert script.requests[-1]["messages"][-1]["content"] == "What is the capital of Portugal?"


async def test_given_two_people_in_two_rooms_then_each_hears_only_their_own(
    scripted_house: RunningHouse, browser: Browser
) -> None:
    async with somebody(browser) as anna, somebody(browser) as ben:
        async with asyncio.TaskGroup() as group:
            group.create_task(greeted(anna, scripted_house.url, "Anna"))
            group.create_task(greeted(ben, scripted_house.url, "Ben"))

        await anna.type("What is the capital of Portugal?")
        await ben.type("Do you know my name?")
        for person in (anna, ben):
            await expect(person.turns_of("avatar", delivery=["full"]).nth(1)).to_be_visible(
                timeout=SOON_MS
            )

        of_anna = " ".join(turn.text for turn in await anna.turns())
        of_ben = " ".join(turn.text for turn in await ben.turns())
        assert "Lisbon" in of_anna
        assert "Lisbon" not in of_ben
        assert "remember" in of_ben
        assert "remember" not in of_anna


async def test_given_a_reload_then_the_same_session_goes_on(
    scripted_house: RunningHouse, browser: Browser
) -> None:
    async with somebody(browser) as person:
        await greeted(person, scripted_house.url, "Dora")
        await person.type("What is the capital of Portugal?")
        await expect(person.turns_of("avatar", delivery=["full"]).nth(1)).to_be_visible(
            timeout=SOON_MS
        )
        before = [turn.turn_id for turn in await person.turns()]

        await person.page.reload()
        await person.start()
        await expect(person.turns_of("person").first).to_be_visible(timeout=SOON_MS)
        await person.type("Do you know my name?")

        await expect(person.turns_of("avatar", delivery=["full"]).last).to_contain_text(
            "remember", timeout=SOON_MS
        )
        after = [turn.turn_id for turn in await person.turns()]
        assert after[: len(before)] == before


async def test_given_its_own_voice_in_the_microphone_then_it_neither_stops_nor_answers_itself(
    scripted_house: RunningHouse, browser: Browser, script: Script
) -> None:
    async with somebody(browser) as person:
        await greeted(person, scripted_house.url, "Eve")
        for gain_db in (-20, -10):
            await person.page.evaluate("gain => { window.__echoGain = gain }", 10 ** (gain_db / 20))
            asked = len(script.requests)
            count = await person.turns_of("avatar").count()

            await person.type("Tell me a story.")
            told = person.turns_of("avatar", delivery=FINAL).nth(count)
            await expect(told).to_be_visible(timeout=60_000)
            await asyncio.sleep(2)

            assert await told.get_attribute("data-delivery") == "full"
            assert len(script.requests) == asked + 1
            assert await person.turns_of("avatar").count() == count + 1


def _openness(frame: NDArray[np.uint8]) -> int:
    """Return how much of the inside of the mouth is seen: dark red pixels where it is drawn.

    Closed it is 0 or 1, half open about 10, wide open 40 (rendered, over the sway of the head).
    """
    red, green, blue = (frame[70:104, 44:86, channel].astype(int) for channel in range(3))
    return int(((red < 150) & (red > green + 30) & (red + green + blue < 260)).sum())


def test_given_two_sounds_then_loud_stretches_finds_both() -> None:
    sound = np.zeros(48_000, np.int16)
    sound[4_800:9_600] = 3_000
    sound[33_600:38_400] = 3_000

    found = loud_stretches(sound, HEARD_RATE_HZ)

    assert found == [pytest.approx((0.1, 0.2)), pytest.approx((0.7, 0.8))]
