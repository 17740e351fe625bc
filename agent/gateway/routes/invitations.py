"""Invitations: one link into one session, for a while, until it is taken back.

The link's secret is shown once; kept is its digest. It stands behind the ``#`` of the address,
so that it reaches no log.
"""

import hashlib
import hmac
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, ConfigDict, Field, StrictStr

from agent.gateway.asking import House, Person, desk_of, limited
from agent.gateway.house_port import GatewayHouse
from agent.gateway.membership import (
    is_id,
    own_session,
    redemptions,
    refuse_ended,
    standing_invitations,
)
from agent.gateway.problems import Refusal, not_found
from agent.gateway.tokens import LIFE
from trail.envelope import Entry, Fact, PrivacyClass
from trail.events.session import InvitationIssued, InvitationRedeemed, InvitationRevoked
from trail.ids import (
    CharacterId,
    InvitationId,
    ParticipantId,
    PersonId,
    RoomName,
    SessionId,
    person_stream,
    random_name,
    uuid7,
)
from trail.ports import Invitation, SessionRow

router = APIRouter(prefix="/api", tags=["invitations"])

_DAY_S: Final = 86_400
_MARK: Final = "invitation="


class InvitationIn(BaseModel):
    """How long a link is good for."""

    model_config = ConfigDict(extra="forbid")

    expires_in_s: Annotated[int, Field(ge=60, le=7 * _DAY_S)] = _DAY_S


class InvitationOut(BaseModel):
    """A new invitation. The link is shown this once."""

    invitation_id: InvitationId
    link: str
    expires_at: datetime


class Redeem(BaseModel):
    """The link, or the part of it behind ``invitation=``."""

    model_config = ConfigDict(extra="forbid")

    link: Annotated[StrictStr, Field(max_length=500)]


class Redeemed(BaseModel):
    """Where the invitation leads."""

    session_id: SessionId
    room_name: RoomName
    character_id: CharacterId


@router.post(
    "/sessions/{session_id}/invitations",
    status_code=HTTPStatus.CREATED,
    dependencies=[Depends(limited("invite"))],
)
async def invite(
    session_id: str, body: InvitationIn, request: Request, person: Person, house: House
) -> InvitationOut:
    """Make a link that admits whoever holds it to one's own session."""
    row = await own_session(house, person.person_id, session_id)
    refuse_ended(row)
    secret = random_name(24)
    invitation = Invitation(
        invitation_id=InvitationId(uuid7()),
        session_id=row.session_id,
        secret_digest=_digest(secret),
        expires_at=house.now() + timedelta(seconds=body.expires_in_s),
        revoked=False,
    )
    await house.store.issue(invitation)
    issued = InvitationIssued(
        session_id=row.session_id,
        invitation_id=invitation.invitation_id,
        expires_at=invitation.expires_at,
    )
    await _record(house, row, issued, participant=row.owner)
    host = request.headers["host"]
    code = f"{invitation.invitation_id}.{secret}"
    return InvitationOut(
        invitation_id=invitation.invitation_id,
        link=f"{request.url.scheme}://{host}/#{_MARK}{code}",
        expires_at=invitation.expires_at,
    )


@router.delete(
    "/sessions/{session_id}/invitations/{invitation_id}", status_code=HTTPStatus.NO_CONTENT
)
async def revoke(
    session_id: str, invitation_id: str, request: Request, person: Person, house: House
) -> None:
    """Take a link back; whoever came in with it and with no other has to leave."""
    row = await own_session(house, person.person_id, session_id)
    invitation = await _kept(house, invitation_id)
    if invitation is None or invitation.session_id != row.session_id:
        raise not_found()
    if not invitation.revoked:
        await house.store.revoke(invitation.invitation_id)
        revoked = InvitationRevoked(
            session_id=row.session_id, invitation_id=invitation.invitation_id
        )
        await _record(house, row, revoked, participant=row.owner)
    guests = {
        fact.guest
        for fact in await redemptions(house, row)
        if fact.invitation_id == invitation.invitation_id
    }
    for guest in sorted(guests):
        if not await standing_invitations(house, row, guest):
            desk_of(request).turned_away.keep_out(
                row.room, ParticipantId(guest), until_s=house.monotonic_s() + LIFE.total_seconds()
            )
            await house.rooms.remove(row.room, ParticipantId(guest))


@router.post("/invitations/redeem", dependencies=[Depends(limited("redeem"))])
async def redeem(body: Redeem, request: Request, person: Person, house: House) -> Redeemed:
    """Come in with a link: the session becomes one that one belongs to."""
    invitation, row = await _good(house, body.link)
    if person.person_id != row.owner:
        standing = await standing_invitations(house, row, person.person_id)
        if invitation.invitation_id not in standing:
            redeemed = InvitationRedeemed(
                session_id=row.session_id,
                invitation_id=invitation.invitation_id,
                guest=person.person_id,
            )
            await _record(house, row, redeemed, participant=person.person_id)
        desk_of(request).turned_away.let_in(row.room, ParticipantId(person.person_id))
        await house.store.admit(row.session_id, person.person_id)
    return Redeemed(session_id=row.session_id, room_name=row.room, character_id=row.character_id)


async def _good(house: GatewayHouse, link: str) -> tuple[Invitation, SessionRow]:
    code = link.strip().rpartition(_MARK)[2]
    invitation_id, _, secret = code.partition(".")
    invitation = await _kept(house, invitation_id)
    digest = _digest(secret)
    if invitation is None or not hmac.compare_digest(digest, invitation.secret_digest):
        raise Refusal(HTTPStatus.NOT_FOUND, "invitation_unknown", "This is not an invitation.")
    row = await house.store.find(session_id=invitation.session_id, room=None)
    if row is None:
        raise not_found()
    if invitation.revoked:
        raise Refusal(HTTPStatus.GONE, "invitation_revoked", "This invitation was taken back.")
    if house.now() >= invitation.expires_at:
        raise Refusal(HTTPStatus.GONE, "invitation_expired", "This invitation has expired.")
    refuse_ended(row)
    return invitation, row


async def _kept(house: GatewayHouse, invitation_id: str) -> Invitation | None:
    if not is_id(invitation_id):
        return None
    return await house.store.invitation(InvitationId(invitation_id))


async def _record(
    house: GatewayHouse, row: SessionRow, fact: Fact, *, participant: PersonId
) -> None:
    entry = Entry(
        fact=fact,
        privacy_class=PrivacyClass.PERSONAL,
        session_id=row.session_id,
        participant_id=ParticipantId(participant),
    )
    await house.store.append(person_stream(row.owner), [entry], expected=None)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
