"""The room's events: who comes and goes, what they type and call, when it is over."""

import asyncio
from collections.abc import Callable
from typing import cast

import structlog
from livekit import rtc
from livekit.agents import AgentSession, llm

from agent.conversation.conversation import Conversation
from agent.conversation.listening import Timing
from agent.worker.emitter import Emitter
from agent.worker.push_to_talk import PushToTalk
from agent.worker.room import (
    answer_calls,
    is_person,
    listen_to_chat,
    typed_text,
)
from config.settings import Room as RoomSettings
from policy.errors import PolicyDenied
from trail.events.interaction import Channel
from trail.events.session import Departure, SessionEnd
from trail.ids import ParticipantId, uuid7

log = structlog.get_logger()

LOOK_EVERY_S = 0.5
COMING_S = 5.0
"""How long a message waits for its sender to appear."""
WARN_BEFORE_S = 60.0
"""How long before a silent session ends the page says so."""
_DEPARTURES = {
    rtc.DisconnectReason.CLIENT_INITIATED: Departure.VANISHED,
    rtc.DisconnectReason.DUPLICATE_IDENTITY: Departure.REPLACED,
    rtc.DisconnectReason.PARTICIPANT_REMOVED: Departure.REMOVED,
}
"""A page that is reloaded also says CLIENT_INITIATED; Leave is a call of its own before it."""


class RoomDoor:
    """One room's people, messages and calls, for one session."""

    def __init__(
        self,
        room: rtc.Room,
        conversation: Conversation,
        *,
        owner: ParticipantId,
        language: str,
        room_settings: RoomSettings,
        over: Callable[[], None],
    ) -> None:
        self._room = room
        self._events = cast("Emitter", room)
        self._talk = conversation
        self._owner = owner
        self._language = language
        self._settings = room_settings
        self._over = over
        self._leaving: set[ParticipantId] = set()
        self._session: AgentSession[None] | None = None
        self._typed: asyncio.Queue[tuple[rtc.TextStreamReader, ParticipantId]] = asyncio.Queue(32)
        self._warned = False
        self.reason = SessionEnd.EMPTY

    def open(self) -> None:
        """Take in who is here and listen to who comes and goes."""
        for participant in self._room.remote_participants.values():
            self._on_connected(participant)
        self._events.on("participant_connected", self._on_connected)
        self._events.on("participant_disconnected", self._on_disconnected)

    def serve(self, session: AgentSession[None]) -> None:
        """Take typed messages and calls from now on."""
        self._session = session
        listen_to_chat(self._room, self._on_typed)
        calls = PushToTalk(session, self._owner).calls()
        answer_calls(self._room, {**calls, "earwitness.leave": self._leave})

    async def run(self) -> None:
        """Read typed messages one after the other and notice when it is over."""
        while True:
            try:
                async with asyncio.timeout(LOOK_EVERY_S):
                    reader, sender = await self._typed.get()
            except TimeoutError:
                self._look()
            else:
                await self._read(reader, sender)

    def _look(self) -> None:
        now_s = self._talk.now_s()
        presence = self._talk.presence
        if presence.is_over(at_s=now_s, return_s=self._settings.return_s):
            self.reason = SessionEnd.LEFT if presence.left_by_choice else SessionEnd.EMPTY
            self._over()
        quiet_s = now_s - self._talk.listening.last_heard_s
        if quiet_s >= self._settings.silence_s:
            self.reason = SessionEnd.SILENT
            self._over()
        elif quiet_s >= self._settings.silence_s - WARN_BEFORE_S:
            if not self._warned:
                self._talk.live.say("notice", code="silence_closing", values={"in_s": 60})
            self._warned = True
        else:
            self._warned = False

    def _on_connected(self, participant: rtc.RemoteParticipant) -> None:
        if not is_person(participant):
            return
        person = ParticipantId(participant.identity)
        self._leaving.discard(person)
        self._talk.joined(person)
        if person != self._owner:
            values = {"participant_id": person}
            self._talk.live.say("notice", code="not_heard", values=values)

    def _on_disconnected(self, participant: rtc.RemoteParticipant) -> None:
        if not is_person(participant):
            return
        person = ParticipantId(participant.identity)
        reason = participant.disconnect_reason
        how = _DEPARTURES.get(reason, Departure.VANISHED) if reason else Departure.VANISHED
        self._talk.left(person, Departure.LEFT if person in self._leaving else how)

    async def _leave(self, caller: ParticipantId, payload: str) -> str:
        self._leaving.add(caller)
        return ""

    def _on_typed(self, reader: rtc.TextStreamReader, sender: ParticipantId) -> None:
        try:
            self._typed.put_nowait((reader, sender))
        except asyncio.QueueFull:
            self._talk.live.say("notice", code="message_unreadable", values={})

    async def _read(self, reader: rtc.TextStreamReader, sender: ParticipantId) -> None:
        at_most = self._settings.message_chars_at_most
        try:
            async with asyncio.timeout(LOOK_EVERY_S * 20):
                text = await typed_text(reader, chars_at_most=at_most)
        except TimeoutError:
            self._talk.live.say("notice", code="message_unreadable", values={})
            return
        if text is None:
            values = {"chars_at_most": at_most}
            self._talk.live.say("notice", code="message_too_long", values=values)
            return
        if text.strip() and await self._is_here(sender):
            await self._answer(sender, text)

    async def _is_here(self, sender: ParticipantId) -> bool:
        """Tell whether ``sender`` is in the room.

        After the media server has come back a message can be quicker than the news that its
        sender is there again, so a moment is given.
        """
        for _ in range(int(COMING_S / LOOK_EVERY_S)):
            if sender in self._talk.presence.people:
                return True
            await asyncio.sleep(LOOK_EVERY_S)
        return False

    async def _answer(self, sender: ParticipantId, text: str) -> None:
        """Make a typed message a turn and have it answered."""
        if self._session is None:
            return
        try:
            self._talk.permission.to_read(sender)
        except PolicyDenied:
            self._talk.live.say("notice", code="message_unreadable", values={})
            return
        item = f"item_{uuid7()}"
        at_s = self._talk.now_s()
        self._talk.listening.onset()
        await self._session.interrupt()
        self._talk.listening.commit(
            sender,
            text,
            channel=Channel.TEXT,
            item=item,
            timing=Timing(started_s=at_s, ended_s=at_s),
            language=self._language,
        )
        message = llm.ChatMessage(id=item, role="user", content=[text])
        self._session.generate_reply(user_input=message)
