"""Names as people type them → names that can be shown safely (pure).

Any script is welcome, right-to-left ones included. What turns the direction of the text around,
controls a terminal or is invisible is taken out.
"""

import unicodedata
from typing import Final

NAME_CHARS_AT_MOST: Final = 60
_JOINERS = frozenset("\u200c\u200d")
"""Needed inside words of some scripts and in some emoji."""
_DROPPED = frozenset({"Cc", "Cf"})
_UNREADABLE = frozenset({"Cs", "Co", "Cn"})


class UnusableName(ValueError):
    """The typed name cannot be used; the message says why, as a sentence."""


def clean_name(typed: str) -> str:
    """Return ``typed`` composed (NFC), with white space collapsed and controls taken out.

    Raises:
        UnusableName: Nothing is left, it is longer than `NAME_CHARS_AT_MOST`, or it holds
            characters that mean nothing.
    """
    if len(typed) > 20 * NAME_CHARS_AT_MOST:
        raise UnusableName(_too_long())
    spaced = "".join(" " if c.isspace() else c for c in unicodedata.normalize("NFC", typed))
    if any(unicodedata.category(c) in _UNREADABLE for c in spaced):
        raise UnusableName("This name holds characters that cannot be shown.")
    kept = (c for c in spaced if c in _JOINERS or unicodedata.category(c) not in _DROPPED)
    name = " ".join("".join(kept).split())
    if not name.strip("".join(_JOINERS)):
        raise UnusableName("Please give a name.")
    if len(name) > NAME_CHARS_AT_MOST:
        raise UnusableName(_too_long())
    return name


def _too_long() -> str:
    return f"A name has at most {NAME_CHARS_AT_MOST} characters."
