"""Keeps those whose invitation was taken back out of the room for as long as a token of theirs
may still be good: the media server knows no revoked tokens, so they are removed whenever seen.

Kept in memory: a gateway that restarts meanwhile forgets them.
"""

import asyncio
from collections.abc import Callable
from typing import Final

import structlog

from agent.gateway.house_port import RoomControl
from trail.errors import DependencyUnavailable
from trail.ids import ParticipantId, RoomName

log = structlog.get_logger()

LOOK_S: Final = 1.0


class TurnedAway:
    """Who may not be in which room for a while."""

    def __init__(self, rooms: RoomControl, monotonic_s: Callable[[], float]) -> None:
        self._rooms = rooms
        self._monotonic_s = monotonic_s
        self._until_s: dict[tuple[RoomName, ParticipantId], float] = {}

    def keep_out(self, room: RoomName, person: ParticipantId, *, until_s: float) -> None:
        """Remove ``person`` from ``room`` whenever seen before ``until_s`` (monotonic)."""
        self._until_s[room, person] = until_s

    def let_in(self, room: RoomName, person: ParticipantId) -> None:
        """Forget that ``person`` was to be kept out."""
        self._until_s.pop((room, person), None)

    async def run(self) -> None:
        """Look every `LOOK_S` until cancelled; costs nothing while nobody is to be kept out."""
        while True:
            await asyncio.sleep(LOOK_S)
            await self.look()

    async def look(self) -> None:
        """Remove whoever is inside and should not be."""
        now_s = self._monotonic_s()
        self._until_s = {who: until for who, until in self._until_s.items() if now_s < until}
        for room in {room for room, _ in self._until_s}:
            try:
                for person in await self._rooms.people(room):
                    if (room, person) in self._until_s:
                        await self._rooms.remove(room, person)
            except DependencyUnavailable:
                log.warning("room_not_watched")
