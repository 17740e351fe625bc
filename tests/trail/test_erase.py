"""Deleting a session takes the asker's words, proves it, and leaves the chain whole."""

from datetime import UTC, datetime

import pytest

from tests.trail.builders import ANNA, BEN, SESSION, STREAM, mark, spoken, whole
from trail.adapters.in_memory import InMemoryStore
from trail.chain import verify
from trail.content import Content
from trail.erase import Erased, erase_session
from trail.events.session import SessionErased
from trail.ids import CharacterId, ParticipantId, PersonId, RoomName, person_stream
from trail.ports import SessionRow


@pytest.fixture
def store() -> InMemoryStore:
    return InMemoryStore()


async def _conversation(store: InMemoryStore, *people: PersonId) -> dict[str, Content]:
    await store.create(
        SessionRow(
            session_id=SESSION,
            room=RoomName("r"),
            owner=people[0],
            character_id=CharacterId("ada"),
            created_at=datetime(2026, 1, 1, tzinfo=UTC),
            ended_at=None,
            people=people,
        )
    )
    said: dict[str, Content] = {}
    entries = [mark(1)]
    for owner in (*people, None):
        for number in range(2):
            entry, words = spoken(f"{owner} {number}", owner=owner)
            entries.append(entry)
            said[words.text] = words
    await store.append(STREAM, entries, expected=0)
    return said


async def _left(store: InMemoryStore, said: dict[str, Content]) -> set[str]:
    return set((await store.texts([words.ref.content_id for words in said.values()])).values())


async def test_given_company_when_one_erases_then_only_their_words_go(
    store: InMemoryStore,
) -> None:
    said = await _conversation(store, ANNA, BEN)

    erased = await erase_session(store, session_id=SESSION, person_id=ANNA)

    assert erased == Erased(own_before=2, own_after=0, others=0)
    assert await _left(store, said) == {"ben 0", "ben 1", "None 0", "None 1"}
    (receipt,) = await store.read(person_stream(ANNA))
    assert receipt.fact == SessionErased(session_id=SESSION, contents_before=2, contents_after=0)
    assert receipt.participant_id == ParticipantId(ANNA)
    verify(await whole(store))


async def test_given_all_have_erased_then_the_rest_goes_too(store: InMemoryStore) -> None:
    said = await _conversation(store, ANNA, BEN)

    await erase_session(store, session_id=SESSION, person_id=BEN)
    last = await erase_session(store, session_id=SESSION, person_id=ANNA)

    assert last == Erased(own_before=2, own_after=0, others=2)
    assert await _left(store, said) == set()


async def test_given_an_operators_order_then_everybodys_words_go(store: InMemoryStore) -> None:
    said = await _conversation(store, ANNA, BEN)

    erased = await erase_session(store, session_id=SESSION, person_id=ANNA, everything=True)

    assert erased == Erased(own_before=2, own_after=0, others=4)
    assert await _left(store, said) == set()


async def test_given_a_stranger_when_erasing_then_nothing_goes(store: InMemoryStore) -> None:
    said = await _conversation(store, ANNA)

    erased = await erase_session(store, session_id=SESSION, person_id=PersonId("eve"))

    assert erased == Erased(own_before=0, own_after=0, others=0)
    assert len(await _left(store, said)) == 4


async def test_given_it_is_asked_twice_then_it_is_harmless(store: InMemoryStore) -> None:
    await _conversation(store, ANNA)

    first = await erase_session(store, session_id=SESSION, person_id=ANNA)
    second = await erase_session(store, session_id=SESSION, person_id=ANNA)

    assert first == Erased(own_before=2, own_after=0, others=2)
    assert second == Erased(own_before=0, own_after=0, others=0)
    assert len(await store.read(person_stream(ANNA))) == 2
