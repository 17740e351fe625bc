"""`create_app`: routes, layers and errors put together. Nothing happens at import."""

from functools import cache
from http import HTTPStatus
from typing import Final
from zoneinfo import available_timezones

from fastapi import APIRouter, FastAPI
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from agent.gateway import problems
from agent.gateway.asking import Desk
from agent.gateway.boundary import ConsentsByPerson
from agent.gateway.front_door import FrontDoor
from agent.gateway.house_port import GatewayHouse
from agent.gateway.measures import Measures
from agent.gateway.page import BuiltPage, build_id, not_built
from agent.gateway.routes import health, invitations, people, sessions, token, trail
from agent.gateway.turned_away import TurnedAway

_API: Final = "/api/"
ROUTERS: Final[tuple[APIRouter, ...]] = (
    people.router,
    token.router,
    sessions.router,
    trail.router,
    invitations.router,
    health.router,
)


def create_app(house: GatewayHouse) -> FastAPI:
    """Return the gateway of ``house``: the API, and the page beside it."""
    app = bare_app(house.software)
    desk = Desk(
        house=house,
        measures=Measures(house.registry),
        build=build_id(house.software, house.page_folder),
        consents=ConsentsByPerson(house.store),
        time_zones=_time_zones(),
        turned_away=TurnedAway(house.rooms, house.monotonic_s),
    )
    app.state.desk = desk
    app.add_middleware(FrontDoor, house=house, measures=desk.measures, build=desk.build)
    app.router.default = _beside(BuiltPage(house.page_folder) if house.page_folder else not_built)
    return app


@cache
def _time_zones() -> frozenset[str]:
    return frozenset(available_timezones())


def bare_app(software: str) -> FastAPI:
    """Return the routes alone; what the OpenAPI document is made from."""
    app = FastAPI(
        title="Earwitness",
        version=software,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        responses={"default": {"model": problems.ProblemDetails, "description": "Problem details"}},
    )
    problems.install(app)
    for router in ROUTERS:
        app.include_router(router)
    return app


def _beside(page: ASGIApp) -> ASGIApp:
    """Return what answers where no route of the API does."""

    async def rest(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(_API):
            raise problems.not_found()
        if scope["method"] not in {"GET", "HEAD"}:
            raise HTTPException(HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": "GET, HEAD"})
        await page(scope, receive, send)

    return rest
