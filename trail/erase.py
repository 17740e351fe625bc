"""Deleting a session's words for one person; the chain of its facts stays whole.

Everybody erases what they said themselves. What nobody owns, such as the avatar's words, goes with
the last of the people who were admitted, or when everything is asked for.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Protocol, cast

from trail.content import ContentRef
from trail.envelope import Entry, Envelope, Fact, PrivacyClass
from trail.events.session import SessionErased
from trail.ids import (
    ContentId,
    ParticipantId,
    PersonId,
    SessionId,
    StreamName,
    person_stream,
    session_stream,
)
from trail.ports import ContentStore, SessionDirectory, TrailReader, TrailWriter


class Erasable(TrailWriter, TrailReader, ContentStore, SessionDirectory, Protocol):
    """What erasing needs of the store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """What was erased, counted in contents."""

    own_before: int
    """Of the person who asked."""
    own_after: int
    """Still readable of this person; 0 unless something failed."""
    others: int
    """Erased beyond their own."""


async def erase_session(
    store: Erasable, *, session_id: SessionId, person_id: PersonId, everything: bool = False
) -> Erased:
    """Erase the words of ``person_id`` in a session and record it in the person's stream.

    Asking again is harmless; it counts what has been said since.

    Args:
        store: Where the words are.
        session_id: Which session.
        person_id: Who asks; policy has been asked before.
        everything: Also erase everybody else's words (an operator's order).

    Raises:
        DependencyUnavailable: the store did not answer; ask again.
    """
    ids = await _contents_of(store, session_stream(session_id))
    before = await store.count(ids, owner=person_id)
    await store.erase(ids, owner=person_id)
    after = await store.count(ids, owner=person_id)
    receipt = Entry(
        fact=SessionErased(session_id=session_id, contents_before=before, contents_after=after),
        privacy_class=PrivacyClass.PERSONAL,
        participant_id=ParticipantId(person_id),
    )
    await store.append(person_stream(person_id), [receipt], expected=None)
    others = 0
    if everything or await _all_have_erased(store, session_id):
        others = await store.erase(ids, owner=None)
    return Erased(own_before=before, own_after=after, others=others)


def references(fact: Fact) -> Iterator[ContentRef]:
    """Yield every reference to words that ``fact`` holds."""
    for field in fields(fact):  # type: ignore[arg-type]  # every fact is a dataclass
        value: object = getattr(fact, field.name)
        items = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
        yield from (item for item in items if isinstance(item, ContentRef))


async def _contents_of(store: TrailReader, stream: StreamName) -> Sequence[ContentId]:
    facts = await _whole(store, stream)
    return [ref.content_id for envelope in facts for ref in references(envelope.fact)]


async def _all_have_erased(store: Erasable, session_id: SessionId) -> bool:
    row = await store.find(session_id=session_id, room=None)
    if row is None:
        return False
    for person_id in row.people:
        facts = [envelope.fact for envelope in await _whole(store, person_stream(person_id))]
        erased = (f.session_id for f in facts if isinstance(f, SessionErased))
        if session_id not in erased:
            return False
    return True


async def _whole(store: TrailReader, stream: StreamName) -> Sequence[Envelope[Fact]]:
    found: list[Envelope[Fact]] = []
    while page := await store.read(stream, after=len(found)):
        found.extend(page)
    return found
