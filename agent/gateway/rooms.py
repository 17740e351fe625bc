"""`RoomControl` over LiveKit's server interface."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from livekit import api
from livekit.protocol import room as proto
from livekit.protocol.models import ParticipantInfo
from typing_extensions import override

from agent.gateway.house_port import RoomControl
from trail.errors import DependencyUnavailable
from trail.ids import ParticipantId, RoomName

_WAIT_S: Final = 3.0
_NOT_PEOPLE: Final = frozenset({ParticipantInfo.Kind.AGENT, ParticipantInfo.Kind.EGRESS})


class LiveKitRooms(RoomControl):
    """Asks one media server; every question opens and closes its own connection, so that an
    instance belongs to no loop.
    """

    def __init__(self, *, url: str, key: str, secret: str) -> None:
        self._url = url.replace("ws", "http", 1) if url.startswith("ws") else url
        self._key = key
        self._secret = secret

    @override
    async def remove(self, room: RoomName, participant: ParticipantId) -> None:
        gone = proto.RoomParticipantIdentity(room=room, identity=participant)
        async with self._asking() as livekit:
            try:
                await livekit.room.remove_participant(gone)
            except api.ServerError as error:
                if error.code != api.ServerErrorCode.NOT_FOUND:
                    raise

    @override
    async def people(self, room: RoomName) -> Sequence[ParticipantId]:
        async with self._asking() as livekit:
            try:
                listed = await livekit.room.list_participants(
                    proto.ListParticipantsRequest(room=room)
                )
            except api.ServerError as error:
                if error.code != api.ServerErrorCode.NOT_FOUND:
                    raise
                return ()
        return tuple(
            ParticipantId(one.identity)
            for one in listed.participants
            if one.kind not in _NOT_PEOPLE
        )

    @override
    async def reach(self) -> None:
        async with self._asking() as livekit:
            await livekit.room.list_rooms(proto.ListRoomsRequest(names=["-"]))

    @asynccontextmanager
    async def _asking(self) -> AsyncGenerator[api.LiveKitAPI]:
        try:
            async with (
                asyncio.timeout(_WAIT_S),
                api.LiveKitAPI(self._url, self._key, self._secret, failover=False) as livekit,
            ):
                yield livekit
        except Exception as error:  # its transport's errors pass through it, of several families
            raise DependencyUnavailable("livekit", type(error).__name__) from error
