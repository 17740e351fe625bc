"""Cuts the text of a rules file into single rules, so that a fault can be named with its line.

Cedar ends every rule with a semicolon and has semicolons nowhere else but in strings and
comments. Size is measured here because Cedar's own parser overflows its stack, and takes the
process with it, on about a thousand open brackets or two thousand terms in a row.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

CHARS_AT_MOST: Final = 8_000
MARKS_AT_MOST: Final = 400
"""Less than half of what was seen to overflow a thread's stack of 8 MiB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleText:
    """One rule as it stands in a file, or what is left after the last one."""

    text: str
    line: int
    """1-based line of its first word."""
    marks: int
    """Brackets, operators and other punctuation, without what stands in strings and comments."""

    @property
    def is_too_large(self) -> bool:
        """Whether it must not be given to the parser."""
        return len(self.text) > CHARS_AT_MOST or self.marks > MARKS_AT_MOST


def rule_texts(text: str) -> Iterator[RuleText]:
    """Yield the rules of ``text`` in order, without the blanks and comments between them.

    Words after the last semicolon come as a last item, for the parser to complain about.
    """
    start: int | None = None
    line, first_line, marks = 1, 1, 0
    position = 0
    while position < len(text):
        char = text[position]
        past = position + 1
        if char == "\n":
            line += 1
        elif text.startswith("//", position):
            past = _line_end(text, position)
        elif not char.isspace():
            if start is None:
                start, first_line, marks = position, line, 0
            if char == '"':
                past = _string_end(text, position)
                line += text.count("\n", position, past)
            elif not char.isalnum():
                marks += 1
        if char == ";" and start is not None:
            yield RuleText(text=text[start:past], line=first_line, marks=marks)
            start = None
        position = past
    if start is not None:
        yield RuleText(text=text[start:], line=first_line, marks=marks)


def _line_end(text: str, position: int) -> int:
    """Return where the line ends, its line feed not included."""
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def _string_end(text: str, position: int) -> int:
    """Return the index after the string that opens at ``position``."""
    index = position + 1
    while index < len(text):
        if text[index] == "\\":
            index += 2
        elif text[index] == '"':
            return index + 1
        else:
            index += 1
    return len(text)
