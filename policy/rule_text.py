"""Cuts the text of a rules file into single rules, so that a fault can be named with its line.

Cedar ends every rule with a semicolon and has semicolons nowhere else but in strings and
comments. Nesting is counted here because Cedar's own parser overflows its stack, and with it the
process, on a few thousand open brackets.
"""

from collections.abc import Iterator
from dataclasses import dataclass

RULE_CHARS_AT_MOST = 8_000
DEPTH_AT_MOST = 40
_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleText:
    """One rule as it stands in a file, or what is left after the last one."""

    text: str
    line: int
    """1-based line of its first word."""
    depth: int
    """How deep its brackets are nested at most."""


def rule_texts(text: str) -> Iterator[RuleText]:
    """Yield the rules of ``text`` in order, without the blanks and comments between them.

    Words after the last semicolon come as a last item, for the parser to complain about.
    """
    start: int | None = None
    line, start_line, depth, deepest = 1, 1, 0, 0
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
                start, start_line, depth, deepest = position, line, 0, 0
            if char == '"':
                past = _string_end(text, position)
                line += text.count("\n", position, past)
            elif char in _OPENING:
                depth += 1
                deepest = max(deepest, depth)
            elif char in _CLOSING:
                depth -= 1
            elif char == ";":
                yield RuleText(text=text[start:past], line=start_line, depth=deepest)
                start = None
        position = past
    if start is not None:
        yield RuleText(text=text[start:], line=start_line, depth=deepest)


def _line_end(text: str, position: int) -> int:
    """Return where the line ends, its line feed not included."""
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def _string_end(text: str, position: int) -> int:
    """Return the index after the string literal that opens at ``position``."""
    index = position + 1
    while index < len(text):
        if text[index] == "\\":
            index += 2
        elif text[index] == '"':
            return index + 1
        else:
            index += 1
    return len(text)
