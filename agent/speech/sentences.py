"""Cuts a reply into sentences while it is still being written.

A sentence leaves as soon as its end is certain, which takes one more visible character. The first
clause of a reply leaves before that where it can stand alone, so that the first sound is not kept
waiting by a long first sentence. Nothing is lost or changed: the pieces joined are the text. How
the text was cut on its way in makes no difference to the pieces.
"""

import re
from dataclasses import dataclass

SHORTEST_CHARS = 12
"""A shorter sentence goes with the next one; the first of a reply never waits."""
LONGEST_CHARS = 240
"""Without an end by then, it is cut at the last comma or space: some 15 s of speech."""
CLAUSE_CHARS = 16
CLAUSE_WORDS = 3

_END = re.compile(r"[.!?…]+[\"'”’)\]*_]*(\s+)")  # noqa: RUF001 - quotes are meant
_LINE = re.compile(r"[^\S\n]*\n\s*")
_CLAUSE = re.compile(r"(?:[,;:]|\s[-–—]|—)[\"'”’)\]]*\s+")  # noqa: RUF001 - dashes are meant
_NEXT_WORD = re.compile(r"([\w'’]+)[^\w'’]")  # noqa: RUF001 - so is the apostrophe
_LAST_WORD = re.compile(r"([\w.'’]+)$")  # noqa: RUF001
_ABBREVIATIONS = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "sr",
        "jr",
        "st",
        "mt",
        "rev",
        "hon",
        "gen",
        "col",
        "capt",
        "lt",
        "sgt",
        "gov",
        "sen",
        "rep",
        "pres",
        "supt",
        "vs",
        "etc",
        "e.g",
        "i.e",
        "cf",
        "al",
        "approx",
        "dept",
        "est",
        "fig",
        "inc",
        "ltd",
        "co",
        "corp",
        "no",
        "nos",
        "vol",
        "pp",
        "ed",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "mon",
        "tue",
        "wed",
        "thu",
        "fri",
        "sat",
        "sun",
        "a.m",
        "p.m",
        "u.s",
        "u.k",
        "u.n",
        "ph.d",
        "b.a",
        "m.a",
        "d.c",
    ]
)
_NEVER_LAST = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "rev",
        "gen",
        "col",
        "capt",
        "lt",
        "sgt",
        "gov",
        "sen",
        "rep",
        "st",
        "mt",
        "vs",
    ]
)
"""Always followed by the name they belong to, capital letter or not."""
_STANDS_AFTER_COMMA = frozenset(
    [
        "and",
        "but",
        "so",
        "yet",
        "or",
        "because",
        "although",
        "though",
        "while",
        "which",
        "where",
        "who",
        "i",
        "it",
        "he",
        "she",
        "we",
        "you",
        "they",
        "there",
        "this",
        "that",
        "these",
        "those",
        "it's",
        "i'm",
        "i'll",
        "i'd",
        "that's",
        "there's",
        "let's",
        "here",
        "what",
        "how",
    ]
)
_LEANS_ON_WHAT_FOLLOWS = frozenset(
    [
        "if",
        "when",
        "because",
        "although",
        "though",
        "while",
        "unless",
        "since",
        "as",
        "after",
        "before",
        "until",
        "once",
    ]
)


class Sentences:
    """One reply on its way in. Not thread-safe."""

    def __init__(self, *, early_clause: bool = True) -> None:
        """Start empty; ``early_clause`` lets the first clause go before its sentence ends."""
        self._waiting = ""
        self._early_clause = early_clause
        self._is_first = True

    def push(self, text: str) -> list[str]:
        """Return the pieces that became certain with ``text``."""
        self._waiting += text
        return self._leaving(_Sight(final=False))

    def end(self) -> list[str]:
        """Return what is left; nothing follows."""
        pieces = self._leaving(_Sight(final=True))
        rest, self._waiting = self._waiting, ""
        return [*pieces, rest] if rest else pieces

    def _leaving(self, sight: "_Sight") -> list[str]:
        pieces: list[str] = []
        while cut := self._cut(sight):
            pieces.append(self._waiting[:cut])
            self._waiting = self._waiting[cut:]
            self._is_first = False
        return pieces

    def _cut(self, sight: "_Sight") -> int:
        """Return where the first piece ends, 0 while that is uncertain."""
        text = self._waiting[:LONGEST_CHARS]
        shortest = 0 if self._is_first else SHORTEST_CHARS
        cuts: list[int] = [
            *_ends(text, shortest, sight),
            *(_clause_ends(text, sight) if self._is_first and self._early_clause else ()),
        ]
        if cuts:
            return min(cuts)
        if len(self._waiting) <= LONGEST_CHARS:
            return 0
        return _best_cut(text)


@dataclass(frozen=True, slots=True)
class _Sight:
    """Whether more text may come; until then an end of the text is not an end of a word."""

    final: bool


def _ends(text: str, shortest: int, sight: _Sight) -> list[int]:
    """Return the first certain sentence end, if there is one."""
    for match in sorted([*_END.finditer(text), *_LINE.finditer(text)], key=lambda m: m.end()):
        cut = match.end()
        if cut == len(text) and not sight.final:
            break
        if len(text[:cut].strip()) < shortest or not _has_letters(text[:cut]):
            continue
        if "\n" in match.group() or cut == len(text):
            return [cut]
        if not _goes_on(text[: match.start(1)], text[cut]):
            return [cut]
    return []


def _goes_on(before: str, follows: str) -> bool:
    """Return whether what looks like an end of a sentence is inside one."""
    mark = before.rstrip("\"'”’)]*_")  # noqa: RUF001 - quotes are meant
    quoted = mark != before
    if mark[-1] in "!?":
        return quoted and follows.islower()
    if mark[-1] == "…" or mark.endswith(".."):
        return follows.islower()
    word = _LAST_WORD.search(mark[:-1])
    last = word.group(1).lower() if word else ""
    if last in _NEVER_LAST or follows.islower():
        return True
    if last in _ABBREVIATIONS:
        return not follows.isupper()
    is_initial = len(last) == 1 and last.isalpha() and last != "i"
    is_list_number = last.isdigit() and mark[:-1].strip(" \n*-") == last
    return is_initial or is_list_number


def _clause_ends(text: str, sight: _Sight) -> list[int]:
    """Return the end of the first clause, if it can stand alone."""
    if text.split(maxsplit=1)[:1] and _bare(text.split(maxsplit=1)[0]) in _LEANS_ON_WHAT_FOLLOWS:
        return []
    for match in _CLAUSE.finditer(text):
        cut = match.end()
        clause = text[:cut]
        if len(clause.strip()) < CLAUSE_CHARS or len(clause.split()) < CLAUSE_WORDS:
            continue
        if _is_open(clause):
            continue
        if not match.group().startswith(","):
            if cut < len(text) or sight.final:
                return [cut]
            return []
        follows = _NEXT_WORD.match(text, cut)
        if follows is None:
            return []
        if follows.group(1).lower().replace("’", "'") in _STANDS_AFTER_COMMA:  # noqa: RUF001
            return [cut]
    return []


def _bare(word: str) -> str:
    return word.strip("\"'“‘(*_,").lower()  # noqa: RUF001 - quotes are meant


def _is_open(clause: str) -> bool:
    """Return whether a quotation or bracket begun in ``clause`` is still open."""
    pairs = (("(", ")"), ("[", "]"), ("“", "”"))
    return clause.count('"') % 2 == 1 or any(clause.count(a) > clause.count(b) for a, b in pairs)


def _has_letters(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _best_cut(text: str) -> int:
    """Return the best place to cut a text that has no end: after a clause, a word, or anywhere."""
    clauses = [match.end() for match in _CLAUSE.finditer(text) if match.end() < len(text)]
    if clauses and clauses[-1] > len(text) // 3:
        return clauses[-1]
    space = text.rstrip().rfind(" ")
    return space + 1 if space > 0 and text[:space].strip() else len(text)
