"""Sessions that one belongs to: the list, one of them, what was said, and leaving."""

from datetime import datetime
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel

from agent.gateway.asking import House, Known, Person, desk_of
from agent.gateway.boundary import require_reading
from agent.gateway.house_port import GatewayHouse
from agent.gateway.membership import session_for
from agent.gateway.problems import Refusal
from agent.gateway.routes.people import PersonOut
from agent.gateway.subject import PERSON_SCOPES, Scope, Subject
from agent.gateway.whole_stream import whole_stream
from agent.replay.transcript import Transcript, content_ids, transcript
from policy.requests import DataClass
from trail.erase import erase_session
from trail.ids import CharacterId, ParticipantId, PersonId, RoomName, SessionId, session_stream
from trail.ports import SessionRow

router = APIRouter(prefix="/api/sessions", tags=["sessions"])


class SessionOut(BaseModel):
    """One conversation in one room."""

    session_id: SessionId
    room_name: RoomName
    owner: PersonId
    mine: bool
    """Whether the asker opened it."""
    character_id: CharacterId
    created_at: datetime
    ended_at: datetime | None
    """None while it goes on."""
    people_count: int


class SessionsOut(BaseModel):
    """Sessions, newest first."""

    sessions: list[SessionOut]


class SessionDetail(SessionOut):
    """One session with the people who were ever admitted, the owner first."""

    people: list[PersonOut]


class ErasedOut(BaseModel):
    """What was erased, counted in stretches of words."""

    own_before: int
    own_after: int
    """Still readable of the asker; 0 unless something failed."""
    others: int


@router.get("")
async def sessions(
    subject: Known,
    house: House,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    open_only: Annotated[bool, Query()] = False,  # noqa: FBT002 - FastAPI passes it by name
) -> SessionsOut:
    """List one's own sessions; the operator sees everybody's."""
    everybody = subject.has(Scope.OPERATE)
    rows = await house.store.sessions_of(
        None if everybody else subject.person_id, limit=limit, open_only=open_only
    )
    return SessionsOut(sessions=[_told(row, subject) for row in rows])


@router.get("/{session_id}")
async def session(session_id: str, subject: Known, house: House) -> SessionDetail:
    """Return one session."""
    row = await session_for(house, subject, session_id)
    return SessionDetail(**_told(row, subject).model_dump(), people=await _people(house, row))


@router.get("/{session_id}/transcript")
async def session_transcript(
    session_id: str,
    request: Request,
    subject: Known,
    house: House,
    everything: Annotated[bool, Query(alias="all")] = False,  # noqa: FBT002 - passed by name
) -> Transcript:
    """Return what was said and heard, as far as the asker could perceive it."""
    row = await session_for(house, subject, session_id)
    await require_reading(
        house,
        desk_of(request).consents,
        subject=subject,
        row=row,
        data_class=DataClass.TRANSCRIPT,
    )
    envelopes = await whole_stream(house.store, session_stream(row.session_id))
    texts = await house.store.texts(content_ids(envelopes))
    made = transcript(envelopes, texts, perceiver=perceiver_of(subject), everything=everything)
    return Transcript(session_id=row.session_id, turns=made.turns)


@router.post("/{session_id}/leave", status_code=HTTPStatus.NO_CONTENT)
async def leave(session_id: str, person: Person, house: House) -> None:
    """Leave the room of a session, from wherever one is inside."""
    asking = Subject(person_id=person.person_id, name=person.name, scopes=PERSON_SCOPES)
    row = await session_for(house, asking, session_id)
    await house.rooms.remove(row.room, ParticipantId(person.person_id))


@router.delete("/{session_id}")
async def erase(session_id: str, subject: Known, house: House) -> ErasedOut:
    """Erase the asker's own words; the rest goes with the last person, or by the operator."""
    row = await session_for(house, subject, session_id)
    if await house.store.held(session_stream(row.session_id)):
        raise Refusal(
            HTTPStatus.CONFLICT,
            "session_running",
            "This conversation is still going on. Leave it first.",
        )
    done = await erase_session(
        house.store,
        session_id=row.session_id,
        person_id=subject.person_id or row.owner,
        everything=subject.has(Scope.OPERATE),
    )
    return ErasedOut(own_before=done.own_before, own_after=done.own_after, others=done.others)


def perceiver_of(subject: Subject) -> ParticipantId | None:
    """Return through whose eyes ``subject`` reads; None for the operator, who sees all."""
    return ParticipantId(subject.person_id) if subject.person_id else None


def _told(row: SessionRow, subject: Subject) -> SessionOut:
    return SessionOut(
        session_id=row.session_id,
        room_name=row.room,
        owner=row.owner,
        mine=row.owner == subject.person_id,
        character_id=row.character_id,
        created_at=row.created_at,
        ended_at=row.ended_at,
        people_count=len(row.people),
    )


async def _people(house: GatewayHouse, row: SessionRow) -> list[PersonOut]:
    found = [await house.store.person(person_id) for person_id in row.people]
    return [PersonOut(person_id=one.person_id, name=one.name) for one in found if one]
