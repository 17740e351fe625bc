"""Signing in: a name never identifies, a cookie does, and a forged one is nothing."""

import pytest

from agent.gateway.subject import COOKIE_LIFE, cookie_value
from tests.agent.gateway.visit import problem_code, site
from trail.events.session import PersonNamed
from trail.ids import PersonId, person_stream


async def test_given_a_new_visitor_when_they_sign_in_then_they_are_a_person_with_a_cookie() -> None:
    here = site()
    async with here.visitor() as visitor:
        answer = await visitor.post("/api/sign-in", json={"name": "Ada"})
        me = await visitor.get("/api/me")

    assert answer.status_code == 200
    assert me.json() == answer.json() | {"scopes": ["memory:own", "policy:read", "talk"]}
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("earwitness_8080=")
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Path=/" in cookie


async def test_given_two_browsers_when_both_type_the_same_name_then_they_are_two_people() -> None:
    here = site()
    async with here.visitor("Ada") as one, here.visitor("Ada") as other:
        first = (await one.get("/api/me")).json()
        second = (await other.get("/api/me")).json()

    assert first["person_id"] != second["person_id"]


async def test_given_a_cookie_when_another_name_is_given_then_the_same_person_is_renamed() -> None:
    here = site()
    async with here.visitor("Ada") as visitor:
        before = (await visitor.get("/api/me")).json()
        after = (await visitor.post("/api/sign-in", json={"name": "Ada L."})).json()

    facts = await here.store.read(person_stream(PersonId(before["person_id"])))
    assert after == {"person_id": before["person_id"], "name": "Ada L."}
    assert [type(one.fact) for one in facts] == [PersonNamed, PersonNamed]
    texts = await here.store.texts(
        [one.fact.name.content_id for one in facts if isinstance(one.fact, PersonNamed)]
    )
    assert sorted(texts.values()) == ["Ada", "Ada L."]


async def test_given_another_browser_when_one_chooses_from_the_list_then_one_is_back() -> None:
    here = site()
    async with here.visitor("Ada") as visitor, here.visitor() as elsewhere:
        person = (await visitor.get("/api/me")).json()["person_id"]
        listed = (await elsewhere.get("/api/people")).json()
        answer = await elsewhere.post("/api/sign-in", json={"person_id": person})
        me = (await elsewhere.get("/api/me")).json()

    assert listed == {"people": [{"person_id": person, "name": "Ada"}]}
    assert answer.status_code == 200
    assert me["person_id"] == person


async def test_given_a_signed_in_person_when_they_sign_out_then_they_are_nobody() -> None:
    async with site().visitor("Ada") as visitor:
        out = await visitor.post("/api/sign-out", json={})
        me = await visitor.get("/api/me")

    assert out.status_code == 204
    assert (me.status_code, problem_code(me)) == (401, "sign_in_needed")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": "Ada", "person_id": "x"},
        {"name": None},
        {"name": 7},
        {"name": ["Ada"]},
        {"name": ""},
        {"name": " \n\t "},
        {"name": "\u202e\u2066\u200f"},
        {"name": "\u200d\u200c"},
        {"name": "x" * 61},
        {"name": "y" * 50_000},
        {"name": "Ada", "admin": True},
        [],
        "Ada",
    ],
)
async def test_given_an_unusable_sign_in_when_it_is_sent_then_the_answer_names_the_field(
    body: object,
) -> None:
    here = site()
    async with here.visitor() as visitor:
        answer = await visitor.post("/api/sign-in", json=body)

    assert answer.status_code == 422
    assert problem_code(answer) == "field_not_accepted"
    assert "set-cookie" not in answer.headers
    assert answer.json()["errors"]
    assert await here.store.people() == []


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  Ada \n Lovelace ", "Ada Lovelace"),
        ("A\x00d\x1ba", "Ada"),
        ("Ada\u202egnikcah", "Adagnikcah"),
        ("e\u0301", "\u00e9"),
        ("שרה", "שרה"),
        ("نور", "نور"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
    ],
)
async def test_given_odd_characters_when_somebody_signs_in_then_the_name_is_shown_safely(
    typed: str, shown: str
) -> None:
    async with site().visitor() as visitor:
        answer = await visitor.post("/api/sign-in", json={"name": typed})

    assert answer.json()["name"] == shown


async def test_given_half_a_character_when_somebody_signs_in_then_it_is_refused() -> None:
    async with site().visitor() as visitor:
        answer = await visitor.post(
            "/api/sign-in",
            content=b'{"name": "\\ud800"}',
            headers={"Content-Type": "application/json"},
        )

    assert problem_code(answer) == "field_not_accepted"


async def test_given_an_unknown_person_when_chosen_then_nobody_is_signed_in() -> None:
    async with site().visitor() as visitor:
        answer = await visitor.post("/api/sign-in", json={"person_id": "nobody"})

    assert (answer.status_code, problem_code(answer)) == (404, "person_unknown")


async def test_given_a_forged_cookie_when_somebody_asks_then_they_are_anonymous() -> None:
    here = site()
    async with here.visitor("Ada") as ada:
        good = ada.cookies["earwitness_8080"]
        person = (await ada.get("/api/me")).json()["person_id"]
    stated, _, signature = good.rpartition(".")
    forged = [
        f"{person}.9999999999.{signature}",
        f"other.{stated.rpartition('.')[2]}.{signature}",
        stated,
        f"{stated}.",
        f"{stated}.{signature[:-2]}xx",
        cookie_value(PersonId(person), key=b"another", now=here.watch.utc()),
        f"{person}.not-a-number.{signature}",
        "..",
        "x" * 5000,
        "\u0661.\u0661.x".encode().decode("latin-1"),
    ]

    for value in forged:
        async with here.visitor() as visitor:
            answer = await visitor.get(
                "/api/me", headers={b"cookie": b"earwitness_8080=" + value.encode("latin-1")}
            )
            assert answer.status_code == 401, value


async def test_given_a_cookie_of_a_year_ago_when_it_is_sent_then_it_is_over() -> None:
    here = site()
    async with here.visitor("Ada") as visitor:
        value = visitor.cookies["earwitness_8080"]
        here.watch.advance(COOKIE_LIFE.total_seconds())
        answer = await visitor.get("/api/me", headers={"Cookie": f"earwitness_8080={value}"})

    assert answer.status_code == 401


async def test_given_a_cookie_in_its_second_half_when_used_then_it_is_renewed() -> None:
    here = site()
    async with here.visitor("Ada") as visitor:
        early = await visitor.get("/api/me")
        here.watch.advance(COOKIE_LIFE.total_seconds() * 0.6)
        late = await visitor.get("/api/me")

    assert "set-cookie" not in early.headers
    assert "set-cookie" in late.headers


async def test_given_the_operator_token_when_it_asks_then_it_is_nobody_in_particular() -> None:
    async with site().operator() as operator:
        me = await operator.get("/api/me")

    assert me.json()["person_id"] is None
    assert "operate" in me.json()["scopes"]
    assert "talk" not in me.json()["scopes"]


@pytest.mark.parametrize(
    "value", ["Bearer wrong", "Bearer ", "Basic b3BlcmF0b3I=", "operator-token", "Bearer ü"]
)
async def test_given_another_bearer_when_it_asks_then_it_is_refused(value: str) -> None:
    async with site().visitor("Ada") as visitor:
        answer = await visitor.get("/api/me", headers={b"authorization": value.encode()})

    assert (answer.status_code, problem_code(answer)) == (401, "token_not_accepted")


async def test_given_a_hundred_sign_ins_a_second_when_they_come_then_most_are_told_to_wait() -> (
    None
):
    here = site()
    async with here.visitor() as visitor:
        answers = [await visitor.post("/api/sign-in", json={"name": f"P{n}"}) for n in range(100)]
        visitor.cookies.clear()
        here.watch.advance(float(answers[-1].headers["Retry-After"]))
        later = await visitor.post("/api/sign-in", json={"name": "Ada"})

    assert [one.status_code for one in answers].count(429) >= 40
    assert problem_code(answers[-1]) == "too_often"
    assert later.status_code == 200
    assert len(await here.store.people()) <= 2
