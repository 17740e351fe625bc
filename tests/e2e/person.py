"""A person in a browser: signs in, talks, types, listens. Drives the real page in Chromium."""

import base64
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from playwright.async_api import Browser, Locator, Page, async_playwright, expect

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
    "--autoplay-policy=no-user-gesture-required",
    "--auto-select-desktop-capture-source=Entire screen",
)
MIC = Path(__file__).with_name("browser_mic.js").read_text(encoding="utf-8")
CHROMIUM = "/usr/bin/chromium"
HEARD_RATE_HZ = 48_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTurn:
    """One turn as the page shows it."""

    turn_id: str
    speaker: str
    delivery: str
    evidence: str
    text: str


class Person:
    """One browser window."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def arrive(self, url: str, name: str) -> None:
        """Open the page and say one's name."""
        await self.page.goto(url)
        await self.page.get_by_label("Your name").fill(name)

    async def start(self) -> None:
        """Start talking and wait for the avatar."""
        await self.page.get_by_role("button", name="Start talking").click()
        await expect(self.page.get_by_role("button", name="Leave")).to_be_visible(timeout=20_000)

    async def leave(self) -> None:
        """Leave the conversation."""
        await self.page.get_by_role("button", name="Leave").click()
        await expect(self.page.get_by_role("button", name="Start talking")).to_be_visible()

    async def say(self, wav: bytes) -> float:
        """Speak a recording to its end; return when it began (seconds since 1970)."""
        said = await self.page.evaluate("__say", base64.b64encode(wav).decode())
        return float(said["at"]) / 1000

    async def type(self, text: str) -> None:
        """Type a message and send it."""
        field = self.page.get_by_label("Message")
        await field.fill(text)
        await field.press("Enter")

    def turns_of(self, speaker: str, *, delivery: Sequence[str] = ()) -> Locator:
        """Return the shown turns of ``person`` or ``avatar``, of some delivery states only."""
        marks = [f'[data-speaker="{speaker}"]']
        if delivery:
            marks = [f'{marks[0]}[data-delivery="{state}"]' for state in delivery]
        return self.page.get_by_role("log", name="Conversation").locator(", ".join(marks))

    async def turns(self) -> list[ShownTurn]:
        """Return everything that the page shows of the conversation."""
        shown = (
            await self.page.get_by_role("log", name="Conversation")
            .locator("[data-turn-id]")
            .evaluate_all(
                "all => all.map(t => [t.dataset.turnId, t.dataset.speaker, t.dataset.delivery,"
                " t.dataset.evidence, t.textContent])"
            )
        )
        return [
            ShownTurn(
                turn_id=str(turn),
                speaker=str(speaker),
                delivery=str(delivery or ""),
                evidence=str(evidence or ""),
                text=str(text),
            )
            for turn, speaker, delivery, evidence, text in shown
        ]

    async def heard(self) -> NDArray[np.int16]:
        """Return what came out of the loudspeaker so far: mono, 48 kHz."""
        pcm = await self.page.evaluate("__heardPcm()")
        return np.frombuffer(base64.b64decode(pcm), np.int16)

    async def face(self) -> NDArray[np.uint8]:
        """Return the face as it is shown now: RGBA, 128 pixels square."""
        await self.watch()
        (face, *_) = await self.seen()
        return face

    async def watch(self) -> None:
        """Begin to look at the face, ten times a second."""
        await self.page.evaluate("__watch()")

    async def seen(self) -> Sequence[NDArray[np.uint8]]:
        """Stop looking; return what was seen of the face: at least one picture, as of `face`."""
        pixels = await self.page.evaluate("__seen()")
        faces = np.frombuffer(base64.b64decode(pixels), np.uint8)
        return list(faces.reshape(-1, 128, 128, 4))


@asynccontextmanager
async def chromium(*flags: str, program: str = CHROMIUM) -> AsyncGenerator[Browser]:
    """Yield a headless browser with a fake camera.

    Args:
        flags: More of Chromium's own flags.
        program: What to start.
    """
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=program, headless=True, args=[*FLAGS, *flags]
        )
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def somebody(browser: Browser, *, before: str = "") -> AsyncGenerator[Person]:
    """Yield a person in a window of their own, with cookies of their own.

    Args:
        browser: Where.
        before: A script that runs in the page before its own.
    """
    context = await browser.new_context(permissions=["microphone", "camera"])
    try:
        page = await context.new_page()
        await page.add_init_script(MIC + before)
        yield Person(page)
    finally:
        await context.close()
