"""Push-to-talk beside the open microphone: the person says when a turn begins and ends."""

from enum import StrEnum

from livekit import rtc
from livekit.agents import AgentSession, inference

from agent.worker.room import RpcAnswer, call_payload
from trail.ids import ParticipantId


class Mode(StrEnum):
    """How turns begin and end."""

    OPEN = "open"
    PUSH = "push"


class PushToTalk:
    """Answers the page's calls ``earwitness.mode`` and ``earwitness.turn.*``."""

    def __init__(self, session: AgentSession[None], speaker: ParticipantId) -> None:
        self._session = session
        self._speaker = speaker
        self._mode = Mode.OPEN
        self._holding = False

    def calls(self) -> dict[str, RpcAnswer]:
        """Return the methods by name."""
        return {
            "earwitness.mode": self.change_mode,
            "earwitness.turn.start": self.start,
            "earwitness.turn.end": self.end,
            "earwitness.turn.cancel": self.cancel,
        }

    async def change_mode(self, caller: ParticipantId, payload: str) -> str:
        """Switch between open microphone and push-to-talk."""
        self._only_the_speaker(caller)
        wanted = call_payload(payload).get("mode")
        if wanted not in tuple(Mode):
            raise rtc.RpcError(1400, "mode must be open or push")
        self._mode = Mode(str(wanted))
        self._holding = False
        self._session.clear_user_turn()
        manual = self._mode is Mode.PUSH
        self._session.update_options(
            turn_detection="manual" if manual else inference.TurnDetector(version="v1-mini")
        )
        self._session.input.set_audio_enabled(not manual)
        return self._mode

    async def start(self, caller: ParticipantId, payload: str) -> str:
        """Begin a turn: the avatar stops and listens."""
        self._only_in_push_mode(caller)
        await self._session.interrupt()
        self._session.clear_user_turn()
        self._session.input.set_audio_enabled(True)
        self._holding = True
        return ""

    async def end(self, caller: ParticipantId, payload: str) -> str:
        """End the turn; it is answered. Ending twice changes nothing."""
        self._only_in_push_mode(caller)
        if self._holding:
            self._holding = False
            self._session.input.set_audio_enabled(False)
            self._session.commit_user_turn()
        return ""

    async def cancel(self, caller: ParticipantId, payload: str) -> str:
        """Drop the turn unanswered."""
        self._only_in_push_mode(caller)
        self._holding = False
        self._session.input.set_audio_enabled(False)
        self._session.clear_user_turn()
        return ""

    def _only_the_speaker(self, caller: ParticipantId) -> None:
        if caller != self._speaker:
            raise rtc.RpcError(1403, "only the person who is listened to may do this")

    def _only_in_push_mode(self, caller: ParticipantId) -> None:
        self._only_the_speaker(caller)
        if self._mode is not Mode.PUSH:
            raise rtc.RpcError(1409, "push-to-talk is off")
