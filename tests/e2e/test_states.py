"""Every state of the talk page has words of its own and a way on."""

import asyncio
import signal
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Browser, Page, Route, expect

from agent.local.status import Part
from tests.e2e.house import RunningHouse
from tests.e2e.lonely_gateway import LonelyGateway, lonely_gateway
from tests.e2e.person import MIC, Person, chromium, somebody
from tests.e2e.talking import (
    PATIENT_MS,
    SOON_MS,
    answered,
    greeted,
    greeting_ended,
    status,
    violations,
)

CAPITAL = "What is the capital of Portugal?"
GIVES_UP_MS = 60_000


@pytest.fixture(scope="module")
def lonely(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LonelyGateway]:
    with lonely_gateway(tmp_path_factory.mktemp("lonely")) as running:
        yield running


async def shows(person: Person, *, said: str, headed: str, offers: str | None = None) -> None:
    """Check the status line, the heading over the face, and the way on."""
    await expect(status(person)).to_contain_text(said, timeout=SOON_MS)
    panel = person.page.locator(".panel")
    await expect(panel.get_by_role("heading")).to_have_text(headed, timeout=SOON_MS)
    if offers is not None:
        await expect(panel.get_by_role("button", name=offers)).to_be_enabled()


async def test_given_a_slow_server_then_connecting_is_shown_until_it_answers(
    scripted_house: RunningHouse, browser: Browser
) -> None:
    async with somebody(browser) as person:
        answer = asyncio.Event()

        async def slowly(route: Route) -> None:
            await answer.wait()
            await route.continue_()

        await person.page.route("**/api/token", slowly)
        await person.arrive(scripted_house.url, "Connie")
        await person.page.get_by_role("button", name="Start talking").click()
        await shows(person, said="Connecting…", headed="Connecting")

        answer.set()
        await greeting_ended(person)
        await expect(person.page.locator(".panel")).to_have_count(0)


async def test_given_no_avatar_comes_then_the_page_waits_20_s_and_says_why(
    lonely: LonelyGateway, browser: Browser
) -> None:
    lonely.report()
    async with somebody(browser) as person:
        await person.arrive(lonely.url, "Wanda")
        await person.page.get_by_role("button", name="Start talking").click()
        await shows(person, said="Waiting for the avatar…", headed="Waiting for the avatar")
        assert await violations(person) == []

        headings = person.page.locator(".panel").get_by_role("heading")
        await expect(headings).to_have_text("The avatar did not come", timeout=GIVES_UP_MS)
        await shows(
            person,
            said="The avatar is not here",
            headed="The avatar did not come",
            offers="Try again",
        )
        assert await violations(person) == []

        lonely.report(Part(name="model-server", state="failed", detail_code="not_ready"))
        await expect(headings).to_have_text("The avatar cannot come", timeout=SOON_MS)
        await expect(person.page.locator(".panel")).to_contain_text("The language model failed")

        lonely.report(Part(name="house", state="restarting", detail_code="exited"))
        await expect(headings).to_have_text("The avatar is late", timeout=SOON_MS)

        await person.page.get_by_role("button", name="Try again").click()
        await shows(person, said="Waiting for the avatar…", headed="Waiting for the avatar")
        await person.leave()


async def test_given_models_are_loading_then_the_page_says_how_far(
    lonely: LonelyGateway, browser: Browser
) -> None:
    lonely.report(Part(name="model-server", state="starting", values={"percent": 40}))
    async with somebody(browser) as person:
        await person.arrive(lonely.url, "Lola")
        await person.page.get_by_role("button", name="Start talking").click()

        await shows(person, said="Loading models…", headed="Loading models")
        await expect(person.page.locator(".panel")).to_contain_text("the language model (40 %)")
        assert await violations(person) == []
        await person.leave()


@pytest.mark.parametrize(
    ("fault", "short", "long"),
    [
        ("__micDenied", "microphone blocked", "may not use your microphone"),
        ("__micMissing", "no microphone", "No microphone was found"),
    ],
)
async def test_given_no_microphone_then_the_page_says_why_and_one_can_write_or_try_again(
    scripted_house: RunningHouse, browser: Browser, fault: str, short: str, long: str
) -> None:
    async with somebody(browser, before=f"window.{fault} = true;") as person:
        await greeted(person, scripted_house.url, "Mia")
        await expect(status(person)).to_contain_text(short)
        banner = person.page.locator(".banner", has_text=long)
        await expect(banner).to_be_visible()
        assert await violations(person) == []

        await answered(person, CAPITAL, "Lisbon")

        await person.page.evaluate(f"window.{fault} = false")
        await banner.get_by_role("button", name="Try again").click()
        await expect(banner).to_have_count(0, timeout=SOON_MS)
        await expect(status(person)).not_to_contain_text(short)
        mute = person.page.get_by_role("button", name="Mute")
        await expect(mute).to_have_attribute("aria-pressed", "false")


async def test_given_the_browser_blocks_sound_then_one_click_enables_it(
    scripted_house: RunningHouse, chromium_is_there: None
) -> None:
    """The page starts by itself here: a click, or a look of the test, would count as consent."""
    starts = """
      setInterval(() => {
        const buttons = [...document.querySelectorAll('.panel button')];
        if (!window.__started) buttons.find((b) => b.textContent === 'Start talking')?.click();
      }, 200);
      addEventListener('click', () => { window.__started = true; });
      window.__micMissing = true;
    """
    blocks = "--autoplay-policy=user-gesture-required"
    async with chromium(blocks) as browser, somebody(browser, before=starts) as person:
        signed_in = await person.page.context.request.post(
            f"{scripted_house.url}/api/sign-in",
            data={"name": "Sol"},
            headers={"Origin": scripted_house.url},
        )
        assert signed_in.ok
        await person.page.goto(scripted_house.url)
        await joined_unseen(person.page)

        await expect(status(person)).to_contain_text("sound blocked", timeout=SOON_MS)
        banner = person.page.locator(".banner", has_text="holds back the sound")
        assert await violations(person) == []
        await banner.get_by_role("button", name="Enable sound").click()

        await expect(banner).to_have_count(0, timeout=SOON_MS)
        await expect(status(person)).not_to_contain_text("sound blocked")


async def joined_unseen(page: Page) -> None:
    """Wait until the page has been in its room for a while, without touching it."""
    async with page.expect_websocket(timeout=SOON_MS):
        pass
    await asyncio.sleep(5)


async def test_given_the_line_breaks_then_the_page_reconnects_and_the_talk_goes_on(
    scripted_house: RunningHouse, browser: Browser
) -> None:
    async with somebody(browser) as person:
        await greeted(person, scripted_house.url, "Rita")
        media = scripted_house.part("livekit-server")

        media.suspend()
        try:
            await expect(status(person)).to_contain_text("Reconnecting…", timeout=PATIENT_MS)
            headings = person.page.locator(".panel").get_by_role("heading")
            await expect(headings).to_have_text("The line broke")
        finally:
            media.resume()

        await expect(person.page.locator(".panel")).to_have_count(0, timeout=PATIENT_MS)
        await answered(person, CAPITAL, "Lisbon")


async def test_given_the_line_is_lost_for_good_then_the_page_says_so_and_offers_a_start(
    lonely: LonelyGateway, browser: Browser
) -> None:
    lonely.report()
    async with somebody(browser) as person:
        await person.page.clock.install()
        await person.arrive(lonely.url, "Lou")
        await person.page.get_by_role("button", name="Start talking").click()
        await shows(person, said="Waiting for the avatar…", headed="Waiting for the avatar")

        lonely.livekit.send_signal(signal.SIGSTOP)
        try:
            async with hurrying(person.page):
                await shows(
                    person, said="Disconnected", headed="The line is lost", offers="Start talking"
                )
        finally:
            lonely.livekit.send_signal(signal.SIGCONT)
        assert await violations(person) == []


@asynccontextmanager
async def hurrying(page: Page) -> AsyncGenerator[None]:
    """Let the page's clock run fast."""

    async def hurry() -> None:
        while True:
            await page.clock.fast_forward(1_000)
            await asyncio.sleep(0.1)

    async with asyncio.TaskGroup() as group:
        task = group.create_task(hurry())
        yield
        task.cancel()


async def test_given_a_second_tab_then_the_first_says_so_and_can_take_the_room_back(
    scripted_house: RunningHouse, browser: Browser
) -> None:
    async with somebody(browser) as person:
        await greeted(person, scripted_house.url, "Tess")
        await person.page.context.add_init_script(MIC)
        async with person.page.expect_popup() as opening:
            await person.page.evaluate("window.open(location.href)")
        second = Person(await opening.value)
        await second.start()

        await shows(
            person,
            said="Open in another tab",
            headed="This conversation moved to another tab",
            offers="Start talking",
        )
        assert await violations(person) == []
        await answered(second, CAPITAL, "Lisbon")

        await person.start()
        await expect(status(second)).to_contain_text("Open in another tab", timeout=SOON_MS)
        await expect(person.turns_of("person").first).to_contain_text("capital", timeout=SOON_MS)


async def test_given_the_house_process_dies_then_the_page_says_so_and_comes_back_by_itself(
    scripted_house: RunningHouse, browser: Browser
) -> None:
    async with somebody(browser) as talking, somebody(browser) as resting:
        await greeted(talking, scripted_house.url, "Gina")
        await resting.arrive(scripted_house.url, "Gus")
        await resting.page.get_by_role("button", name="Start talking").click()
        await resting.leave()

        scripted_house.process.send_signal(signal.SIGSTOP)
        try:
            scripted_house.part("agent.cli.main house").kill()
            await resting.page.get_by_role("button", name="Start talking").click()
            await shows(resting, said="Server gone", headed="The server does not answer")
            assert await violations(resting) == []
            banner = talking.page.locator(".banner", has_text="The server does not answer")
            await expect(banner).to_be_visible(timeout=PATIENT_MS)
            await expect(status(talking)).to_contain_text(
                "Waiting for the avatar…", timeout=PATIENT_MS
            )
        finally:
            scripted_house.process.send_signal(signal.SIGCONT)

        await expect(banner).to_have_count(0, timeout=PATIENT_MS)
        await expect(talking.page.locator(".panel")).to_have_count(0, timeout=PATIENT_MS)
        await answered(talking, CAPITAL, "Lisbon")
        assert "house ended by itself" in scripted_house.log.read_text()
        assert "again in" in scripted_house.log.read_text()


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
async def test_given_a_live_conversation_then_axe_finds_nothing(
    scripted_house: RunningHouse, browser: Browser, colours: str, width: int
) -> None:
    async with somebody(browser) as person:
        dark = colours == "dark"
        await person.page.emulate_media(color_scheme="dark" if dark else "light")
        await person.page.set_viewport_size({"width": width, "height": 740})
        await person.arrive(scripted_house.url, "Ada")
        assert await violations(person) == []

        await person.start()
        await greeting_ended(person)
        await person.type("Tell me a story.")
        await expect(person.turns_of("avatar").nth(1)).to_contain_text("keeper", timeout=SOON_MS)
        await person.page.get_by_role("button", name="Captions").click()
        await person.page.get_by_role("button", name="Push to talk").click()

        assert await violations(person) == []
        sideways = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert await person.page.evaluate(sideways) == 0
