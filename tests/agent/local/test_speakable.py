"""What of a written reply is said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.local.speakable import speakable


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("**Bold** and _soft_ and `code`.", "Bold and soft and code."),
        ("# Title\n* one\n* two", "Title one two"),
        ("See [the map](https://example.com/x?y=1).", "See the map."),
        ("Go to https://www.example.com/a/b?c=1, please.", "Go to example.com, please."),
        ("Nice! 😀👍🏽", "Nice!"),
        ("😀", ""),
        ("— … !", ""),
        ("It is 21°C, 3 < 4 and 2 * 3.", "It is 21°C, 3 < 4 and 2 * 3."),
        ("<b>loud</b> words", "loud words"),
        ("snake_case and 5*3", "snake_case and 5*3"),
        ("Don’t go", "Don't go"),  # noqa: RUF001 - the apostrophe people type
    ],
)
def test_given_markup_when_spoken_then_only_the_words_are_said(written: str, said: str) -> None:
    assert speakable(written) == said


@given(st.text())
def test_what_is_said_is_one_line_with_letters_or_nothing(written: str) -> None:
    said = speakable(written)

    assert said == " ".join(said.split())
    assert not said or any(char.isalnum() for char in said)
