"""What several tests do in a conversation: begin one, read what was recorded, look at the page."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
from playwright.async_api import Locator, expect

from tests.e2e.person import Person

SOON_MS = 30_000
"""For what takes a second or two on a quiet machine."""
PATIENT_MS = 90_000
"""For what waits for processes to start or for long replies."""
FINAL = ("full", "partial", "none", "unknown")
AXE = Path(__file__).parents[2] / "frontend/node_modules/axe-core/axe.min.js"


async def greeted(person: Person, url: str, name: str) -> None:
    """Sign in, start talking and hear the greeting to its end."""
    await person.arrive(url, name)
    await person.start()
    await greeting_ended(person)


async def greeting_ended(person: Person) -> None:
    """Wait until the greeting was heard."""
    greeting = person.turns_of("avatar", delivery=FINAL).first
    await expect(greeting).to_be_visible(timeout=PATIENT_MS)


async def answered(person: Person, question: str, answer: str) -> None:
    """Type a question and wait for a whole answer that holds some words.

    The question goes to the model only once; asking again would hide a lost one.
    """
    count = await person.turns_of("avatar", delivery=["full"]).count()
    await person.type(question)
    reply = person.turns_of("avatar", delivery=["full"]).nth(count)
    await expect(reply).to_contain_text(answer, timeout=PATIENT_MS)


def status(person: Person) -> Locator:
    """Return the status line."""
    return person.page.get_by_role("status").first


def notice(person: Person, code: str) -> Locator:
    """Return the notice with a code."""
    return person.page.locator(f'.notice[data-code="{code}"]')


async def fetched(person: Person, url: str, path: str) -> Any:
    """Return what the gateway serves this person at ``path``."""
    cookies = {c["name"]: c["value"] for c in await person.page.context.cookies()}
    async with httpx.AsyncClient(base_url=url, cookies=cookies, timeout=20) as client:
        answer = await client.get(path)
    return answer.raise_for_status().json()


async def session_of(person: Person, url: str) -> str:
    """Return the person's newest session."""
    return str((await fetched(person, url, "/api/sessions"))["sessions"][0]["session_id"])


async def transcript_of(person: Person, url: str) -> list[dict[str, Any]]:
    """Return the turns of the person's newest session."""
    session = await session_of(person, url)
    turns: list[dict[str, Any]] = (
        await fetched(person, url, f"/api/sessions/{session}/transcript")
    )["turns"]
    return turns


async def violations(person: Person) -> list[str]:
    """Return what axe finds wrong with the page as it is now."""
    await person.page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[Mapping[str, Any]] = await person.page.evaluate(
        "async () => (await axe.run(document, { resultTypes: ['violations'] })).violations"
    )
    return [f"{v['id']}: {json.dumps([n['target'] for n in v['nodes']])}" for v in found]
