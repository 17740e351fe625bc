"""Who belongs to a session. Foreign and unknown sessions answer alike."""

import re
from http import HTTPStatus
from typing import Final

from agent.gateway.house_port import GatewayHouse
from agent.gateway.problems import Refusal, not_found
from agent.gateway.subject import Scope, Subject
from trail.events.session import InvitationRedeemed
from trail.ids import (
    InvitationId,
    PersonId,
    RoomName,
    SessionId,
    person_stream,
)
from trail.ports import SessionRow

_PAGE: Final = 500
_ID_SHAPE: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


def is_id(text: str) -> bool:
    """Tell whether ``text`` could be an id or a room's name; stores are asked for nothing else."""
    return _ID_SHAPE.fullmatch(text) is not None


async def session_for(house: GatewayHouse, subject: Subject, session_id: str) -> SessionRow:
    """Return a session that ``subject`` may know of.

    Raises:
        Refusal: 404.
    """
    row = await _find(house, session_id)
    if subject.has(Scope.OPERATE) or subject.person_id in row.people:
        return row
    raise not_found()


async def session_to_enter(house: GatewayHouse, person_id: PersonId, room: RoomName) -> SessionRow:
    """Return the session of ``room`` if ``person_id`` may enter it now.

    Raises:
        Refusal: 404 for everybody who does not belong there, 410 once it has ended.
    """
    row = await house.store.find(session_id=None, room=room) if is_id(room) else None
    if row is None or person_id not in row.people:
        raise not_found()
    if person_id != row.owner and not await standing_invitations(house, row, person_id):
        raise not_found()
    refuse_ended(row)
    return row


async def own_session(house: GatewayHouse, person_id: PersonId, session_id: str) -> SessionRow:
    """Return a session that ``person_id`` opened.

    Raises:
        Refusal: 404.
    """
    row = await _find(house, session_id)
    if row.owner != person_id:
        raise not_found()
    return row


async def _find(house: GatewayHouse, session_id: str) -> SessionRow:
    if is_id(session_id):
        row = await house.store.find(session_id=SessionId(session_id), room=None)
        if row is not None:
            return row
    raise not_found()


def refuse_ended(row: SessionRow) -> None:
    """Let only open sessions pass.

    Raises:
        Refusal: 410.
    """
    if row.ended_at is not None:
        raise Refusal(
            HTTPStatus.GONE, "session_ended", "This conversation has ended. Start a new one."
        )


async def standing_invitations(
    house: GatewayHouse, row: SessionRow, guest: PersonId
) -> frozenset[InvitationId]:
    """Return the unrevoked invitations with which ``guest`` came into the session of ``row``.

    An invitation that has expired since still stands: it let the guest in while it was good.
    """
    used = {fact.invitation_id for fact in await redemptions(house, row) if fact.guest == guest}
    known = [await house.store.invitation(invitation_id) for invitation_id in used]
    return frozenset(one.invitation_id for one in known if one is not None and not one.revoked)


async def redemptions(house: GatewayHouse, row: SessionRow) -> list[InvitationRedeemed]:
    """Return who came into the session of ``row`` with which invitation, in order."""
    found: list[InvitationRedeemed] = []
    after = 0
    while page := await house.store.read(person_stream(row.owner), after=after, limit=_PAGE):
        found.extend(
            one.fact
            for one in page
            if isinstance(one.fact, InvitationRedeemed) and one.fact.session_id == row.session_id
        )
        after = page[-1].position
    return found
