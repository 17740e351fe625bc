"""What routes ask of a request: the house, who is asking, and whether they ask too often."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from math import ceil
from typing import Annotated, Final, Literal, cast

from fastapi import Depends, Request

from agent.gateway.boundary import ConsentsByPerson
from agent.gateway.house_port import GatewayHouse
from agent.gateway.limits import Allowance, Buckets
from agent.gateway.measures import Measures
from agent.gateway.problems import Refusal
from agent.gateway.subject import (
    ANONYMOUS,
    OPERATOR,
    PERSON_SCOPES,
    Scope,
    Subject,
    cookie_name,
    cookie_person,
    is_operator,
)
from agent.gateway.turned_away import TurnedAway
from trail.ids import PersonId

ALLOWANCES: Final = {
    "sign-in": Allowance(burst=30, per_s=0.5),
    "token": Allowance(burst=30, per_s=0.5),
    "redeem": Allowance(burst=20, per_s=0.2),
    "invite": Allowance(burst=20, per_s=0.2),
}
"""Per person and, doubled, per address."""


def _buckets() -> dict[str, Buckets]:
    return {
        f"{what} by {whom}": Buckets(Allowance(burst=one.burst * times, per_s=one.per_s * times))
        for what, one in ALLOWANCES.items()
        for whom, times in (("person", 1), ("address", 2))
    }


@dataclass(slots=True, kw_only=True)
class Desk:
    """What belongs to one running gateway and changes while it runs."""

    house: GatewayHouse
    measures: Measures
    build: str
    consents: ConsentsByPerson
    turned_away: TurnedAway
    time_zones: frozenset[str]
    buckets: dict[str, Buckets] = field(default_factory=_buckets)
    followers: Counter[str] = field(default_factory=Counter[str])
    """How many trails each follows live."""
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the gateway is to end; live trails end then."""
    last_ready: tuple[float, Mapping[str, Literal["ok", "unavailable"]]] | None = None
    """When readiness was looked at last (monotonic seconds) and what was found."""


def desk_of(request: Request) -> Desk:
    """Return what belongs to the gateway that got ``request``."""
    return cast("Desk", request.app.state.desk)


def house_of(request: Request) -> GatewayHouse:
    """Return the house of the gateway that got ``request``."""
    return desk_of(request).house


async def subject_of(request: Request) -> Subject:
    """Return who asks; whoever cannot be told is anonymous.

    Raises:
        Refusal: 401, a bearer token was sent and is not ours.
    """
    house = house_of(request)
    authorization = request.headers.get("authorization")
    if authorization is not None:
        if not is_operator(authorization, operator_token=house.operator_token):
            raise Refusal(
                HTTPStatus.UNAUTHORIZED,
                "token_not_accepted",
                "This bearer token is not accepted here.",
                headers={"WWW-Authenticate": "Bearer"},
            )
        return OPERATOR
    value = request.cookies.get(cookie_name(house.port))
    said = cookie_person(value, key=house.cookie_key, now=house.now()) if value else None
    person = await house.store.person(said[0]) if said else None
    if person is None:
        return ANONYMOUS
    return Subject(person_id=person.person_id, name=person.name, scopes=PERSON_SCOPES)


Asking = Annotated[Subject, Depends(subject_of)]
"""Who asks, signed in or not."""
House = Annotated[GatewayHouse, Depends(house_of)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """A person who may talk."""

    person_id: PersonId
    name: str


def signed_in(subject: Asking) -> SignedIn:
    """Return the person who asks.

    Raises:
        Refusal: 401 for the anonymous, 403 for the operator, who is nobody in particular.
    """
    if subject.person_id is None:
        _refuse_anonymous(subject)
        raise Refusal(HTTPStatus.FORBIDDEN, "person_needed", "Only a signed-in person can do this.")
    return SignedIn(person_id=subject.person_id, name=subject.name)


Person = Annotated[SignedIn, Depends(signed_in)]


def known(subject: Asking) -> Subject:
    """Return who asks: a person or the operator.

    Raises:
        Refusal: 401 for the anonymous.
    """
    _refuse_anonymous(subject)
    return subject


Known = Annotated[Subject, Depends(known)]


def refuse_without(subject: Subject, scope: Scope) -> None:
    """Let ``subject`` pass only with ``scope``.

    Raises:
        Refusal: 401 or 403.
    """
    if not subject.has(scope):
        _refuse_anonymous(subject)
        raise Refusal(HTTPStatus.FORBIDDEN, "scope_missing", f"This needs the scope {scope}.")


def _refuse_anonymous(subject: Subject) -> None:
    if not subject.scopes:
        raise Refusal(HTTPStatus.UNAUTHORIZED, "sign_in_needed", "Please sign in first.")


def limited(what: str) -> Callable[[Request, Subject], None]:
    """Return a dependency that lets ``what`` happen only so often per person and address."""

    def spend(request: Request, subject: Asking) -> None:
        desk = desk_of(request)
        now_s = desk.house.monotonic_s()
        address = request.client.host if request.client else "unknown"
        wait_s = desk.buckets[f"{what} by address"].spend(address, now_s=now_s)
        if subject.person_id is not None:
            by_person = desk.buckets[f"{what} by person"]
            wait_s = max(wait_s, by_person.spend(subject.person_id, now_s=now_s))
        if wait_s:
            desk.measures.limited(what)
            raise Refusal(
                HTTPStatus.TOO_MANY_REQUESTS,
                "too_often",
                f"That was too often. Try again in {ceil(wait_s)} s.",
                headers={"Retry-After": str(ceil(wait_s))},
            )

    return spend
