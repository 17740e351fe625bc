"""What people ask in benchmarks, what a scripted model answers, and which word is right."""

from typing import Final

SPOKEN: Final = (
    "What is the capital of Portugal?",
    "How many days are in a week?",
    "What colour is the sky on a clear day?",
    "Which animal says meow?",
    "What do bees make?",
    "What is two plus three?",
    "What is frozen water called?",
)
"""Short, so that an hour holds many turns."""

SCRIPTED: Final = {
    "capital": "The capital of Portugal is Lisbon.",
    "week": "There are seven days in a week.",
    "sky": "The sky is blue on a clear day.",
    "meow": "That would be a cat, of course.",
    "bees": "Bees make honey for all of us.",
    "two": "Two plus three makes five.",
    "water": "Frozen water is called ice.",
    "more": "Yes, I am here.",
}

WITS: Final = (
    ("What is the capital of Portugal?", ("lisbon",)),
    ("How many days are in a week?", ("seven", "7")),
    ("What colour is the sky on a clear day?", ("blue",)),
    ("Which animal says meow?", ("cat",)),
    ("What do bees make?", ("honey",)),
    ("What is two plus three?", ("five", "5")),
    ("What is frozen water called?", ("ice",)),
    ("In which country is Paris?", ("france",)),
    ("Is an elephant bigger than a mouse?", ("yes", "elephant")),
    ("My name is Ada and I live in Porto. Where do I live?", ("porto",)),
)
"""Questions, and words of which one stands in every right answer."""


def spoken(index: int) -> str:
    """Return the question of a turn; they come round again."""
    return SPOKEN[index % len(SPOKEN)]
