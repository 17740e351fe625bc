"""Latency is read from two recordings of one clock."""

import pytest

from tests.benchmarks.exchange import HOP_S, exchange_of, is_audible, quiet_for_s

SILENT, LOUD = [0], [3_000]


def test_given_a_question_and_an_answer_then_the_time_between_them_is_measured() -> None:
    said = SILENT * 10 + LOUD * 50 + SILENT * 340
    heard = SILENT * 160 + LOUD * 40 + SILENT * 200

    found = exchange_of(said, heard)

    assert found is not None
    assert found.answer_s == pytest.approx(100 * HOP_S)
    assert found.quiet_for_s == pytest.approx(201 * HOP_S)


def test_given_an_avatar_that_talks_over_the_question_then_nothing_is_measured() -> None:
    found = exchange_of(LOUD * 50 + SILENT * 50, SILENT * 40 + LOUD * 60)

    assert found is not None
    assert found.talked_over
    assert found.answer_s is None


def test_given_a_click_then_it_is_no_answer() -> None:
    heard = SILENT * 70 + LOUD + SILENT * 9 + LOUD * 10 + SILENT * 10

    found = exchange_of(LOUD * 50 + SILENT * 50, heard)

    assert found is not None
    assert found.answer_s == pytest.approx(30 * HOP_S)


def test_given_nothing_said_yet_then_there_is_no_exchange() -> None:
    assert exchange_of(SILENT * 10, LOUD * 10) is None
    assert exchange_of([], []) is None


def test_given_no_sound_then_all_of_it_is_quiet() -> None:
    assert not is_audible([])
    assert quiet_for_s(SILENT * 100) == pytest.approx(100 * HOP_S)
    assert quiet_for_s(LOUD * 2 + SILENT * 100) == pytest.approx(100 * HOP_S)
