"""The avatar waits for the person it was sent for, and learns where and how they speak."""

import asyncio
from dataclasses import dataclass
from typing import cast

import structlog
from livekit import rtc

from agent.worker.emitter import Emitter
from trail.ids import ParticipantId

log = structlog.get_logger()

ARRIVAL_S = 10.0
"""How long the avatar waits before it opens the session without the person."""
TIME_ZONE = "earwitness.time_zone"
LANGUAGE = "earwitness.language"


@dataclass(frozen=True, slots=True, kw_only=True)
class Locale:
    """Where a person is and what they speak, as their browser says."""

    time_zone: str = "Etc/UTC"
    """IANA name."""
    language: str = "und"
    """BCP 47 tag; ``und`` is unknown."""


async def arrival(room: rtc.Room, person: ParticipantId) -> Locale:
    """Wait until ``person`` is in the room, for `ARRIVAL_S` at most; return their locale."""
    arrived = asyncio.Event()

    def on_arrival(_: rtc.RemoteParticipant) -> None:
        arrived.set()

    events = cast("Emitter", room)
    events.on("participant_connected", on_arrival)
    try:
        async with asyncio.timeout(ARRIVAL_S):
            while person not in room.remote_participants:
                arrived.clear()
                await arrived.wait()
    except TimeoutError:
        log.warning("person_did_not_arrive", waited_s=ARRIVAL_S)
        return Locale()
    finally:
        events.off("participant_connected", on_arrival)
    said = room.remote_participants[person].attributes
    unknown = Locale()
    return Locale(
        time_zone=said.get(TIME_ZONE, unknown.time_zone),
        language=said.get(LANGUAGE, unknown.language),
    )
