"""What every store promises of sessions, invitations and people, on all three."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tests.databases import Place
from tests.trail.builders import ANNA, BEN
from trail.errors import ContractError
from trail.ids import CharacterId, InvitationId, PersonId, RoomName, SessionId
from trail.ports import Invitation, Person, SessionRow

DAY = datetime(2026, 1, 1, 12, tzinfo=UTC)
CLARA = PersonId("clara")
FIRST = SessionRow(
    session_id=SessionId("s1"),
    room=RoomName("r1"),
    owner=ANNA,
    character_id=CharacterId("ada"),
    created_at=DAY,
    ended_at=None,
    people=(ANNA,),
)
SECOND = replace(
    FIRST,
    session_id=SessionId("s2"),
    room=RoomName("r2"),
    owner=BEN,
    created_at=DAY + timedelta(microseconds=1),
    people=(BEN, ANNA),
)
INVITATION = Invitation(
    invitation_id=InvitationId("i"),
    session_id=FIRST.session_id,
    secret_digest="0" * 64,
    expires_at=DAY + timedelta(days=1),
    revoked=False,
)


async def test_given_a_session_when_sought_by_id_or_room_then_it_is_found(place: Place) -> None:
    async with place.open() as store:
        await store.create(FIRST)
        await store.create(SECOND)

        assert await store.find(session_id=FIRST.session_id, room=None) == FIRST
        assert await store.find(session_id=None, room=SECOND.room) == SECOND
        assert await store.find(session_id=FIRST.session_id, room=SECOND.room) is None
        assert await store.find(session_id=None, room=None) is None


@pytest.mark.parametrize("name", ["r3", "r1\x00", "r1\ud800", "' OR 1=1 --"])
async def test_given_a_name_nobody_has_when_sought_then_nothing_is_found(
    place: Place, name: str
) -> None:
    async with place.open() as store:
        await store.create(FIRST)

        assert await store.find(session_id=None, room=RoomName(name)) is None
        assert await store.invitation(InvitationId(name)) is None
        assert await store.person(PersonId(name)) is None
        assert await store.sessions_of(PersonId(name)) == []


async def test_given_a_taken_id_or_room_when_created_then_it_is_refused_whole(
    place: Place,
) -> None:
    async with place.open() as store:
        await store.create(FIRST)

        with pytest.raises(ContractError):
            await store.create(replace(SECOND, session_id=FIRST.session_id))
        with pytest.raises(ContractError):
            await store.create(replace(SECOND, room=FIRST.room))

        assert await store.sessions_of(None) == [FIRST]


async def test_sessions_come_newest_first_and_for_those_who_belong_to_them(place: Place) -> None:
    async with place.open() as store:
        await store.create(FIRST)
        await store.create(SECOND)

        assert await store.sessions_of(ANNA) == [SECOND, FIRST]
        assert await store.sessions_of(BEN) == [SECOND]
        assert await store.sessions_of(None, limit=1) == [SECOND]
        assert await store.sessions_of(CLARA) == []


async def test_given_somebody_admitted_twice_then_they_belong_once_after_the_others(
    place: Place,
) -> None:
    async with place.open() as store:
        await store.create(FIRST)

        for person_id in (CLARA, BEN, CLARA, ANNA):
            await store.admit(FIRST.session_id, person_id)

        found = await store.find(session_id=FIRST.session_id, room=None)
        assert found == replace(FIRST, people=(ANNA, CLARA, BEN))


async def test_given_an_ended_session_then_it_is_not_among_the_open_ones(place: Place) -> None:
    async with place.open() as store:
        await store.create(FIRST)
        await store.create(SECOND)

        await store.end(FIRST.session_id, at=DAY + timedelta(hours=1))

        ended = await store.find(session_id=FIRST.session_id, room=None)
        assert ended == replace(FIRST, ended_at=DAY + timedelta(hours=1))
        assert await store.sessions_of(ANNA, open_only=True) == [SECOND]


async def test_given_no_such_session_when_changed_then_it_is_refused(place: Place) -> None:
    async with place.open() as store:
        with pytest.raises(ContractError):
            await store.admit(FIRST.session_id, BEN)
        with pytest.raises(ContractError):
            await store.end(FIRST.session_id, at=DAY)
        with pytest.raises(ContractError):
            await store.issue(INVITATION)


async def test_given_an_invitation_when_revoked_then_it_says_so(place: Place) -> None:
    async with place.open() as store:
        await store.create(FIRST)
        await store.issue(INVITATION)
        assert await store.invitation(INVITATION.invitation_id) == INVITATION

        await store.revoke(INVITATION.invitation_id)
        await store.revoke(InvitationId("unknown"))

        revoked = await store.invitation(INVITATION.invitation_id)
        assert revoked == replace(INVITATION, revoked=True)
        with pytest.raises(ContractError):
            await store.issue(INVITATION)


async def test_given_a_new_name_when_added_then_the_person_stays_the_same(place: Place) -> None:
    anna = Person(person_id=ANNA, name="Anna", created_at=DAY, last_seen_at=DAY)
    later = DAY + timedelta(days=3)
    async with place.open() as store:
        await store.add(anna)
        await store.add(Person(person_id=BEN, name="", created_at=DAY, last_seen_at=later))
        assert [person.person_id for person in await store.people()] == [BEN, ANNA]

        odd = "\x00\u202eannA\x1b 🙂"
        much_later = later + timedelta(days=1)
        await store.add(replace(anna, name=odd, created_at=much_later, last_seen_at=much_later))

        renamed = replace(anna, name=odd, last_seen_at=much_later)
        assert await store.person(ANNA) == renamed
        assert (await store.people())[0] == renamed
