"""Figures carry what is needed to judge them, and the page says what is missing."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks import figures_page
from tests.benchmarks.questions import SCRIPTED, SPOKEN
from tests.benchmarks.rows import quantile_rows, ratio_row, row, share_interval, table
from tests.benchmarks.run import PARTS


def test_given_pairs_then_the_ratio_lies_in_its_interval() -> None:
    pairs = [(1.0 + i / 100, 1.0) for i in range(60)]

    [found] = ratio_row("turn.overhead_ratio", pairs)

    assert found["value"] == pytest.approx(1.295)
    assert found["low"] is not None
    assert found["high"] is not None
    assert found["low"] < found["value"] < found["high"]
    assert (found["n"], found["baseline"]) == (60, 1.0)


@given(st.lists(st.floats(min_value=0.1, max_value=1e4), min_size=1, max_size=40))
def test_quantiles_lie_in_their_intervals(values: list[float]) -> None:
    for found in quantile_rows("turn.answer_ms", values, "ms", tag="@tiny"):
        assert found["low"] is not None
        assert found["high"] is not None
        assert found["low"] <= found["value"] <= found["high"]


def test_given_no_values_then_there_is_no_figure() -> None:
    assert quantile_rows("turn.answer_ms", [], "ms") == []
    assert ratio_row("turn.overhead_ratio", []) == []


@given(st.integers(min_value=1, max_value=100), st.data())
def test_shares_lie_in_their_intervals(n: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(min_value=0, max_value=n))
    low, high = share_interval(hits, n)

    assert 0.0 <= low <= hits / n + 1e-9
    assert hits / n - 1e-9 <= high <= 1.0


def test_the_table_has_a_line_for_each_figure() -> None:
    lines = table([row("a", 1.0, "ms"), row("bb", 2.5, "ms", interval=(2.0, 3.0))]).splitlines()

    assert len(lines) == 3
    assert lines[2].startswith("bb")
    assert "2 … 3" in lines[2]


def test_given_no_run_then_the_page_says_what_is_missing(tmp_path: Path) -> None:
    page = tmp_path / "figures.md"

    figures_page.write(page, [], tmp_path / "none.json")

    text = page.read_text()
    assert "No figures have been taken yet." in text
    assert "| `turn.answer_ms.p50` | not measured yet |" in text


def test_every_figure_has_a_place_on_the_page() -> None:
    prefixes = tuple(p for section in figures_page.SECTIONS for p in section.prefixes)

    for part in PARTS:
        assert [name for name in part.names if not name.startswith(prefixes)] == []


def test_every_spoken_question_has_a_scripted_answer() -> None:
    for question in SPOKEN:
        assert any(word in question.lower() for word in SCRIPTED)
