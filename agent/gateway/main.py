"""Builds the gateway from the house and runs it."""

from agent.gateway.app import create_app
from agent.gateway.house_port import GatewayHouse
from agent.gateway.page import built_page
from agent.gateway.rooms import LiveKitRooms
from agent.gateway.serve import serve
from agent.local.status import read_parts
from agent.wiring.house import House
from agent.wiring.store import open_trail
from trail.ids import CharacterId


async def run_gateway(house: House) -> None:
    """Serve page and API until cancelled.

    Raises:
        DependencyUnavailable: the port is taken, or the database does not answer.
        OpenAddress: the address is not of this machine.
    """
    settings = house.settings
    media = house.media
    async with open_trail(settings, source="gateway") as store:
        app = create_app(
            GatewayHouse(
                store=store,
                rooms=LiveKitRooms(url=media.url, key=media.api_key, secret=media.api_secret),
                rules=house.rules,
                livekit_key=media.api_key,
                livekit_secret=media.api_secret,
                cookie_key=house.secrets.cookie_key.encode(),
                operator_token=house.secrets.operator_token,
                livekit_public_url=media.url,
                characters=tuple(house.characters),
                default_character=CharacterId(settings.character),
                host=settings.host,
                port=settings.port,
                allowed_hosts=settings.access.allowed_hosts,
                profile=settings.access.policy_profile,
                page_folder=built_page(),
                return_s=settings.room.return_s,
                people_at_most=settings.room.people_at_most,
                software=house.software,
                parts=lambda: read_parts(settings.data_dir),
            )
        )
        await serve(app, settings.host, settings.port)
