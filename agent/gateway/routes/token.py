"""LiveKit's standard token endpoint: the way into a room."""

from http import HTTPStatus

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel

from agent.gateway.asking import House, Person, desk_of, limited
from agent.gateway.house_port import GatewayHouse
from agent.gateway.membership import session_to_enter
from agent.gateway.problems import Refusal
from agent.gateway.tokens import room_token
from agent.gateway.wish import TokenBody, Wish, wish
from trail.envelope import Entry, PrivacyClass
from trail.events.session import SessionRequested
from trail.ids import (
    ParticipantId,
    PersonId,
    RoomName,
    SessionId,
    person_stream,
    random_name,
    uuid7,
)
from trail.ports import SessionRow

router = APIRouter(prefix="/api", tags=["rooms"])


class TokenOut(BaseModel):
    """What LiveKit's client needs, and the session it leads to."""

    server_url: str
    participant_token: str
    room_name: RoomName
    session_id: SessionId


@router.post("/token", status_code=HTTPStatus.CREATED, dependencies=[Depends(limited("token"))])
async def token(
    body: TokenBody, request: Request, response: Response, person: Person, house: House
) -> TokenOut:
    """Open a new room of one's own, or enter one that one belongs to."""
    wished = wish(
        body,
        agent_name=house.agent_name,
        characters=house.characters,
        time_zones=desk_of(request).time_zones,
    )
    if wished.room is None:
        row = await _opened(house, person.person_id, wished)
    else:
        row = await session_to_enter(house, person.person_id, wished.room)
        await _refuse_full(house, row, person.person_id)
    response.headers["Cache-Control"] = "no-store"
    return TokenOut(
        server_url=house.livekit_public_url,
        participant_token=room_token(
            house,
            row,
            person_id=person.person_id,
            name=wished.name or person.name,
            wish=wished,
        ),
        room_name=row.room,
        session_id=row.session_id,
    )


async def _refuse_full(house: GatewayHouse, row: SessionRow, person_id: PersonId) -> None:
    inside = frozenset(await house.rooms.people(row.room))
    if ParticipantId(person_id) not in inside and len(inside) >= house.people_at_most:
        raise Refusal(
            HTTPStatus.CONFLICT, "room_full", f"Only {house.people_at_most} people fit in a room."
        )


async def _opened(house: GatewayHouse, owner: PersonId, wished: Wish) -> SessionRow:
    row = SessionRow(
        session_id=SessionId(uuid7()),
        room=RoomName(f"talk-{random_name(16)}"),
        owner=owner,
        character_id=wished.character_id or house.default_character,
        created_at=house.now(),
        ended_at=None,
        people=(owner,),
    )
    requested = Entry(
        fact=SessionRequested(
            session_id=row.session_id, room=row.room, character_id=row.character_id
        ),
        privacy_class=PrivacyClass.PERSONAL,
        session_id=row.session_id,
        participant_id=ParticipantId(owner),
    )
    await house.store.append(person_stream(owner), [requested], expected=None)
    await house.store.create(row)
    return row
