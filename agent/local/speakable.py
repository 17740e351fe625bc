"""What of a written reply can be said aloud: no markup, no emoji, of an address only its host.

What is taken out here is not spoken, so it is not among the words that were heard.
"""

import re
import unicodedata

_FENCE = re.compile(r"^\s*(```|~~~).*$", re.MULTILINE)
_RULE = re.compile(r"^\s*([-*_=]\s*){3,}$", re.MULTILINE)
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+", re.MULTILINE)
_BULLET = re.compile(r"^\s*[-*+•]\s+", re.MULTILINE)
_QUOTE = re.compile(r"^\s*>+\s?", re.MULTILINE)
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_ADDRESS = re.compile(
    r"<?\b(?:https?|ftp)://(?:www\.)?([\w.-]*\w)(?::\d+)?[^\s<>\"]*?([.,!?;:)]*)>?(?=\s|$)"
)
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]*>")
_STRONG = re.compile(r"(?<!\w)(\*{1,3}|_{1,3}|~~)(?=\S)(.+?)(?<=\S)\1(?!\w)", re.DOTALL)
_TICKS = re.compile(r"`+")
_STARS = re.compile(r"(?<!\d)(?<!\d )\*+|\*{2,}")
_READ_ALOUD = frozenset("°©®™")
_INVISIBLE = frozenset({"So", "Sk", "Cf", "Cn", "Co", "Cs", "Cc"})
_EMOJI_JOINERS = frozenset("\u200d\ufe0e\ufe0f\u20e3")


def speakable(text: str) -> str:
    """Return ``text`` as it will be said, in one line; "" if there is nothing to say."""
    for pattern in (_FENCE, _RULE, _HEADING, _BULLET, _QUOTE, _IMAGE):
        text = pattern.sub("", text)
    text = _LINK.sub(r"\1", text)
    text = _ADDRESS.sub(r"\1\2", text)
    text = _TAG.sub("", text)
    text = _STRONG.sub(r"\2", _STRONG.sub(r"\2", text))
    text = _STARS.sub("", _TICKS.sub("", text))
    text = "".join(_sayable(char) for char in text)
    text = " ".join(text.split())
    return text if any(char.isalnum() for char in text) else ""


def _sayable(char: str) -> str:
    if char.isspace():
        return " "
    if char in _EMOJI_JOINERS:
        return ""
    if char in _READ_ALOUD or unicodedata.category(char) not in _INVISIBLE:
        return "'" if char == "\u2019" else char
    return ""
