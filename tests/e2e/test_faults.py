"""Bad input and failing providers: a clear answer, and the conversation goes on."""

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.async_api import Browser, expect

from tests.e2e.house import RunningHouse
from tests.e2e.person import HEARD_RATE_HZ, Person, somebody
from tests.e2e.scripted_model import Script
from tests.e2e.talking import (
    FINAL,
    PATIENT_MS,
    SOON_MS,
    answered,
    greeted,
    notice,
    session_of,
    transcript_of,
    violations,
)
from tests.e2e.voices import Voices, agreement

CAPITAL = "What is the capital of Portugal?"
CANARY = "zanzibarquokka"
"""A word that nobody else says."""


async def test_given_a_message_of_a_megabyte_then_it_is_refused_clearly_and_the_talk_goes_on(
    scripted_house: RunningHouse, browser: Browser, script: Script
) -> None:
    async with somebody(browser) as person:
        await greeted(person, scripted_house.url, "Mega")
        asked = len(script.requests)

        await person.type(f"{CANARY} " * 70_000)

        refused = person.page.locator('section[aria-label="What was said"]')
        await expect(refused).to_contain_text("Too long for one message", timeout=PATIENT_MS)
        assert len(script.requests) == asked
        await answered(person, CAPITAL, "Lisbon")
        assert len(await transcript_of(person, scripted_house.url)) == 3


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ann\u0000a\u001b[31m\u0007", "Anna[31m"),
        ("\u202egnp.exe", "gnp.exe"),
        ("שלום עולם", "שלום עולם"),
        ("<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"),
    ],
)
async def test_given_strange_letters_in_a_name_then_they_do_no_harm(
    scripted_house: RunningHouse, browser: Browser, name: str, shown: str
) -> None:
    async with somebody(browser) as person:
        await person.arrive(scripted_house.url, name)
        await person.page.get_by_role("button", name="Start talking").click()

        me = person.page.locator(".me bdi")
        alert = person.page.get_by_role("alert")
        await expect(me.or_(alert)).to_be_visible(timeout=SOON_MS)
        if await me.count():
            assert await me.inner_text() == shown
        else:
            await expect(alert).not_to_be_empty()
        assert not re.search("[\u0000-\u0008\u001b\u202e]", await person.page.inner_text("body"))
        told = scripted_house.command("sessions", "list").stdout
        assert not re.search("[\u0000-\u0008\u001b\u202e]", told)
        assert await violations(person) == []


async def test_given_a_provider_that_fails_then_the_avatar_apologises_and_goes_on(
    scripted_house: RunningHouse, browser: Browser, script: Script
) -> None:
    async with somebody(browser) as person:
        await greeted(person, scripted_house.url, "Faye")
        await answered(person, CAPITAL, "Lisbon")
        script.failing = True
        try:
            await person.type("Tell me a story.")
            await expect(notice(person, "no_answer")).to_be_visible(timeout=PATIENT_MS)
            await expect(notice(person, "provider_failed")).to_be_visible()
            apology = person.turns_of("avatar", delivery=FINAL).nth(2)
            await expect(apology).to_be_visible(timeout=PATIENT_MS)
        finally:
            script.failing = False

        await answered(person, CAPITAL, "Lisbon")
        turns = [t for t in await transcript_of(person, scripted_house.url)]
        assert [t["speaker"] for t in turns] == ["avatar"] + ["person", "avatar"] * 3
        assert turns[4]["text"] != ""


async def test_given_push_to_talk_then_only_what_is_held_is_a_turn_and_cancel_drops_it(
    scripted_house: RunningHouse, browser: Browser, voices: Voices, script: Script
) -> None:
    async with somebody(browser) as person:
        await greeted(person, scripted_house.url, "Pia")
        await person.page.get_by_role("button", name="Push to talk").click()
        hold = person.page.get_by_role("button", name=re.compile("Hold to talk|Listening while"))
        await expect(hold).to_be_enabled()
        asked = len(script.requests)

        await hold.hover()
        await person.page.mouse.down()
        await expect(hold).to_contain_text("Listening while you hold")
        await held_microphone(person)
        await person.say(voices.wav("Please tell me a story."))
        await person.page.keyboard.press("Escape")
        await person.page.mouse.up()
        await expect(hold).to_contain_text("Hold to talk")
        await person.say(voices.wav("Please tell me a story."))

        await hold.hover()
        await person.page.mouse.down()
        await held_microphone(person)
        await person.say(voices.wav(CAPITAL))
        await person.page.mouse.up()

        answer = person.turns_of("avatar", delivery=["full"]).nth(1)
        await expect(answer).to_contain_text("Lisbon", timeout=PATIENT_MS)
        said = [
            t for t in await transcript_of(person, scripted_house.url) if t["speaker"] == "person"
        ]
        assert len(said) == 1
        assert agreement("What is the capital of Portugal", str(said[0]["text"])) > 0.7
        assert [r for r in script.requests[asked:] if "story" in last_of(r)] == []


def last_of(request: Any) -> str:
    return str(request["messages"][-1]["content"]).lower()


async def held_microphone(person: Person) -> None:
    """Wait until the held microphone is open."""
    mute = person.page.get_by_role("button", name="Mute")
    await expect(mute).to_have_attribute("aria-pressed", "false", timeout=SOON_MS)


async def test_given_an_invitation_then_the_guest_hears_and_both_are_told_who_is_not_heard(
    scripted_house: RunningHouse, browser: Browser, voices: Voices
) -> None:
    async with somebody(browser) as host, somebody(browser) as guest:
        await greeted(host, scripted_house.url, "Holly")
        session = await session_of(host, scripted_house.url)
        made = await host.page.context.request.post(
            f"{scripted_house.url}/api/sessions/{session}/invitations",
            data={},
            headers={"Origin": scripted_house.url},
        )
        link = str((await made.json())["link"])

        await guest.arrive(link, "Gwen")
        await guest.start()
        for person in (host, guest):
            await expect(notice(person, "not_heard")).to_contain_text("Gwen", timeout=PATIENT_MS)
        before = len(await guest.heard())
        await answered(host, CAPITAL, "Lisbon")

        await expect(guest.turns_of("avatar").last).to_contain_text("Lisbon", timeout=SOON_MS)
        heard = voices.transcribed((await guest.heard())[before:], HEARD_RATE_HZ)
        assert agreement("The capital of Portugal is Lisbon", heard) > 0.6
        await guest.type("And do you know my name?")
        await expect(host.turns_of("avatar").last).to_contain_text("remember", timeout=PATIENT_MS)
        seen = [t["text"] for t in await transcript_of(guest, scripted_house.url)]
        assert not any("Hello" in text for text in seen)


async def test_given_leave_then_the_session_ends_and_replay_prints_what_was_heard(
    scripted_house: RunningHouse, browser: Browser
) -> None:
    async with somebody(browser) as person:
        await greeted(person, scripted_house.url, "Lea")
        await answered(person, CAPITAL, "Lisbon")
        session = await session_of(person, scripted_house.url)
        await person.leave()

        await until_ended(scripted_house, session)
        printed = scripted_house.command("replay", session)
        latest = scripted_house.command("replay", "latest")
        assert CAPITAL in printed.stdout
        assert "The capital of Portugal is Lisbon." in printed.stdout
        assert latest.stdout == printed.stdout
        verified = scripted_house.command("replay", "latest", "--verify")
        assert verified.returncode == 0, verified.stderr


async def until_ended(house: RunningHouse, session: str) -> None:
    """Wait until a session is listed as ended."""
    for _ in range(50):
        listed = house.command("sessions", "list", "--json").stdout
        if any(row["session_id"] == session and row["ended_at"] for row in json.loads(listed)):
            return
    raise AssertionError(f"{session} did not end")


async def test_given_words_spoken_typed_and_in_errors_then_no_log_holds_them(
    scripted_house: RunningHouse, browser: Browser, script: Script, voices: Voices
) -> None:
    url = scripted_house.url
    async with somebody(browser) as person:
        await greeted(person, url, f"Cara {CANARY}")
        await person.say(voices.wav(CAPITAL))
        await expect(person.turns_of("person").first).to_contain_text("Portugal", timeout=SOON_MS)
        await answered(person, f"Tell me of the {CANARY} and its name", "remember")
        script.failing = True
        await person.type(f"Why does the {CANARY} fail?")
        await expect(notice(person, "no_answer")).to_be_visible(timeout=PATIENT_MS)
        script.failing = False
        await person.type(CANARY * 400)
        await expect(person.page.locator("body")).to_contain_text("Too long", timeout=SOON_MS)
        await provoke(url)
        await person.leave()

    logs = {path: path.read_text(errors="replace") for path in logs_of(scripted_house)}
    assert len(logs) >= 3
    for forbidden in (CANARY, "Portugal", "Lisbon", "remember that you told", "eyJhbGciOi"):
        holders = [path.name for path, text in logs.items() if forbidden in text]
        assert holders == [], f"{forbidden!r} in {holders}"
    secrets = (scripted_house.data_dir / "secrets.json").read_text()
    for secret in re.findall(r'"([^"]{20,})"', secrets):
        assert [path.name for path, text in logs.items() if secret in text] == []


async def provoke(url: str) -> None:
    """Ask for what must not be, with the canary in every place that could be logged."""
    origin = {"Origin": url}
    async with httpx.AsyncClient(base_url=url, headers=origin, timeout=20) as client:
        await client.get(f"/{CANARY}?{CANARY}={CANARY}")
        await client.get(f"/api/sessions/{CANARY}/transcript?{CANARY}")
        await client.post("/api/sign-in", content=f'{{"name": "{CANARY}'.encode())
        await client.post("/api/sign-in", json={"name": CANARY, CANARY: CANARY})
        await client.post("/api/token", json={"room_name": CANARY})
        await client.post("/api/invitations/redeem", json={"link": CANARY})
        await client.get("/api/me", headers={"Authorization": f"Bearer {CANARY}"})
        await client.get("/api/me", headers={"Cookie": f"earwitness={CANARY}"})


def logs_of(house: RunningHouse) -> list[Path]:
    """Return every log of every process of a house."""
    return [house.log, *sorted((house.data_dir / "logs").iterdir())]
