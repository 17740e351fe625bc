"""Whether the house lives, is ready, and what runs in it."""

import asyncio
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Final, Literal

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import BaseModel

from agent.gateway.asking import Asking, House, desk_of, refuse_without
from agent.gateway.house_port import GatewayHouse
from agent.gateway.own_address import is_loopback
from agent.gateway.subject import Scope
from agent.local.status import PartState
from trail.errors import DependencyUnavailable
from trail.ids import HOUSE

router = APIRouter(tags=["health"])

_WAIT_S: Final = 3.0
_FRESH_S: Final = 1.0
"""How long an answer about readiness is given again without looking."""
_RUNNING: Final[frozenset[PartState]] = frozenset({"running", "off"})

Finding = Literal["ok", "unavailable"]


class Alive(BaseModel):
    """The process answers."""

    status: Literal["ok"] = "ok"


class Ready(BaseModel):
    """Whether a conversation could begin now."""

    ready: bool
    checks: dict[str, Finding]


class PartOut(BaseModel):
    """One part of the house."""

    name: str
    state: PartState
    detail_code: str | None
    values: dict[str, str | int | float]


class Status(BaseModel):
    """What runs."""

    build: str
    parts: list[PartOut]


class Version(BaseModel):
    """Which program with which page this is; a page that finds another one is out of date."""

    software: str
    build: str


@router.get("/healthz")
async def alive() -> Alive:
    """Answer."""
    return Alive()


@router.get("/readyz", responses={503: {"model": Ready}})
async def ready(request: Request, response: Response) -> Ready:
    """Tell whether store, media server and parts are there; 503 if not."""
    desk = desk_of(request)
    now_s = desk.house.monotonic_s()
    if desk.last_ready is None or now_s - desk.last_ready[0] >= _FRESH_S:
        desk.last_ready = (now_s, await _checks(desk.house))
    checks: dict[str, Finding] = dict(desk.last_ready[1])
    good = all(found == "ok" for found in checks.values())
    response.status_code = HTTPStatus.OK if good else HTTPStatus.SERVICE_UNAVAILABLE
    return Ready(ready=good, checks=checks)


@router.get("/api/status")
async def status(request: Request) -> Status:
    """Tell what runs and how it is; open to everybody, so that the page can say what is wrong."""
    desk = desk_of(request)
    parts = await asyncio.to_thread(desk.house.parts)
    return Status(
        build=desk.build,
        parts=[
            PartOut(
                name=part.name,
                state=part.state,
                detail_code=part.detail_code,
                values=dict(part.values),
            )
            for part in parts
        ],
    )


@router.get("/api/version")
async def version(request: Request) -> Version:
    """Tell which build this is; every answer carries it as ``X-Earwitness-Build`` too."""
    desk = desk_of(request)
    return Version(software=desk.house.software, build=desk.build)


@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request, subject: Asking, house: House) -> Response:
    """Return the metrics: to anybody on this machine, elsewhere to the operator."""
    caller = request.client.host if request.client else ""
    if not (is_loopback(house.host) and is_loopback(caller)):
        refuse_without(subject, Scope.OPERATE)
    text = generate_latest(house.registry)
    return Response(text, headers={"Content-Type": CONTENT_TYPE_LATEST})


async def _checks(house: GatewayHouse) -> dict[str, Finding]:
    parts = await asyncio.to_thread(house.parts)
    return {
        "store": await _found(lambda: house.store.head(HOUSE)),
        "livekit": await _found(house.rooms.reach),
        **{part.name: "ok" if part.state in _RUNNING else "unavailable" for part in parts},
    }


async def _found(look: Callable[[], Awaitable[object]]) -> Finding:
    try:
        async with asyncio.timeout(_WAIT_S):
            await look()
    except (DependencyUnavailable, TimeoutError):
        return "unavailable"
    return "ok"
