"""The conversation as the model may see it: what people said, and of the avatar what was heard.

Words that nobody heard are not in it. What the model has to know about a cut it is told in words
of our own, made at the moment of asking and never stored.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from agent.speech.turns import AvatarSegment, PersonTurn, Turns, fold, in_order
from trail.content import Content
from trail.envelope import Envelope, Fact
from trail.events.delivery import DeliveryState, How
from trail.ids import ContentId

LAST_WORDS: Final = 6
"""How many heard words a note repeats to say where the cut was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One message of a prompt."""

    role: Literal["user", "assistant", "system"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Turns with the words they refer to."""

    turns: Turns = field(default_factory=Turns)
    texts: Mapping[ContentId, str] = field(default_factory=dict[ContentId, str])


def remember(
    history: History, fact: Fact, *, at_s: float, contents: Iterable[Content] = ()
) -> History:
    """Return ``history`` with one more recorded fact and the words that came with it."""
    new = {content.ref.content_id: content.text for content in contents}
    texts = {**history.texts, **new} if new else history.texts
    return replace(history, turns=fold(history.turns, fact, at_s), texts=texts)


def history_from(envelopes: Iterable[Envelope[Fact]], texts: Mapping[ContentId, str]) -> History:
    """Return the history of a session as its trail tells it, to go on from there."""
    history = History(texts=texts)
    for envelope in envelopes:
        history = remember(history, envelope.fact, at_s=envelope.at_s or 0.0)
    return history


def prompt_messages(history: History) -> tuple[Line, ...]:
    """Return what the model may read of the conversation, in the order in which it was heard.

    Adding turns leaves earlier lines as they are, so that a model may keep what it has read.
    """
    lines: list[Line] = []
    for turn in in_order(history.turns):
        match turn:
            case PersonTurn(fact=fact):
                said = history.texts.get(fact.words.content_id, "")
                lines.extend(_line("user", said))
            case AvatarSegment():
                heard = heard_text(turn, history.texts)
                lines.extend(_line("assistant", heard))
                lines.extend(_line("system", _note(turn, heard)))
    return tuple(lines)


def heard_text(segment: AvatarSegment, texts: Mapping[ContentId, str]) -> str:
    """Return what was heard of a segment: a prefix of what was generated, empty if unknown."""
    if segment.words is None or segment.state in _NOT_HEARD:
        return ""
    return texts.get(segment.words.content_id, "")[: segment.heard_chars]


_NOT_HEARD: Final = frozenset(
    {
        DeliveryState.NONE,
        DeliveryState.CANCELED,
        DeliveryState.SUPERSEDED,
        DeliveryState.UNKNOWN,
    }
)


def _line(role: Literal["user", "assistant", "system"], text: str) -> tuple[Line, ...]:
    return (Line(role=role, text=text.strip()),) if text.strip() else ()


def _note(segment: AvatarSegment, heard: str) -> str:
    """Return what the model has to be told about a segment; empty if nothing."""
    end = " ".join(heard.split()[-LAST_WORDS:])
    match segment.state:
        case DeliveryState.UNKNOWN:
            return (
                "You said something more here. It is not known whether the person heard any of "
                "it, so do not count on it."
            )
        case DeliveryState.PENDING if heard:
            return f'You are still speaking; so far the person has heard up to "{end}".'
        case DeliveryState.PARTIAL if segment.how is How.INTERRUPTED:
            return (
                f'You were interrupted here. The person heard you only up to "{end}"; '
                "nothing you meant to say after that reached them."
            )
        case DeliveryState.PARTIAL:
            return f'Your voice stopped after "{end}"; the person heard nothing beyond that.'
        case _:
            return ""
