"""What every store promises of words, on memory, SQLite and PostgreSQL."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import make_url

from tests.databases import Place
from tests.trail.builders import ANNA, BEN, STREAM, spoken
from trail.chain import verify
from trail.content import content, digest
from trail.errors import ContractError
from trail.ids import ContentId

ODD_WORDS = [
    "",
    "Lisbon, of course.",
    "\x00 and \x1b[31m",
    "\u05e9\u05dc\u05d5\u05dd \u202e 🙂 e\u0301",
    "a" * 1_000_000,
]


@pytest.mark.parametrize("text", ODD_WORDS, ids=lambda text: f"{len(text)}-{text[:5]!a}")
async def test_words_come_back_as_they_were(place: Place, text: str) -> None:
    entry, words = spoken(text)
    async with place.open() as store:
        await store.append(STREAM, [entry], expected=0)

        assert await store.texts([words.ref.content_id]) == {words.ref.content_id: text}


async def test_given_half_a_character_when_words_are_made_then_they_can_be_kept(
    place: Place,
) -> None:
    words = content("a\ud83d b", owner=None)

    assert words.text == "a? b"
    assert words.ref.digest == digest(words.salt, words.text)


async def test_given_words_erased_when_read_then_they_are_gone_and_the_chain_holds(
    place: Place,
) -> None:
    (first, kept), (second, gone) = spoken("keep this"), spoken("and not this one")
    ids = [kept.ref.content_id, gone.ref.content_id, ContentId("never heard of")]
    async with place.open() as store:
        await store.append(STREAM, [first, second], expected=0)

        assert await store.erase([gone.ref.content_id], owner=None) == 1
        assert await store.erase([gone.ref.content_id], owner=None) == 0

        assert await store.texts(ids) == {kept.ref.content_id: "keep this"}
        facts = await store.read(STREAM)
    verify(facts)
    assert [envelope.fact for envelope in facts] == [first.fact, second.fact]


async def test_given_an_owner_when_erasing_then_only_theirs_go(place: Place) -> None:
    a, annas = spoken("a")
    b, bens = spoken("b", owner=BEN)
    c, nobodys = spoken("c", owner=None)
    ids = [words.ref.content_id for words in (annas, bens, nobodys)]
    async with place.open() as store:
        await store.append(STREAM, [a, b, c], expected=0)
        assert await store.count(ids, owner=ANNA) == 1
        assert await store.count([*ids, *ids], owner=None) == 3

        assert await store.erase(ids, owner=ANNA) == 1

        assert await store.count(ids, owner=ANNA) == 0
        assert set((await store.texts(ids)).values()) == {"b", "c"}
        assert await store.erase(ids, owner=None) == 2


async def test_given_more_ids_than_one_statement_takes_when_erasing_then_all_go(
    place: Place,
) -> None:
    pairs = [spoken(f"word {number}") for number in range(1_203)]
    ids = [words.ref.content_id for _, words in pairs]
    async with place.open() as store:
        await store.append(STREAM, [entry for entry, _ in pairs], expected=0)
        assert len(await store.texts(ids)) == 1_203

        assert await store.erase(ids, owner=ANNA) == 1_203
        assert await store.texts(ids) == {}
        assert await store.erase([], owner=None) == 0


async def test_given_a_content_twice_when_appending_then_it_is_refused(place: Place) -> None:
    (one, words), (two, _) = spoken("once"), spoken("twice", owner=BEN)
    async with place.open() as store:
        await store.append(STREAM, [one], expected=0)

        with pytest.raises(ContractError):
            await store.append(STREAM, [replace(two, contents=(words,))], expected=1)

        assert await store.head(STREAM) == 1


async def test_given_words_erased_then_no_file_of_the_database_holds_them(
    sqlite_place: Place,
) -> None:
    canary = "canary-sings-in-Lisbon"
    pairs = [spoken(f"{canary} {number}") for number in range(50)]
    others = [spoken(f"something else {number}") for number in range(50)]
    folder = Path(make_url(sqlite_place.url).database or "").parent
    async with sqlite_place.open() as store:
        await store.append(STREAM, [entry for entry, _ in (*pairs, *others)], expected=0)
        assert any(canary.encode() in path.read_bytes() for path in folder.iterdir())

        await store.erase([words.ref.content_id for _, words in pairs], owner=None)

        files = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert len(files) >= 3
    for name, bytes_ in files.items():
        assert canary.encode() not in bytes_, name
        assert not any(words.salt in bytes_ for _, words in pairs), name
