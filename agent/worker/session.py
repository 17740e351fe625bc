"""One LiveKit job is one session: assembles it, runs it in one task group, ends it in order."""

import asyncio
from typing import Any

import structlog
from livekit import rtc
from livekit.agents import AutoSubscribe, JobContext, room_io
from livekit.agents.voice.avatar import AvatarSession

from agent.conversation.cast import Cast, Scene
from agent.conversation.conversation import Conversation
from agent.conversation.lifetimes import Service, run_session
from agent.conversation.live import LiveTopic
from agent.conversation.permission import Permission
from agent.wiring.engines import LocalEngines
from agent.wiring.house import House
from agent.wiring.session import OpenSession, open_session
from agent.worker.arrival import Locale, arrival
from agent.worker.audio_chain import tail
from agent.worker.chains import tell_of_failures
from agent.worker.companion import Companion
from agent.worker.doors import RoomDoor
from agent.worker.ears import Ears
from agent.worker.echo import EchoCanceller, FarEnd
from agent.worker.ensemble import Ensemble, agent_session, ensemble
from agent.worker.errand import Errand, errand_of
from agent.worker.face import face_available, make_face
from agent.worker.face_track import LocalFace
from agent.worker.opening import opening
from agent.worker.plugins.thinking import LocalLLM
from agent.worker.read_ahead import ReadAhead
from agent.worker.room import RoomSender
from agent.worker.voice import VoiceTap
from config.character import choose
from trail.errors import ContractError
from trail.events.generation import Role
from trail.events.session import SessionEnd
from trail.ids import ParticipantId, random_name

log = structlog.get_logger()

INPUT_RATE_HZ = 16_000
"""What every recogniser and detector takes; else each of them would resample for itself."""
OUTPUT_RATE_HZ = 24_000
TICK_S = 0.1
"""How often the page learns how far the voice is; a fifth of a short word's length."""


async def converse(
    ctx: JobContext, house: House, engines: LocalEngines, *, stopping: asyncio.Event
) -> None:
    """Hold one conversation, from the first greeting to the last fact.

    Args:
        ctx: The LiveKit job.
        house: What the process shares.
        engines: The models of this machine.
        stopping: Set when the worker is told to stop; the session then ends in good order.
    """
    errand = errand_of(ctx.job.metadata)
    structlog.contextvars.bind_contextvars(session_id=errand.session_id)
    await ctx.connect(auto_subscribe=AutoSubscribe.AUDIO_ONLY)
    locale = await arrival(ctx.room, ParticipantId(errand.owner))
    async with open_session(
        house, errand.session_id, holder=random_name(), part="worker"
    ) as session:
        run = SessionRun(ctx.room, house, engines, errand, session, locale, stopping)
        reason = await run.whole()
        await session.journal.flush()
        if reason is not SessionEnd.STOPPED:
            await session.store.end(errand.session_id, at=session.clock.utc())
    log.info("session_ended", reason=str(reason))
    ctx.shutdown(reason=str(reason))


class SessionRun:
    """The parts of one running session, wired together."""

    def __init__(
        self,
        room: rtc.Room,
        house: House,
        engines: LocalEngines,
        errand: Errand,
        session: OpenSession,
        locale: Locale,
        stopping: asyncio.Event,
    ) -> None:
        settings = house.settings
        self._room = room
        self._house = house
        self._session = session
        self._locale = locale
        self._stopping = stopping
        self._owner = ParticipantId(errand.owner)
        self._character = choose(house.characters, errand.character_id)
        self._done = asyncio.Event()
        self._failed = False
        self._face: AvatarSession[Any] | None = None
        self._scene = Scene(
            session_id=errand.session_id,
            room=session.row.room,
            owner=errand.owner,
            avatar=ParticipantId(room.local_participant.identity),
            character_id=errand.character_id,
            profile=settings.access.policy_profile,
        )
        before = Permission(session.gate, self._scene, tuple)
        self._models: Ensemble = ensemble(
            settings, engines, self._character.voice, before.may_receive
        )
        self._live = LiveTopic(RoomSender(room, lambda: self._talk.presence.people))
        self._talk = Conversation(
            cast=Cast(
                scene=self._scene,
                hearing=self._models.hearing,
                thinking=self._models.thinking,
                speaking=self._models.speaking,
            ),
            gate=session.gate,
            journal=session.journal,
            live=self._live,
            clock=session.clock,
            instructions=self._character.prompt,
            history=session.history,
            report_timeout_s=settings.speech.report_timeout_s,
        )
        self._door = RoomDoor(
            room,
            self._talk,
            owner=self._owner,
            language=locale.language,
            room_settings=settings.room,
            over=self._done.set,
        )
        self._agent_session = agent_session(self._models, settings.room)
        thinker = self._models.llm
        self._ahead = ReadAhead(self._talk, thinker) if isinstance(thinker, LocalLLM) else None

    async def whole(self) -> SessionEnd:
        """Run until it is over and return why."""
        self._talk.begin(*opening(self._session, self._house, self._scene, self._locale))
        self._door.open()
        try:
            await self._start()
            self._face = await self._attach_face()
            self._door.serve(self._agent_session)
            self._greet()
            await run_session(self._essentials(), self._optionals(self._face), until=self._done)
        finally:
            reason = self._reason()
            await self._agent_session.aclose()
            self._talk.end(reason)
            await self._live.sent()
            if self._face is not None:
                await self._face.aclose()
            await self._models.aclose()
        return reason

    def _essentials(self) -> dict[str, Service]:
        return {
            "journal": self._session.journal.run,
            "consents": self._session.consents.run,
            "clockwork": self._clockwork,
            "door": self._door.run,
        }

    def _optionals(self, face: AvatarSession[Any] | None) -> dict[str, Service]:
        drawing = {"face": face.run} if isinstance(face, LocalFace) else {}
        reading = {"reading ahead": self._ahead.run} if self._ahead is not None else {}
        return {"live topic": self._live.run, **reading, **drawing}

    async def _start(self) -> None:
        """Start LiveKit's session and put our tap at the end of its audio output."""
        settings = self._house.settings
        ears = Ears(
            self._talk,
            speaker=lambda: self._owner if self._owner in self._talk.presence.people else None,
            language=self._locale.language,
            closed=self._closed_early,
            ahead=self._ahead,
        )
        ears.attach(self._agent_session)
        tell_of_failures(
            [
                (Role.HEARING, self._models.stt),
                (Role.THINKING, self._models.llm),
                (Role.SPEAKING, self._models.tts),
            ],
            lambda role, error: self._talk.provider_failed(role, error, recovered=True),
        )
        far_end = FarEnd()
        companion = Companion(
            self._talk,
            thinker=self._models.llm,
            voice=self._models.tts,
            instructions=self._character.prompt,
            sentences_at_most=settings.speech.reply_sentences_at_most,
            output_rate_hz=OUTPUT_RATE_HZ,
        )
        # the framework leaves type parameters of its own out
        await self._agent_session.start(  # pyright: ignore[reportUnknownMemberType]
            companion,
            room=self._room,
            room_options=room_io.RoomOptions(
                text_input=False,
                audio_input=room_io.AudioInputOptions(
                    sample_rate=INPUT_RATE_HZ, noise_cancellation=EchoCanceller(far_end)
                ),
                audio_output=room_io.AudioOutputOptions(sample_rate=OUTPUT_RATE_HZ),
                text_output=settings.room.framework_transcription,
                participant_identity=self._owner,
                close_on_disconnect=False,
            ),
            session_host=False,
            record=False,
        )
        leaf = tail(self._agent_session.output.audio)
        if leaf is None:
            raise ContractError("the session has no audio output")
        tap = VoiceTap(leaf, playback=self._talk.mouth, far_end=far_end)
        self._agent_session.output.replace_audio_tail(tap)
        self._talk.mouth.follow(tap.playing)

    async def _attach_face(self) -> AvatarSession[Any] | None:
        """Attach the face. Without one the conversation goes on, and the page says why."""
        avatar = self._house.settings.avatar
        face = make_face(avatar, self._character.look)
        if face is not None:
            # the framework leaves type parameters of its own out
            await face.start(self._agent_session, self._room)  # pyright: ignore[reportUnknownMemberType]
        elif avatar.provider == "local" and (missing := face_available()) is not None:
            values = {"library": missing.library, "package": missing.package}
            self._live.say("notice", code="face_off", values=values)
        return face

    async def _clockwork(self) -> None:
        """Move what goes by time: progress for the page, watchdogs, the end of the session."""
        while True:
            await asyncio.sleep(TICK_S)
            self._talk.mouth.tick()
            if isinstance(self._face, LocalFace):
                self._face.watch(watched=bool(self._talk.presence.people))
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
        if self._failed or not self._done.is_set():
            return SessionEnd.FAILED
        return SessionEnd.STOPPED if self._stopping.is_set() else self._door.reason
