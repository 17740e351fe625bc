"""Short ways to say what a test of the ledger is about."""

from collections.abc import Sequence

from agent.speech.alignment import TimedWord
from agent.speech.ledger import Ledger
from trail.content import ContentRef, content
from trail.envelope import Fact
from trail.events.delivery import SegmentFinished
from trail.events.generation import Origin
from trail.ids import ParticipantId, SegmentId, TurnId

S = SegmentId("s1")
T = TurnId("t1")
ANNA = ParticipantId("anna")
AVATAR = ParticipantId("avatar-1")


def ledger_with(text: str, *, complete: bool = True) -> Ledger:
    ledger = Ledger(AVATAR)
    ledger.open(S, T, answers=None, origin=Origin.REPLY, provider="local", model="m")
    ledger.extend(S, text)
    if complete:
        ledger.complete(S, complete=True)
    return ledger


def timed(text: str, *, word_s: float = 1.0) -> tuple[TimedWord, ...]:
    """One word after the other, each ``word_s`` long."""
    return tuple(
        TimedWord(text=word, start_s=index * word_s, end_s=(index + 1) * word_s)
        for index, word in enumerate(text.split())
    )


def speaking(
    text: str, *, words: Sequence[TimedWord] | None = None, complete: bool = True
) -> Ledger:
    """A ledger whose only segment is playing; each of its words is a second long."""
    ledger = ledger_with(text, complete=complete)
    ledger.voiced(
        S,
        chars=(0, len(text)),
        start_s=0.0,
        duration_s=float(len(text.split())),
        words=timed(text) if words is None else words,
    )
    ledger.queued(S)
    ledger.started(S, addressee=ANNA, audience=(ANNA,))
    return ledger


def end_of(facts: Sequence[Fact]) -> SegmentFinished:
    (end,) = (fact for fact in facts if isinstance(fact, SegmentFinished))
    return end


def heard_of(ledger: Ledger, end: SegmentFinished) -> str:
    return ledger.text(end.segment)[: end.heard_chars]


def some_words(text: str = "some words") -> ContentRef:
    return content(text, owner=None).ref
