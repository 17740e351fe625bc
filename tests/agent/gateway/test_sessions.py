"""Sessions: one sees what one belongs to and could perceive, and nothing tells of the rest."""

from contextlib import AsyncExitStack
from dataclasses import dataclass

import httpx
import pytest

from tests.agent.gateway.talk import Talk
from tests.agent.gateway.visit import Site, problem_code, site
from trail.events.policy import PolicyDecided
from trail.events.session import SessionErased
from trail.ids import ParticipantId, PersonId, RoomName, SessionId, person_stream, session_stream


@dataclass
class Scene:
    """Ada's session: alone at first, then with Bo, who leaves; Eve was never there."""

    here: Site
    ada: httpx.AsyncClient
    bo: httpx.AsyncClient
    eve: httpx.AsyncClient
    session_id: SessionId
    room: RoomName
    ada_id: str
    bo_id: str

    @property
    def address(self) -> str:
        return f"/api/sessions/{self.session_id}"


async def scene(stack: AsyncExitStack) -> Scene:
    here = site()
    ada, bo, eve = [await stack.enter_async_context(here.visitor(n)) for n in ("Ada", "Bo", "Eve")]
    ada_id = (await ada.get("/api/me")).json()["person_id"]
    bo_id = (await bo.get("/api/me")).json()["person_id"]
    opened = (await ada.post("/api/token", json={})).json()
    session_id = SessionId(opened["session_id"])
    talk = Talk(session_id=session_id, owner=PersonId(ada_id))
    entries = [
        talk.opened(),
        talk.joined(ada_id),
        talk.said("only Ada hears this", "t1", ada_id, at_s=1),
        *talk.answered("for Ada alone", "a1", "t1", ada_id, at_s=3),
        talk.joined(ada_id, bo_id),
        talk.said("both hear this", "t2", ada_id, bo_id, at_s=10),
        *talk.answered("for both", "a2", "t2", ada_id, bo_id, at_s=12),
        talk.left(bo_id, ada_id),
        talk.said("Bo has left", "t3", ada_id, at_s=20),
        talk.ended(),
    ]
    await here.store.append(session_stream(session_id), entries, expected=0)
    await here.store.admit(session_id, PersonId(bo_id))
    return Scene(here, ada, bo, eve, session_id, RoomName(opened["room_name"]), ada_id, bo_id)


async def test_given_two_people_when_each_lists_sessions_then_each_sees_their_own() -> None:
    async with AsyncExitStack() as stack:
        at = await scene(stack)
        (ada,) = (await at.ada.get("/api/sessions")).json()["sessions"]
        (bo,) = (await at.bo.get("/api/sessions")).json()["sessions"]
        eve = (await at.eve.get("/api/sessions")).json()["sessions"]
        one = (await at.bo.get(at.address)).json()

    assert (ada["session_id"], ada["mine"], bo["mine"]) == (at.session_id, True, False)
    assert eve == []
    assert [who["name"] for who in one["people"]] == ["Ada", "Bo"]


@pytest.mark.parametrize("what", ["", "/transcript", "/trail"])
async def test_given_a_foreign_session_when_read_then_it_answers_like_an_unknown_one(
    what: str,
) -> None:
    async with AsyncExitStack() as stack:
        at = await scene(stack)
        foreign = await at.eve.get(at.address + what)
        unknown = await at.eve.get(f"/api/sessions/01a22e20-0000-7000-8000-000000000000{what}")
        odd = await at.eve.get(f"/api/sessions/%00%2e%2e{'x' * 300}{what}")

    assert (foreign.status_code, problem_code(foreign)) == (404, "not_found")
    assert foreign.json() == unknown.json() == odd.json()


@pytest.mark.parametrize("what", ["", "/transcript", "/trail"])
async def test_given_nobody_when_a_session_is_read_then_sign_in_is_asked(what: str) -> None:
    async with AsyncExitStack() as stack:
        at = await scene(stack)
        nobody = await stack.enter_async_context(at.here.visitor())
        answer = await nobody.get(at.address + what)

    assert (answer.status_code, problem_code(answer)) == (401, "sign_in_needed")


async def test_given_a_guest_when_they_read_the_transcript_then_it_holds_what_they_heard() -> None:
    async with AsyncExitStack() as stack:
        at = await scene(stack)
        ada = (await at.ada.get(f"{at.address}/transcript")).json()
        bo = (await at.bo.get(f"{at.address}/transcript")).json()

    assert ada["session_id"] == at.session_id
    assert [turn["text"] for turn in ada["turns"]] == [
        "only Ada hears this",
        "for Ada alone",
        "both hear this",
        "for both",
        "Bo has left",
    ]
    assert [turn["text"] for turn in bo["turns"]] == ["both hear this", "for both"]
    assert bo["turns"][1]["delivery"]["state"] == "full"


async def test_given_the_operator_when_it_reads_then_it_sees_all_and_that_is_written_down() -> None:
    async with AsyncExitStack() as stack:
        at = await scene(stack)
        operator = await stack.enter_async_context(at.here.operator())
        read = (await operator.get(f"{at.address}/transcript")).json()
        listed = (await operator.get("/api/sessions")).json()["sessions"]

    facts = [one.fact for one in await at.here.store.read(person_stream(PersonId(at.ada_id)))]
    decided = [fact for fact in facts if isinstance(fact, PolicyDecided)]
    assert len(read["turns"]) == 5
    assert [one["session_id"] for one in listed] == [at.session_id]
    assert [(one.action, one.subject, one.effect) for one in decided] == [
        ("audit", "operator", "allow")
    ]
    assert decided[0].rules == ("audit.operator",)


async def test_given_a_profile_without_reading_when_asked_then_the_rules_refuse_it() -> None:
    async with AsyncExitStack() as stack:
        at = await scene(stack)
        closed = site(store=at.here.store, profile="none")
        visitor = await stack.enter_async_context(closed.visitor())
        visitor.cookies.update(at.ada.cookies)
        answer = await visitor.get(f"{at.address}/transcript")

    facts = [one.fact for one in await at.here.store.read(person_stream(PersonId(at.ada_id)))]
    assert (answer.status_code, problem_code(answer)) == (403, "policy_denied")
    assert isinstance(facts[-1], PolicyDecided)
    assert facts[-1].effect == "deny"


async def test_given_a_guest_when_they_read_the_trail_then_the_rest_is_number_and_digest() -> None:
    async with AsyncExitStack() as stack:
        at = await scene(stack)
        whole = (await at.ada.get(f"{at.address}/trail")).json()
        part = (await at.bo.get(f"{at.address}/trail")).json()

    hidden = [item for item in part["items"] if item.keys() == {"position", "digest"}]
    shown = [item for item in part["items"] if "payload" in item]
    assert [item["position"] for item in part["items"]] == list(range(1, 15))
    assert [item["digest"] for item in part["items"]] == [i["digest"] for i in whole["items"]]
    assert [item["position"] for item in hidden] == [1, 2, 3, 4, 5, 6, 13]
    assert [item["event_type"] for item in shown] == [
        "participant.joined",
        "interaction.turn.committed",
        "generation.segment_generated",
        "delivery.segment_started",
        "delivery.segment_finished",
        "participant.left",
        "session.ended",
    ]


async def test_given_a_long_trail_when_paged_then_pages_join_without_a_gap() -> None:
    async with AsyncExitStack() as stack:
        at = await scene(stack)
        seen: list[int] = []
        after = 0
        while True:
            page = (await at.bo.get(f"{at.address}/trail?after={after}&limit=5")).json()
            if not page["items"]:
                break
            seen += [item["position"] for item in page["items"]]
            after = page["next_after"]

    assert seen == list(range(1, page["head"] + 1))


@pytest.mark.parametrize(
    "query", ["after=-1", "after=x", "limit=0", "limit=9999", f"after={2**70}"]
)
async def test_given_an_odd_page_when_asked_then_the_field_is_named(query: str) -> None:
    async with AsyncExitStack() as stack:
        at = await scene(stack)
        answer = await at.ada.get(f"{at.address}/trail?{query}")

    assert (answer.status_code, problem_code(answer)) == (422, "field_not_accepted")
    assert answer.json()["errors"][0]["field"] == query.partition("=")[0]


async def test_given_a_finished_session_when_followed_then_it_plays_to_the_end_and_stops() -> None:
    async with AsyncExitStack() as stack:
        at = await scene(stack)
        live = {"Accept": "text/event-stream"}
        first = await at.bo.get(f"{at.address}/trail", headers=live)
        later = await at.bo.get(f"{at.address}/trail", headers={**live, "Last-Event-ID": "12"})
        done = await at.bo.get(f"{at.address}/trail?after=14", headers=live)
        odd = await at.bo.get(f"{at.address}/trail", headers={**live, "Last-Event-ID": "x"})

    assert first.headers["content-type"].startswith("text/event-stream")
    assert [line for line in first.text.splitlines() if line.startswith("id:")] == [
        f"id: {n}" for n in range(1, 15)
    ]
    assert first.text.endswith("event: end\ndata: {}\n\n")
    assert [line for line in later.text.splitlines() if line.startswith("id:")] == [
        "id: 13",
        "id: 14",
    ]
    assert done.status_code == 204
    assert problem_code(odd) == "field_not_accepted"


async def test_given_own_words_when_a_session_is_deleted_then_others_words_stay() -> None:
    async with AsyncExitStack() as stack:
        at = await scene(stack)
        first = await at.ada.delete(at.address)
        read = (await at.ada.get(f"{at.address}/transcript")).json()
        foreign = await at.eve.delete(at.address)

    facts = [one.fact for one in await at.here.store.read(person_stream(PersonId(at.ada_id)))]
    assert first.json() == {"own_before": 3, "own_after": 0, "others": 0}
    assert [turn["text"] for turn in read["turns"]][:2] == ["[erased, 4 words]", "for Ada alone"]
    assert (foreign.status_code, problem_code(foreign)) == (404, "not_found")
    assert any(isinstance(fact, SessionErased) for fact in facts)


async def test_given_the_operator_when_it_deletes_a_session_then_no_word_is_left() -> None:
    async with AsyncExitStack() as stack:
        at = await scene(stack)
        operator = await stack.enter_async_context(at.here.operator())
        answer = await operator.delete(at.address)
        read = (await at.ada.get(f"{at.address}/transcript")).json()

    assert answer.json()["own_after"] == 0
    assert all(turn["text"].startswith("[erased") for turn in read["turns"])


async def test_given_a_running_session_when_deleted_then_it_is_to_be_left_first() -> None:
    async with AsyncExitStack() as stack:
        at = await scene(stack)
        await at.here.store.acquire(session_stream(at.session_id), "worker", ttl_s=30)
        answer = await at.ada.delete(at.address)

    assert (answer.status_code, problem_code(answer)) == (409, "session_running")


async def test_given_a_person_inside_when_they_leave_then_only_they_are_removed() -> None:
    async with AsyncExitStack() as stack:
        at = await scene(stack)
        inside = {ParticipantId(at.ada_id), ParticipantId(at.bo_id)}
        at.here.rooms.inside[at.room] = inside
        foreign = await at.eve.post(f"{at.address}/leave", json={})
        answer = await at.bo.post(f"{at.address}/leave", json={})
        again = await at.bo.post(f"{at.address}/leave", json={})
        at.here.rooms.down = True
        down = await at.bo.post(f"{at.address}/leave", json={})

    assert foreign.status_code == 404
    assert (answer.status_code, again.status_code) == (204, 204)
    assert inside == {at.ada_id}
    assert (down.status_code, problem_code(down)) == (503, "unavailable")
    assert down.headers["retry-after"]
