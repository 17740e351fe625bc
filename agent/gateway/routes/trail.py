"""A session's trail: in pages, or live as server-sent events from wherever one stopped."""

from collections import Counter
from collections.abc import AsyncGenerator
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from agent.gateway.asking import House, Known, desk_of
from agent.gateway.boundary import require_reading
from agent.gateway.following import follow, has_ended_at, page
from agent.gateway.membership import session_for
from agent.gateway.perceivable import View
from agent.gateway.problems import Refusal, wrong_field
from agent.gateway.routes.sessions import perceiver_of
from policy.requests import DataClass
from trail.ids import session_stream

router = APIRouter(prefix="/api/sessions", tags=["sessions"])

FOLLOWERS_AT_MOST: Final = 8
"""Streams one person may follow at the same time."""
_POSITION_AT_MOST: Final = 2**53
_EVENTS: Final = "text/event-stream"

Position = Annotated[int, Query(ge=0, le=_POSITION_AT_MOST)]


class TrailOut(BaseModel):
    """A stretch of the stream: envelopes of ``earwitness.runtime.v1``; what the asker could not
    perceive has ``position`` and ``digest`` only.
    """

    stream: str
    items: list[dict[str, Any]]
    next_after: int
    head: int
    """The last position there is."""


@router.get(
    "/{session_id}/trail",
    response_model=TrailOut,
    responses={200: {"content": {_EVENTS: {"schema": {"type": "string"}}}}},
)
async def trail(
    session_id: str,
    request: Request,
    subject: Known,
    house: House,
    after: Position = 0,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 200,
    last_event_id: Annotated[str | None, Header()] = None,
) -> Response | TrailOut:
    """Return facts behind a position; with ``Accept: text/event-stream`` follow them live."""
    row = await session_for(house, subject, session_id)
    desk = desk_of(request)
    await require_reading(
        house, desk.consents, subject=subject, row=row, data_class=DataClass.TRAIL
    )
    stream = session_stream(row.session_id)
    view = View(perceiver_of(subject))
    if _EVENTS not in request.headers.get("accept", ""):
        found = await page(house.store, stream, view, after=after, limit=limit)
        head = await house.store.head(stream)
        return TrailOut(stream=stream, items=found.items, next_after=found.next_after, head=head)
    seen = _seen(last_event_id, after)
    if await has_ended_at(house.store, stream, seen):
        return Response(status_code=HTTPStatus.NO_CONTENT)  # tells EventSource to stop asking
    who = subject.person_id or "operator"
    if desk.followers[who] >= FOLLOWERS_AT_MOST:
        raise Refusal(
            HTTPStatus.TOO_MANY_REQUESTS,
            "too_many_followed",
            "Too many trails are being followed at once. Close one.",
            headers={"Retry-After": "5"},
        )
    events = follow(house.store, stream, view, after=seen, stopping=desk.stopping)
    return StreamingResponse(_counted(events, desk.followers, who), media_type=_EVENTS)


def _seen(last_event_id: str | None, after: int) -> int:
    if not last_event_id:
        return after
    if not (last_event_id.isascii() and last_event_id.isdigit()):
        raise wrong_field("Last-Event-ID", "is not a position")
    return min(int(last_event_id[:20]), _POSITION_AT_MOST)


async def _counted(
    events: AsyncGenerator[str], followers: Counter[str], who: str
) -> AsyncGenerator[str]:
    followers[who] += 1
    try:
        async for event in events:
            yield event
    finally:
        followers[who] -= 1
        await events.aclose()
