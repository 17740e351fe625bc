"""What people typed, their names and their tokens never reach a log, whatever goes wrong."""

import io

import httpx
import pytest
from typing_extensions import override

from tests.agent.gateway.visit import problem_code, site
from trail.adapters.in_memory import InMemoryStore
from trail.ids import PersonId
from trail.ports import Person

CANARY = "quetzal-4711"


class Breaking(InMemoryStore):
    """Fails in the middle of signing in, with the name in hand."""

    @override
    async def add(self, person: Person) -> None:
        raise RuntimeError("broken")

    @override
    async def person(self, person_id: PersonId) -> Person | None:
        raise RuntimeError("broken")


async def test_given_canary_words_when_everything_goes_wrong_then_no_log_sings(
    out: io.StringIO,
    capfd: pytest.CaptureFixture[str],
) -> None:
    answers: list[httpx.Response] = []
    for here in (site(), site(store=Breaking())):
        async with here.visitor() as visitor:
            await visitor.post("/api/sign-in", json={"name": CANARY})
            await visitor.post("/api/sign-in", json={"name": CANARY * 99})
            await visitor.post("/api/sign-in", json={"name": CANARY, CANARY: 1})
            await visitor.post("/api/token", json={"room_name": CANARY})
            await visitor.post("/api/token", json={"room_config": {CANARY: 1}})
            await visitor.post("/api/invitations/redeem", json={"link": CANARY})
            await visitor.get(f"/api/sessions/{CANARY}?after={CANARY}")
            await visitor.get(f"/{CANARY}?q={CANARY}")
            await visitor.get("/api/me", headers={"Authorization": f"Bearer {CANARY}"})
            await visitor.get("/api/me", headers={"Cookie": f"earwitness_8080={CANARY}.1.{CANARY}"})
            answers.append(await visitor.post("/api/sign-in", json={"name": CANARY}))

    said = capfd.readouterr()
    assert problem_code(answers[-1]) == "internal_error"
    assert "request_broke" in out.getvalue()
    assert "request_answered" in out.getvalue()
    assert CANARY not in out.getvalue() + said.out + said.err
