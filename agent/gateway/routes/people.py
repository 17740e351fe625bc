"""Signing in and out, and the people of this installation. A name never identifies anybody."""

from http import HTTPStatus

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel, ConfigDict, StrictStr

from agent.gateway.asking import Asking, House, Known, limited
from agent.gateway.house_port import GatewayHouse
from agent.gateway.membership import is_id
from agent.gateway.names import UnusableName, clean_name
from agent.gateway.problems import Refusal, wrong_field
from agent.gateway.subject import COOKIE_LIFE, Scope, cookie_name, cookie_person, cookie_value
from trail.content import content
from trail.envelope import Entry, PrivacyClass
from trail.events.session import PersonNamed
from trail.ids import ParticipantId, PersonId, person_stream, uuid7
from trail.ports import Person

router = APIRouter(prefix="/api", tags=["people"])


class SignIn(BaseModel):
    """A name, or the id of somebody whom this installation knows."""

    model_config = ConfigDict(extra="forbid")

    name: StrictStr | None = None
    person_id: StrictStr | None = None


class PersonOut(BaseModel):
    """A person of this installation."""

    person_id: PersonId
    name: str


class PeopleOut(BaseModel):
    """Everybody who can be chosen at sign-in."""

    people: list[PersonOut]


class Me(BaseModel):
    """Who asks."""

    person_id: PersonId | None
    """None for the operator."""
    name: str
    scopes: list[Scope]


@router.post("/sign-in", dependencies=[Depends(limited("sign-in"))])
async def sign_in(
    body: SignIn, request: Request, response: Response, subject: Asking, house: House
) -> PersonOut:
    """Set the cookie: for a new person, under a new name, or for somebody chosen from the list."""
    if (body.name is None) == (body.person_id is None):
        raise wrong_field("name", "give either a name or a person_id")
    if body.person_id is not None:
        person = await _chosen(house, PersonId(body.person_id))
    else:
        person = await _named(house, subject.person_id, body.name or "")
    _set_cookie(request, response, house, person.person_id)
    return PersonOut(person_id=person.person_id, name=person.name)


@router.post("/sign-out", status_code=HTTPStatus.NO_CONTENT)
async def sign_out(house: House, response: Response) -> None:
    """Take the cookie back."""
    response.delete_cookie(cookie_name(house.port), path="/", httponly=True, samesite="strict")


@router.get("/me")
async def me(request: Request, response: Response, subject: Known, house: House) -> Me:
    """Tell who asks; a cookie in its second half is renewed."""
    value = request.cookies.get(cookie_name(house.port), "")
    said = cookie_person(value, key=house.cookie_key, now=house.now())
    if subject.person_id and said and said[1] - house.now() < COOKIE_LIFE / 2:
        _set_cookie(request, response, house, subject.person_id)
    return Me(person_id=subject.person_id, name=subject.name, scopes=sorted(subject.scopes))


@router.get("/people")
async def people(house: House) -> PeopleOut:
    """List the people of this installation, last seen first, so that one can say who one is."""
    everybody = await house.store.people()
    return PeopleOut(
        people=[PersonOut(person_id=one.person_id, name=one.name) for one in everybody if one.name]
    )


async def _chosen(house: GatewayHouse, person_id: PersonId) -> Person:
    found = await house.store.person(person_id) if is_id(person_id) else None
    if found is None or not found.name:
        raise Refusal(
            HTTPStatus.NOT_FOUND, "person_unknown", "This installation does not know this person."
        )
    seen = Person(
        person_id=found.person_id,
        name=found.name,
        created_at=found.created_at,
        last_seen_at=house.now(),
    )
    await house.store.add(seen)
    return seen


async def _named(house: GatewayHouse, person_id: PersonId | None, typed: str) -> Person:
    try:
        name = clean_name(typed)
    except UnusableName as error:
        raise wrong_field("name", str(error)) from error
    before = await house.store.person(person_id) if person_id else None
    now = house.now()
    person = Person(
        person_id=before.person_id if before else PersonId(uuid7()),
        name=name,
        created_at=before.created_at if before else now,
        last_seen_at=now,
    )
    if before is None or before.name != name:
        words = content(name, owner=person.person_id)
        entry = Entry(
            fact=PersonNamed(name=words.ref),
            privacy_class=PrivacyClass.PERSONAL,
            participant_id=ParticipantId(person.person_id),
            contents=(words,),
        )
        await house.store.append(person_stream(person.person_id), [entry], expected=None)
    await house.store.add(person)
    return person


def _set_cookie(
    request: Request, response: Response, house: GatewayHouse, person_id: PersonId
) -> None:
    response.set_cookie(
        cookie_name(house.port),
        cookie_value(person_id, key=house.cookie_key, now=house.now()),
        max_age=int(COOKIE_LIFE.total_seconds()),
        path="/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
