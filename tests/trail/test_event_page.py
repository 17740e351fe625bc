"""The page that lists every fact agrees with the declarations."""

from pathlib import Path

from trail.catalogue import NAMES
from trail.event_page import event_page

PAGE = Path(__file__).parents[2] / "docs" / "events.md"


def test_the_page_is_up_to_date() -> None:
    again = ".venv/bin/python -m trail.event_page > docs/events.md"

    assert PAGE.read_text() == event_page(), f"make it again: {again}"


def test_every_fact_has_a_place_on_it() -> None:
    headings = {line for line in event_page().splitlines() if line.startswith("### ")}

    assert headings == {f"### `{name}`" for name in NAMES}
