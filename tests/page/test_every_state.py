"""Every state of the talk page, drawn in Chromium: accessible, inside the window, no violation of
the content policy. Light, dark and narrow.
"""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WIDE, NARROW = ViewportSize(width=1360, height=820), ViewportSize(width=390, height=844)

Scheme = Literal["light", "dark"]


@contextmanager
def _window(chromium: Browser, scheme: Scheme, size: ViewportSize) -> Generator[Page]:
    context = chromium.new_context(color_scheme=scheme, viewport=size, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def _states(page: Page, gallery: str) -> list[str]:
    page.goto(gallery)
    page.wait_for_selector("h1")
    return page.get_by_role("link").all_inner_texts()


def _findings(page: Page, axe: str) -> list[str]:
    page.evaluate(axe)
    asked = "rules => axe.run(document, {runOnly: rules, resultTypes: ['violations']})"
    result: Any = page.evaluate(asked, RULES)
    found = [f"{item['id']}: {item['nodes'][0]['html'][:120]}" for item in result["violations"]]
    if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
        found.append("wider than the window")
    return found


@pytest.mark.parametrize(
    ("scheme", "size"),
    [("light", WIDE), ("dark", WIDE), ("light", NARROW)],
    ids=["light", "dark", "narrow"],
)
def test_given_any_state_when_drawn_then_it_is_accessible_and_fits(
    chromium: Browser, gallery: str, front_end: Path, scheme: Scheme, size: ViewportSize
) -> None:
    axe = (front_end / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")

    with _window(chromium, scheme, size) as page:
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda line: complaints.append(line.text) if "Content Security" in line.text else None,
        )
        states = _states(page, gallery)
        found: dict[str, list[str]] = {}
        for state in states:
            page.goto(f"{gallery}?state={state}")
            page.wait_for_selector("[role=status]")
            found[state] = _findings(page, axe)

    assert len(states) > 40
    assert {state: items for state, items in found.items() if items} == {}
    assert complaints == []
