"""Every symbol that the voice can say has a mouth."""

import importlib.resources
import json

import pytest

from agent.avatar.visemes import GLUE, LONGER, PAUSES, SOUNDS, TARGETS, Viseme, mouths_of


def vocabulary() -> list[str]:
    file = importlib.resources.files("hibari") / "assets" / "vocab.json"
    return list(json.loads(file.read_text(encoding="utf-8")))


@pytest.mark.parametrize("symbol", vocabulary())
def test_every_symbol_of_the_voice_is_known(symbol: str) -> None:
    assert symbol in SOUNDS or symbol in PAUSES or symbol in GLUE or symbol == LONGER


@pytest.mark.parametrize("viseme", Viseme)
def test_every_mouth_has_a_target_and_a_sound(viseme: Viseme) -> None:
    used = {viseme for visemes in SOUNDS.values() for viseme in visemes}

    assert TARGETS[viseme].strength > 0
    assert viseme in used or viseme is Viseme.REST


def test_a_symbol_means_one_thing() -> None:
    assert not SOUNDS.keys() & (PAUSES | GLUE | {LONGER})


def test_given_a_letter_of_another_alphabet_then_the_mouth_is_a_little_open() -> None:
    (viseme,) = mouths_of("ж")

    assert 0 < TARGETS[viseme].pose.open < 0.5


def test_lips_meet_for_p_b_m_and_nothing_else() -> None:
    pressing = {s for s, visemes in SOUNDS.items() if any(TARGETS[v].pose.press for v in visemes)}

    assert {"p", "b", "m"} <= pressing <= set("pbmɸβ")
