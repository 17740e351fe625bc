"""Room tokens: one's own room or one that one belongs to, and nothing else of one's choosing."""

import json
from typing import Any

import httpx
import jwt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.agent.gateway.visit import LIVEKIT_SECRET, problem_code, site
from trail.events.session import SessionRequested
from trail.ids import PersonId, SessionId, person_stream


def claims(answer: httpx.Response) -> dict[str, Any]:
    read: dict[str, Any] = jwt.decode(
        answer.json()["participant_token"],
        LIVEKIT_SECRET,
        algorithms=["HS256"],
        options={"verify_exp": False, "verify_nbf": False},
    )
    return read


async def test_given_a_person_when_they_ask_for_a_token_then_a_room_of_their_own_opens() -> None:
    here = site(people_at_most=3, return_s=60.0)
    async with here.visitor("Ada") as ada:
        me = (await ada.get("/api/me")).json()
        answer = await ada.post(
            "/api/token",
            json={"participant_attributes": {"time_zone": "Europe/Lisbon", "language": "en-GB"}},
        )

    said, body = claims(answer), answer.json()
    assert answer.status_code == 201
    assert answer.headers["cache-control"] == "no-store"
    assert body["server_url"] == "ws://127.0.0.1:7880"
    assert said["sub"] == me["person_id"]
    assert said["name"] == "Ada"
    assert said["exp"] - said["nbf"] == 15 * 60
    assert said["attributes"] == {
        "earwitness.time_zone": "Europe/Lisbon",
        "earwitness.language": "en-GB",
    }
    assert said["video"] == {
        "roomJoin": True,
        "room": body["room_name"],
        "canPublish": True,
        "canSubscribe": True,
        "canPublishData": True,
        "canPublishSources": ["microphone", "camera", "screen_share"],
        "canUpdateOwnMetadata": False,
    }
    config = said["roomConfig"]
    assert config["maxParticipants"] == 3
    assert config["departureTimeout"] == config["emptyTimeout"] == 75
    assert config["syncStreams"] is True
    (agent,) = config["agents"]
    assert agent["agentName"] == "earwitness"
    assert json.loads(agent["metadata"]) == {
        "session_id": body["session_id"],
        "owner": me["person_id"],
        "character_id": "ada",
    }
    assert "egress" not in config


async def test_given_a_zone_our_database_lacks_when_told_then_it_is_unknown_not_refused() -> None:
    async with site().visitor("Ada") as ada:
        answer = await ada.post(
            "/api/token", json={"participant_attributes": {"time_zone": "Mars/Base"}}
        )

    assert answer.status_code == 201
    assert claims(answer)["attributes"] == {}


async def test_given_a_new_room_when_it_opens_then_directory_and_trail_know_it() -> None:
    here = site()
    async with here.visitor("Ada") as ada:
        person = PersonId((await ada.get("/api/me")).json()["person_id"])
        body = (await ada.post("/api/token", json={})).json()

    row = await here.store.find(session_id=SessionId(body["session_id"]), room=None)
    facts = [one.fact for one in await here.store.read(person_stream(person))]
    assert row is not None
    assert (row.owner, row.room, row.people) == (person, body["room_name"], (person,))
    assert facts[-1] == SessionRequested(
        session_id=row.session_id, room=row.room, character_id=row.character_id
    )


async def test_given_many_tokens_when_rooms_open_then_no_two_share_a_name() -> None:
    async with site().visitor("Ada") as ada:
        names = {(await ada.post("/api/token", json={})).json()["room_name"] for _ in range(20)}

    assert len(names) == 20
    assert all(len(name) >= 20 for name in names)


async def test_given_an_open_session_when_its_owner_returns_then_the_agent_is_called_anew() -> None:
    async with site().visitor("Ada") as ada:
        first = await ada.post("/api/token", json={})
        again = await ada.post("/api/token", json={"room_name": first.json()["room_name"]})

    assert again.status_code == 201
    assert again.json()["session_id"] == first.json()["session_id"]
    assert claims(again)["roomConfig"] == claims(first)["roomConfig"]


async def test_given_an_ended_session_when_its_owner_returns_then_it_is_gone() -> None:
    here = site()
    async with here.visitor("Ada") as ada:
        first = (await ada.post("/api/token", json={})).json()
        await here.store.end(SessionId(first["session_id"]), at=here.watch.utc())
        again = await ada.post("/api/token", json={"room_name": first["room_name"]})

    assert (again.status_code, problem_code(again)) == (410, "session_ended")


async def test_given_a_foreign_room_when_asked_for_then_it_answers_like_an_unknown_one() -> None:
    here = site()
    async with here.visitor("Ada") as ada, here.visitor("Eve") as eve:
        room = (await ada.post("/api/token", json={})).json()["room_name"]
        foreign = await eve.post("/api/token", json={"room_name": room})
        unknown = await eve.post("/api/token", json={"room_name": "talk-nowhere"})

    assert (foreign.status_code, problem_code(foreign)) == (404, "not_found")
    assert foreign.json() == unknown.json()


async def test_given_a_character_when_wished_in_livekits_way_then_it_is_called() -> None:
    agents = [{"agent_name": "earwitness", "metadata": '{"character": "bruno"}'}]
    async with site().visitor("Ada") as ada:
        answer = await ada.post("/api/token", json={"room_config": {"agents": agents}})

    (agent,) = claims(answer)["roomConfig"]["agents"]
    assert json.loads(agent["metadata"])["character_id"] == "bruno"


def _agent(**fields: Any) -> dict[str, Any]:
    return {"room_config": {"agents": [fields]}}


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"participant_identity": "somebody"}, "participant_identity"),
    ({"participant_metadata": "{}"}, "participant_metadata"),
    ({"participant_attributes": {"lk.agent.state": "x"}}, "participant_attributes.lk.agent.state"),
    (
        {"participant_attributes": {"earwitness.time_zone": "x"}},
        "participant_attributes.earwitness.time_zone",
    ),
    ({"participant_attributes": {"mood": "x"}}, "participant_attributes.mood"),
    ({"participant_attributes": {"time_zone": 7}}, "participant_attributes.time_zone"),
    ({"participant_attributes": {"time_zone": "Mars Base"}}, "participant_attributes.time_zone"),
    ({"participant_attributes": {"time_zone": "../etc"}}, "participant_attributes.time_zone"),
    ({"participant_attributes": {"time_zone": "A" * 999}}, "participant_attributes.time_zone"),
    ({"participant_attributes": {"language": "en_GB;q=1"}}, "participant_attributes.language"),
    ({"participant_attributes": {"language": "x" * 99}}, "participant_attributes.language"),
    ({"participant_name": "\u202e"}, "participant_name"),
    ({"participant_name": "x" * 61}, "participant_name"),
    ({"room_name": 7}, "room_name"),
    ({"room_config": []}, "room_config"),
    ({"room_config": {"egress": {}}}, "room_config.egress"),
    ({"room_config": {"max_participants": 99}}, "room_config.max_participants"),
    ({"room_config": {"empty_timeout": 9}}, "room_config.empty_timeout"),
    ({"room_config": {"metadata": "x"}}, "room_config.metadata"),
    ({"room_config": {"agents": "earwitness"}}, "room_config.agents"),
    ({"room_config": {"agents": ["earwitness"]}}, "room_config.agents.0"),
    ({"room_config": {"agents": [{}, {}]}}, "room_config.agents.1"),
    (_agent(agent_name="spy"), "room_config.agents.0.agent_name"),
    (_agent(agent_name=["earwitness"]), "room_config.agents.0.agent_name"),
    (_agent(deployment="x"), "room_config.agents.0.deployment"),
    (_agent(metadata={"character": "ada"}), "room_config.agents.0.metadata"),
    (_agent(metadata="not json"), "room_config.agents.0.metadata"),
    (_agent(metadata="[" * 30_000), "room_config.agents.0.metadata"),
    (_agent(metadata='["ada"]'), "room_config.agents.0.metadata"),
    (_agent(metadata='{"owner": "me"}'), "room_config.agents.0.metadata.owner"),
    (_agent(metadata='{"character": "eve"}'), "room_config.agents.0.metadata.character"),
    (_agent(metadata='{"character": ["ada"]}'), "room_config.agents.0.metadata.character"),
    ({"ttl": 99999}, "ttl"),
    ({"grants": {"room_admin": True}}, "grants"),
]


@pytest.mark.parametrize(("body", "field"), REFUSED, ids=[field for _, field in REFUSED])
async def test_given_a_field_one_may_not_set_when_sent_then_it_is_named_and_nothing_opens(
    body: dict[str, Any], field: str
) -> None:
    here = site()
    async with here.visitor("Ada") as ada:
        answer = await ada.post("/api/token", json=body)

    assert (answer.status_code, problem_code(answer)) == (422, "field_not_accepted")
    assert [wrong["field"] for wrong in answer.json()["errors"]] == [field]
    assert field in answer.json()["detail"]
    assert await here.store.sessions_of(None) == []


async def test_given_nobody_when_they_ask_for_a_token_then_they_are_asked_to_sign_in() -> None:
    async with site().visitor() as nobody:
        answer = await nobody.post("/api/token", json={})

    assert (answer.status_code, problem_code(answer)) == (401, "sign_in_needed")


async def test_given_the_operator_when_it_asks_for_a_token_then_a_person_is_needed() -> None:
    async with site().operator() as operator:
        answer = await operator.post("/api/token", json={})

    assert (answer.status_code, problem_code(answer)) == (403, "person_needed")


async def test_given_a_hundred_token_requests_when_they_come_then_one_is_told_to_wait() -> None:
    here = site()
    async with here.visitor("Ada") as ada:
        answers = [await ada.post("/api/token", json={}) for _ in range(100)]

    assert [one.status_code for one in answers].count(201) == 30
    assert problem_code(answers[-1]) == "too_often"
    assert int(answers[-1].headers["Retry-After"]) >= 1


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
field_names = st.sampled_from(
    [
        "room_name",
        "participant_name",
        "participant_identity",
        "participant_metadata",
        "participant_attributes",
        "room_config",
        "agents",
    ]
)


@given(body=st.dictionaries(field_names | st.text(max_size=10), json_values, max_size=4))
@settings(max_examples=100)
async def test_whatever_is_asked_for_the_answer_is_clear_and_the_identity_ones_own(
    body: dict[str, Any],
) -> None:
    here = site()
    async with here.visitor("Ada") as ada:
        me = (await ada.get("/api/me")).json()["person_id"]
        answer = await ada.post(
            "/api/token",
            content=json.dumps(body),
            headers={"Content-Type": "application/json"},
        )

    if answer.status_code == 201:
        said = claims(answer)
        assert said["sub"] == me
        assert said["video"].keys().isdisjoint({"roomAdmin", "roomCreate", "roomRecord", "hidden"})
        assert said["roomConfig"].keys().isdisjoint({"egress", "metadata"})
    else:
        assert answer.status_code in {400, 404, 422}
        problem_code(answer)
