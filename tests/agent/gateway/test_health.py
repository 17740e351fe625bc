"""Health, readiness, parts and metrics: open on this machine, and they name no person."""

from agent.gateway.openapi import document
from agent.local.status import Part
from tests.agent.gateway.visit import OPERATOR, problem_code, site

RUNNING = Part(name="model-server", state="running")
FAILED = Part(
    name="model-server", state="restarting", detail_code="exited", values={"exit_code": 9}
)


async def test_given_all_is_well_when_asked_then_the_house_is_ready() -> None:
    async with site(parts=lambda: (RUNNING,)).visitor() as visitor:
        alive = await visitor.get("/healthz")
        ready = await visitor.get("/readyz")

    assert alive.json() == {"status": "ok"}
    assert ready.status_code == 200
    assert ready.json() == {
        "ready": True,
        "checks": {"store": "ok", "livekit": "ok", "model-server": "ok"},
    }


async def test_given_a_part_is_down_when_asked_then_it_is_named_and_the_house_still_lives() -> None:
    here = site(parts=lambda: (FAILED,))
    here.rooms.down = True
    async with here.visitor() as visitor:
        alive = await visitor.get("/healthz")
        ready = await visitor.get("/readyz")
        status = await visitor.get("/api/status")

    assert alive.status_code == 200
    assert ready.status_code == 503
    assert ready.json()["checks"] == {
        "store": "ok",
        "livekit": "unavailable",
        "model-server": "unavailable",
    }
    assert status.json()["parts"] == [
        {
            "name": "model-server",
            "state": "restarting",
            "detail_code": "exited",
            "values": {"exit_code": 9},
        }
    ]


async def test_given_many_questions_when_asked_at_once_then_the_house_is_looked_at_once() -> None:
    looked: list[int] = []

    def look() -> tuple[Part, ...]:
        looked.append(1)
        return (RUNNING,)

    here = site(parts=look)
    async with here.visitor() as visitor:
        for _ in range(20):
            await visitor.get("/readyz")
        here.watch.advance(2)
        await visitor.get("/readyz")

    assert len(looked) == 2


async def test_given_this_machine_when_it_reads_metrics_then_routes_and_no_people_appear() -> None:
    here = site()
    async with here.visitor("Ada") as ada:
        person = (await ada.get("/api/me")).json()["person_id"]
        session = (await ada.post("/api/token", json={})).json()["session_id"]
        await ada.get(f"/api/sessions/{session}")
        text = (await ada.get("/metrics")).text

    assert 'route="/api/sessions/{session_id}"' in text
    assert 'earwitness_http_requests_total{method="POST",route="/api/token",status="201"}' in text
    assert person not in text
    assert session not in text
    assert "Ada" not in text


async def test_given_another_machine_when_it_reads_metrics_then_it_needs_operate() -> None:
    far = site()
    async with far.visitor("Ada", address="10.0.0.9") as ada:
        person = await ada.get("/metrics")
    async with far.visitor(address="10.0.0.9") as nobody:
        anonymous = await nobody.get("/metrics")
        operator = await nobody.get("/metrics", headers={"Authorization": f"Bearer {OPERATOR}"})

    assert (person.status_code, problem_code(person)) == (403, "scope_missing")
    assert (anonymous.status_code, problem_code(anonymous)) == (401, "sign_in_needed")
    assert operator.status_code == 200


async def test_given_a_house_that_others_reach_when_metrics_are_read_then_operate_is_needed() -> (
    None
):
    async with site(host="0.0.0.0").visitor() as visitor:
        answer = await visitor.get("/metrics")

    assert answer.status_code == 401


async def test_the_openapi_document_is_served_and_names_every_route() -> None:
    async with site().visitor() as visitor:
        served = (await visitor.get("/api/openapi.json")).json()
        docs = [await visitor.get(path) for path in ("/docs", "/redoc")]

    made = document("1.2.3")
    assert served == made
    assert "/api/token" in served["paths"]
    assert "/api/sessions/{session_id}/trail" in served["paths"]
    assert all("title>Earwitness" in answer.text for answer in docs)
