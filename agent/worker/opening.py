"""The first fact of a session, or of its next life."""

import json

from agent.conversation.cast import Cast
from agent.speech.phases import LOGIC_VERSION
from agent.wiring.house import House
from agent.wiring.session import OpenSession
from config.settings import Settings
from trail.content import Content, content
from trail.envelope import Fact
from trail.events.session import SessionOpened, SessionResumed


def opening(
    session: OpenSession, house: House, cast: Cast, *, time_zone: str, language: str
) -> tuple[Fact, tuple[Content, ...]]:
    """Return the fact that opens or resumes ``session``, with its words."""
    if session.resumed:
        return SessionResumed(software=house.software, last_position=session.head), ()
    shown = content(masked(house.settings), owner=None)
    return (
        SessionOpened(
            owner=cast.owner,
            room=cast.room,
            character_id=cast.character_id,
            time_zone=time_zone,
            language=language,
            logic_version=LOGIC_VERSION,
            software=house.software,
            settings=shown.ref,
        ),
        (shown,),
    )


def masked(settings: Settings) -> str:
    """Return the effective settings as JSON; secrets appear as asterisks."""
    return json.dumps(settings.model_dump(mode="json"), sort_keys=True)
