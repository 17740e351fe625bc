"""Room tokens: who may enter which room, as whom, and whom the media server calls in.

The dispatch of our agent and the options of the room lie in every token; the media server uses
them when the join makes the room, so a room that was lost with its server gets its avatar again.
"""

import json
import math
from datetime import timedelta
from typing import Final

from livekit import api
from livekit.protocol.agent_dispatch import RoomAgentDispatch
from livekit.protocol.room import RoomConfiguration

from agent.gateway.house_port import GatewayHouse
from agent.gateway.wish import Wish
from trail.ids import PersonId
from trail.ports import SessionRow

LIFE: Final = timedelta(minutes=15)
_SOURCES: Final = ["microphone", "camera", "screen_share"]
_ROOM_OUTLIVES_SESSION_S: Final = 15
"""The worker ends a deserted session; the media server must not close the room before it."""


def room_token(
    house: GatewayHouse, row: SessionRow, *, person_id: PersonId, name: str, wish: Wish
) -> str:
    """Return a signed token that admits ``person_id`` to the room of ``row`` for `LIFE`."""
    stays_s = math.ceil(house.return_s) + _ROOM_OUTLIVES_SESSION_S
    config = RoomConfiguration(
        agents=[
            RoomAgentDispatch(
                agent_name=house.agent_name,
                metadata=json.dumps(
                    {
                        "session_id": row.session_id,
                        "owner": row.owner,
                        "character_id": row.character_id,
                    }
                ),
            )
        ],
        empty_timeout=stays_s,
        departure_timeout=stays_s,
        max_participants=house.people_at_most,
        sync_streams=True,
    )
    grants = api.VideoGrants(
        room_join=True,
        room=row.room,
        can_publish=True,
        can_subscribe=True,
        can_publish_data=True,
        can_publish_sources=_SOURCES,
        can_update_own_metadata=False,
    )
    return (
        api.AccessToken(house.livekit_key, house.livekit_secret)
        .with_identity(person_id)
        .with_name(name)
        .with_ttl(LIFE)
        .with_attributes(_attributes(wish))
        .with_grants(grants)
        .with_room_config(config)
        .to_jwt()
    )


def _attributes(wish: Wish) -> dict[str, str]:
    given = {"earwitness.time_zone": wish.time_zone, "earwitness.language": wish.language}
    return {key: value for key, value in given.items() if value}
