"""The first fact of a session, or of its next life."""

import json

from agent.conversation.cast import Scene
from agent.speech.phases import LOGIC_VERSION
from agent.wiring.house import House
from agent.wiring.session import OpenSession
from agent.worker.arrival import Locale
from config.settings import Settings
from trail.content import Content, content
from trail.envelope import Fact
from trail.events.session import SessionOpened, SessionResumed


def opening(
    session: OpenSession, house: House, scene: Scene, locale: Locale
) -> tuple[Fact, tuple[Content, ...]]:
    """Return the fact that opens or resumes ``session``, with its words."""
    if session.resumed:
        return SessionResumed(software=house.software, last_position=session.head), ()
    shown = content(masked(house.settings), owner=None)
    return (
        SessionOpened(
            owner=scene.owner,
            room=scene.room,
            character_id=scene.character_id,
            time_zone=locale.time_zone,
            language=locale.language,
            logic_version=LOGIC_VERSION,
            software=house.software,
            settings=shown.ref,
        ),
        (shown,),
    )


def masked(settings: Settings) -> str:
    """Return the effective settings as JSON; secrets appear as asterisks."""
    return json.dumps(settings.model_dump(mode="json"), sort_keys=True)
