"""Invitations: one link, expiring, revocable; whoever came in by a revoked one has to leave."""

import json
from contextlib import AsyncExitStack

import httpx
import pytest

from tests.agent.gateway.visit import Site, problem_code, site
from trail.events.session import InvitationIssued, InvitationRedeemed, InvitationRevoked
from trail.ids import InvitationId, ParticipantId, PersonId, RoomName, SessionId, person_stream


async def opened(
    stack: AsyncExitStack,
) -> tuple[Site, httpx.AsyncClient, httpx.AsyncClient, str, str]:
    here = site()
    ada = await stack.enter_async_context(here.visitor("Ada"))
    bo = await stack.enter_async_context(here.visitor("Bo"))
    body = (await ada.post("/api/token", json={})).json()
    return here, ada, bo, f"/api/sessions/{body['session_id']}", body["room_name"]


async def who(client: httpx.AsyncClient) -> PersonId:
    return PersonId((await client.get("/api/me")).json()["person_id"])


async def test_given_an_invitation_when_redeemed_then_the_guest_may_enter() -> None:
    async with AsyncExitStack() as stack:
        here, ada, bo, address, room = await opened(stack)
        before = await bo.post("/api/token", json={"room_name": room})
        made = (await ada.post(f"{address}/invitations", json={})).json()
        redeemed = await bo.post("/api/invitations/redeem", json={"link": made["link"]})
        again = await bo.post("/api/invitations/redeem", json={"link": made["link"]})
        token = await bo.post("/api/token", json={"room_name": room})
        owner = await who(ada)
        guest = await who(bo)

    facts = [one.fact for one in await here.store.read(person_stream(owner))]
    stored = await here.store.invitation(InvitationId(made["invitation_id"]))
    secret = made["link"].rpartition(".")[2]
    assert made["link"].startswith("http://localhost:8080/#invitation=")
    assert before.status_code == 404
    assert redeemed.json()["room_name"] == room
    assert again.json() == redeemed.json()
    assert token.status_code == 201
    assert [type(fact) for fact in facts[2:]] == [InvitationIssued, InvitationRedeemed]
    assert isinstance(facts[3], InvitationRedeemed)
    assert facts[3].guest == guest
    assert stored is not None
    assert secret not in repr(stored) + repr(facts)


async def test_given_a_revoked_invitation_when_used_then_its_guests_are_out_and_stay_out() -> None:
    async with AsyncExitStack() as stack:
        here, ada, bo, address, room = await opened(stack)
        made = (await ada.post(f"{address}/invitations", json={})).json()
        await bo.post("/api/invitations/redeem", json={"link": made["link"]})
        inside = {ParticipantId(await who(ada)), ParticipantId(await who(bo))}
        here.rooms.inside[RoomName(room)] = inside
        gone = await ada.delete(f"{address}/invitations/{made['invitation_id']}")
        twice = await ada.delete(f"{address}/invitations/{made['invitation_id']}")
        token = await bo.post("/api/token", json={"room_name": room})
        redeemed = await bo.post("/api/invitations/redeem", json={"link": made["link"]})
        read = await bo.get(address)
        owner = await who(ada)

    facts = [one.fact for one in await here.store.read(person_stream(owner))]
    assert (gone.status_code, twice.status_code) == (204, 204)
    assert inside == {ParticipantId(owner)}
    assert (token.status_code, problem_code(token)) == (404, "not_found")
    assert (redeemed.status_code, problem_code(redeemed)) == (410, "invitation_revoked")
    assert read.status_code == 200
    assert [type(fact) for fact in facts].count(InvitationRevoked) == 1


async def test_given_two_invitations_when_one_is_revoked_then_the_other_still_admits() -> None:
    async with AsyncExitStack() as stack:
        here, ada, bo, address, room = await opened(stack)
        one, two = [(await ada.post(f"{address}/invitations", json={})).json() for _ in range(2)]
        for made in (one, two):
            await bo.post("/api/invitations/redeem", json={"link": made["link"]})
        inside = {ParticipantId(await who(bo))}
        here.rooms.inside[RoomName(room)] = inside
        await ada.delete(f"{address}/invitations/{one['invitation_id']}")
        token = await bo.post("/api/token", json={"room_name": room})

    assert len(inside) == 1
    assert token.status_code == 201


async def test_given_an_expired_invitation_when_redeemed_then_it_says_so() -> None:
    async with AsyncExitStack() as stack:
        here, ada, bo, address, _ = await opened(stack)
        made = (await ada.post(f"{address}/invitations", json={"expires_in_s": 60})).json()
        here.watch.advance(60)
        answer = await bo.post("/api/invitations/redeem", json={"link": made["link"]})

    assert (answer.status_code, problem_code(answer)) == (410, "invitation_expired")


async def test_given_an_ended_session_when_invited_or_redeemed_then_it_is_over() -> None:
    async with AsyncExitStack() as stack:
        here, ada, bo, address, _ = await opened(stack)
        made = (await ada.post(f"{address}/invitations", json={})).json()
        await here.store.end(SessionId(address.rpartition("/")[2]), at=here.watch.utc())
        redeemed = await bo.post("/api/invitations/redeem", json={"link": made["link"]})
        invited = await ada.post(f"{address}/invitations", json={})

    assert problem_code(redeemed) == problem_code(invited) == "session_ended"


async def test_given_a_guest_when_they_invite_or_revoke_then_the_session_is_not_theirs() -> None:
    async with AsyncExitStack() as stack:
        _, ada, bo, address, _ = await opened(stack)
        made = (await ada.post(f"{address}/invitations", json={})).json()
        await bo.post("/api/invitations/redeem", json={"link": made["link"]})
        invited = await bo.post(f"{address}/invitations", json={})
        revoked = await bo.delete(f"{address}/invitations/{made['invitation_id']}")

    assert (invited.status_code, revoked.status_code) == (404, 404)


@pytest.mark.parametrize(
    "change",
    [
        lambda link: link[:-1],
        lambda link: link + "x",
        lambda _: "",
        lambda _: "x.y",
        lambda link: link.rpartition(".")[0],
        lambda _: "\ud800.\ud800",
    ],
)
async def test_given_a_wrong_link_when_redeemed_then_nobody_comes_in(change: object) -> None:
    assert callable(change)
    async with AsyncExitStack() as stack:
        _, ada, bo, address, room = await opened(stack)
        made = (await ada.post(f"{address}/invitations", json={})).json()
        answer = await bo.post(
            "/api/invitations/redeem",
            content=json.dumps({"link": change(made["link"])}),
            headers={"Content-Type": "application/json"},
        )
        token = await bo.post("/api/token", json={"room_name": room})

    assert answer.status_code in {404, 422}
    assert problem_code(answer) in {"invitation_unknown", "field_not_accepted"}
    assert token.status_code == 404


async def test_given_many_guesses_when_redeeming_then_one_is_told_to_wait() -> None:
    async with AsyncExitStack() as stack:
        _, _, bo, _, _ = await opened(stack)
        answers = [
            await bo.post("/api/invitations/redeem", json={"link": f"{n}.x"}) for n in range(40)
        ]

    assert problem_code(answers[-1]) == "too_often"


async def test_given_a_guest_turned_away_when_they_return_by_old_token_then_they_are_out() -> None:
    async with AsyncExitStack() as stack:
        here, ada, bo, address, room = await opened(stack)
        made = (await ada.post(f"{address}/invitations", json={})).json()
        await bo.post("/api/invitations/redeem", json={"link": made["link"]})
        await ada.delete(f"{address}/invitations/{made['invitation_id']}")
        inside = {ParticipantId(await who(ada)), ParticipantId(await who(bo))}
        here.rooms.inside[RoomName(room)] = inside
        door = here.app.state.desk.turned_away
        here.rooms.down = True
        await door.look()
        here.rooms.down = False
        await door.look()
        after_a_look = set(inside)
        here.watch.advance(15 * 60)
        inside.add(ParticipantId(await who(bo)))
        await door.look()
        owner = await who(ada)

    assert after_a_look == {ParticipantId(owner)}
    assert len(inside) == 2


async def test_given_a_guest_turned_away_when_invited_anew_then_they_may_stay() -> None:
    async with AsyncExitStack() as stack:
        here, ada, bo, address, room = await opened(stack)
        first = (await ada.post(f"{address}/invitations", json={})).json()
        await bo.post("/api/invitations/redeem", json={"link": first["link"]})
        await ada.delete(f"{address}/invitations/{first['invitation_id']}")
        second = (await ada.post(f"{address}/invitations", json={})).json()
        await bo.post("/api/invitations/redeem", json={"link": second["link"]})
        inside = {ParticipantId(await who(bo))}
        here.rooms.inside[RoomName(room)] = inside
        await here.app.state.desk.turned_away.look()

    assert len(inside) == 1


async def test_given_a_full_room_when_another_guest_comes_then_they_are_told_so() -> None:
    async with AsyncExitStack() as stack:
        here, ada, bo, address, room = await opened(stack)
        made = (await ada.post(f"{address}/invitations", json={})).json()
        await bo.post("/api/invitations/redeem", json={"link": made["link"]})
        here.rooms.inside[RoomName(room)] = {ParticipantId(f"p{n}") for n in range(4)}
        full = await bo.post("/api/token", json={"room_name": room})
        here.rooms.inside[RoomName(room)].pop()
        here.rooms.inside[RoomName(room)].add(ParticipantId(await who(bo)))
        again = await bo.post("/api/token", json={"room_name": room})

    assert (full.status_code, problem_code(full)) == (409, "room_full")
    assert again.status_code == 201
