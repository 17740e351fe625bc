"""One LiveKit job is one session: assembles it, runs it in one task group, ends it in order."""

import asyncio
from typing import Any

import structlog
from livekit import rtc
from livekit.agents import (
    AgentSession,
    AutoSubscribe,
    JobContext,
    TurnHandlingOptions,
    inference,
    room_io,
)
from livekit.agents.voice.agent_session import SessionConnectOptions
from livekit.agents.voice.avatar import AvatarSession

from agent.conversation.cast import Cast
from agent.conversation.conversation import Conversation
from agent.conversation.lifetimes import Service, run_session
from agent.conversation.live import LiveTopic
from agent.wiring.house import House
from agent.wiring.session import OpenSession, open_session
from agent.worker.audio_chain import tail
from agent.worker.companion import Companion, chat_context
from agent.worker.doors import RoomDoor
from agent.worker.ears import Ears
from agent.worker.echo import EchoCanceller, FarEnd
from agent.worker.errand import Errand, errand_of
from agent.worker.face import face_available, make_face
from agent.worker.face_track import LocalFace
from agent.worker.models import build_llm, build_stt, build_tts, build_vad, engine_of
from agent.worker.opening import opening
from agent.worker.plugins.thinking import LocalLLM
from agent.worker.room import RoomSender
from agent.worker.voice import VoiceTap
from config.character import Character, choose
from trail.errors import ContractError
from trail.events.session import SessionEnd
from trail.ids import ParticipantId, random_name

log = structlog.get_logger()

OUTPUT_RATE_HZ = 24_000
TICK_S = 0.1
"""How often the page learns how far the voice is; a fifth of a short word's length."""
ENDLESS = 1_000_000
"""Errors in a row after which the framework closes its session: never; we decide that."""


async def converse(ctx: JobContext, house: House, *, stopping: asyncio.Event) -> None:
    """Hold one conversation, from the first greeting to the last fact.

    Args:
        ctx: The LiveKit job.
        house: What the process shares.
        stopping: Set when the worker is told to stop; the session then ends in good order.
    """
    errand = errand_of(ctx.job.metadata)
    structlog.contextvars.bind_contextvars(session_id=errand.session_id)
    await ctx.connect(auto_subscribe=AutoSubscribe.AUDIO_ONLY)
    async with open_session(
        house, errand.session_id, holder=random_name(), part="worker"
    ) as session:
        reason = await _Run(ctx.room, house, errand, session, stopping).whole()
        await session.journal.flush()
        if reason is not SessionEnd.STOPPED:
            await session.store.end(errand.session_id, at=session.clock.utc())
    log.info("session_ended", reason=str(reason))
    ctx.shutdown(reason=str(reason))


class _Run:
    """The parts of one running session, wired together."""

    def __init__(
        self,
        room: rtc.Room,
        house: House,
        errand: Errand,
        session: OpenSession,
        stopping: asyncio.Event,
    ) -> None:
        self._room = room
        self._house = house
        self._session = session
        self._stopping = stopping
        self._owner = ParticipantId(errand.owner)
        self._character: Character = choose(house.characters, errand.character_id)
        self._done = asyncio.Event()
        self._failed = False
        settings = house.settings
        self._cast = Cast(
            session_id=errand.session_id,
            room=session.row.room,
            owner=errand.owner,
            avatar=ParticipantId(room.local_participant.identity),
            character_id=errand.character_id,
            profile=settings.access.policy_profile,
            hearing=engine_of(settings.models.stt[0], local_model=house.engines.name_of("stt")),
            thinking=engine_of(settings.models.llm[0], local_model=house.engines.name_of("llm")),
            speaking=engine_of(settings.models.tts[0], local_model=house.engines.name_of("tts")),
        )
        self._live = LiveTopic(RoomSender(room, lambda: self._talk.presence.people))
        self._talk = Conversation(
            cast=self._cast,
            gate=session.gate,
            notebook=session.journal,
            live=self._live,
            clock=session.clock,
            instructions=self._character.prompt,
            history=session.history,
            report_timeout_s=settings.speech.report_timeout_s,
        )
        self._door = RoomDoor(
            room, self._talk, owner=self._owner, room_settings=settings.room, over=self._done.set
        )
        self._agent_session = self._build_session()

    async def whole(self) -> SessionEnd:
        """Run until it is over and return why."""
        settings = self._house.settings
        await self._door.person_arrives()
        fact, contents = opening(
            self._session,
            self._house,
            self._cast,
            time_zone=self._door.time_zone,
            language=self._door.language,
        )
        self._talk.record.opened(fact, contents=contents)
        self._door.open()
        ears = Ears(
            self._talk,
            speaker=lambda: self._owner if self._owner in self._talk.presence.people else None,
            language=self._door.language,
            closed=self._closed_early,
        )
        ears.attach(self._agent_session)
        far_end = FarEnd()
        companion = Companion(
            self._talk,
            instructions=self._character.prompt,
            sentences_at_most=settings.speech.reply_sentences_at_most,
            output_rate_hz=OUTPUT_RATE_HZ,
        )
        await self._agent_session.start(
            companion,
            room=self._room,
            room_options=self._room_options(far_end),
            session_host=False,
            record=False,
        )
        tap = self._insert_tap(far_end)
        self._talk.mouth.follow(tap.playing)
        self._door.serve(self._agent_session)
        face = await self._start_face()
        essentials: dict[str, Service] = {
            "journal": self._session.journal.run,
            "consents": self._session.consents.run,
            "clockwork": self._clockwork,
            "door": self._door.run,
        }
        optionals: dict[str, Service] = {"live topic": self._live.run, "warming": self._warm}
        if isinstance(face, LocalFace):
            optionals["face"] = face.run
        self._greet()
        try:
            await run_session(essentials, optionals, until=self._done)
        finally:
            reason = self._reason()
            await self._agent_session.aclose()
            self._talk.end(reason)
            if face is not None:
                await face.aclose()
        return reason

    def _build_session(self) -> AgentSession[None]:
        settings = self._house.settings
        engines = self._house.engines
        vad = build_vad(settings.models.vad)
        return AgentSession[None](
            stt=build_stt(settings.models.stt, engines, vad),
            llm=build_llm(
                settings.models.llm, engines, reply_tokens=settings.speech.reply_tokens_at_most
            ),
            tts=build_tts(settings.models.tts, engines, self._character.voice),
            vad=vad,
            turn_handling=TurnHandlingOptions(
                turn_detection=inference.TurnDetector(version="v1-mini"),
                endpointing={
                    "mode": "fixed",
                    "min_delay": settings.room.min_endpointing_s,
                    "max_delay": settings.room.max_endpointing_s,
                },
                interruption={"mode": "vad"},
            ),
            tts_text_transforms=None,
            aec_warmup_duration=None,
            conn_options=SessionConnectOptions(max_unrecoverable_errors=ENDLESS),
        )

    def _room_options(self, far_end: FarEnd) -> room_io.RoomOptions:
        return room_io.RoomOptions(
            text_input=False,
            audio_input=room_io.AudioInputOptions(noise_cancellation=EchoCanceller(far_end)),
            audio_output=room_io.AudioOutputOptions(sample_rate=OUTPUT_RATE_HZ),
            text_output=self._house.settings.room.framework_transcription,
            participant_identity=self._owner,
            close_on_disconnect=False,
        )

    def _insert_tap(self, far_end: FarEnd) -> VoiceTap:
        leaf = tail(self._agent_session.output.audio)
        if leaf is None:
            raise ContractError("the session has no audio output")
        tap = VoiceTap(leaf, playback=self._talk.mouth, far_end=far_end)
        self._agent_session.output.replace_audio_tail(tap)
        return tap

    async def _start_face(self) -> AvatarSession[Any] | None:
        """Attach the face. Without one the conversation goes on, and the page says why."""
        avatar = self._house.settings.avatar
        face = make_face(avatar, self._character.look)
        if face is not None:
            await face.start(self._agent_session, room=self._room)
        elif avatar.provider == "local" and (missing := face_available()) is not None:
            values = {"library": missing.library, "package": missing.package}
            self._live.say("notice", code="face_off", values=values)
        return face

    async def _warm(self) -> None:
        """Have the local model read what every prompt of this session begins with."""
        thinker = self._agent_session.llm
        if isinstance(thinker, LocalLLM):
            await thinker.warm(chat_context(self._talk.prompt([])))

    async def _clockwork(self) -> None:
        """Move what goes by time: progress for the page, watchdogs, the end of the session."""
        while True:
            await asyncio.sleep(TICK_S)
            self._talk.mouth.tick()
            if self._stopping.is_set():
                self._done.set()

    def _greet(self) -> None:
        if not self._session.resumed and self._character.greeting:
            self._agent_session.say(self._character.greeting)

    def _closed_early(self) -> None:
        if not self._done.is_set():
            self._failed = True
            self._done.set()

    def _reason(self) -> SessionEnd:
        if self._failed:
            return SessionEnd.FAILED
        return SessionEnd.STOPPED if self._stopping.is_set() else self._door.reason
