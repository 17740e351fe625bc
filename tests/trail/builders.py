"""Short ways to say what a test of the trail is about."""

from trail.content import Content, content
from trail.envelope import Entry, Envelope, Fact
from trail.events.house import HouseStopped, WorkerReplaced
from trail.events.session import PersonNamed
from trail.ids import ParticipantId, PersonId, SessionId, StreamName, session_stream
from trail.ports import Store

ANNA = PersonId("anna")
BEN = PersonId("ben")
SESSION = SessionId("0190c0de")
STREAM = session_stream(SESSION)


def mark(number: int, *, about: PersonId | None = None) -> Entry:
    """An entry that can be told from others by its number."""
    who = ParticipantId(about) if about is not None else None
    return Entry(fact=WorkerReplaced(lost_for_s=float(number)), participant_id=who, at_s=number / 3)


def number_of(envelope: Envelope[Fact]) -> int:
    """The number given to `mark`."""
    fact = envelope.fact
    assert isinstance(fact, WorkerReplaced)
    return int(fact.lost_for_s)


def spoken(text: str, *, owner: PersonId | None = ANNA) -> tuple[Entry, Content]:
    """An entry that refers to words, and the words."""
    words = content(text, owner=owner)
    return Entry(fact=PersonNamed(name=words.ref), contents=(words,)), words


def unfit() -> Entry:
    """An entry that no store takes: its part is no text."""
    return Entry(fact=HouseStopped(part=object()))  # type: ignore[arg-type]  # wrong on purpose


async def whole(store: Store, stream: StreamName = STREAM) -> list[Envelope[Fact]]:
    """Everything in a stream, page by page."""
    found: list[Envelope[Fact]] = []
    while page := await store.read(stream, after=len(found)):
        found.extend(page)
    return found
