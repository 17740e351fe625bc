"""What is believed of what Whisper writes."""

import pytest

from agent.local.recogniser import said_once


@pytest.mark.parametrize(
    ("text", "duration_s", "once"),
    [
        ("What time is it? What time is it? What time is it?", 1.3, "What time is it?"),
        ("I have none. I have none. I have no", 1.3, "I have none."),
        ("Why? Why? Why? Why? Why? Why? Wh", 0.9, "Why?"),
        ("who wrote Hamlet, Who wrote Hamlet, who", 1.0, "who wrote Hamlet,"),
    ],
)
def test_given_words_repeated_faster_than_speech_then_they_were_said_once(
    text: str, duration_s: float, once: str
) -> None:
    assert said_once(text, duration_s) == once


@pytest.mark.parametrize(
    ("text", "duration_s"),
    [
        ("No, no, no.", 1.5),
        ("I said stop. I said stop.", 2.5),
        ("What is the capital of Portugal?", 1.2),
        ("ask what you can do, ask what your country can do", 2.0),
        ("Thank you. Thank you. Thank you. Thank you.", 1.0),
        ("", 0.5),
    ],
)
def test_given_words_that_somebody_can_have_said_then_they_are_not_taken_for_a_repetition(
    text: str, duration_s: float
) -> None:
    assert said_once(text, duration_s) == ""
