"""The local face: drawn in this process and published as the avatar's own camera track.

It attaches like every LiveKit avatar (``AvatarSession``), but stays out of the way of the
audio: the room output keeps playing it, the face only listens in through a ``FaceTap``. If
drawing fails, the picture stands still and the voice goes on.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, cast

import structlog
from livekit import rtc
from livekit.agents import AgentSession, AgentStateChangedEvent
from livekit.agents.voice.avatar import AvatarSession
from livekit.agents.voice.io import AudioOutput
from livekit.rtc.participant import UnpublishTrackError
from typing_extensions import override

from agent.avatar.attitude import CALM, Affect, Attitude
from agent.worker.audio_chain import detach, tail
from agent.worker.easel import Moment, Pixels
from agent.worker.emitter import Emitter
from agent.worker.face_tap import FaceTap
from agent.worker.pace import Pace
from trail.clock import unix_s
from trail.errors import ContractError

TRACK_NAME = "face"
BITRATE_BPS = 700_000
"""A 512 px face is 40 dB from the original at 600 kb/s; more is not seen."""
LEAD_S = 0.02
"""A picture stays for 40 ms, so it shows the mouth of the middle of that time."""
MOUTH_EVERY_S = 0.02
"""Positions of the mouth taken between two frames, so that a "p" of 40 ms is not missed."""
LONGEST_STEP_S = 0.1
"""After a stall the face moves on from where it was instead of jumping."""
_UNPUBLISH_S = 2.0

ATTITUDES: dict[str, Attitude] = {
    "initializing": Attitude.IDLE,
    "idle": Attitude.IDLE,
    "listening": Attitude.LISTENING,
    "thinking": Attitude.THINKING,
    "speaking": Attitude.SPEAKING,
}
"""The framework's agent states."""


log: structlog.stdlib.BoundLogger = structlog.get_logger()


@dataclass(slots=True, kw_only=True)
class FaceFigures:
    """What the face has done so far."""

    drawn: int = 0
    dropped: int = 0
    """Frames left out because drawing was late."""


class Painter(Protocol):
    """Draws one frame at a time; the easel, or a stand-in."""

    async def paint(self, moment: Moment) -> bool:
        """Draw and show one frame; return True when the mouth has come to rest."""
        ...

    async def aclose(self) -> None:
        """Let go of everything; nothing is painted afterwards."""
        ...


class Target(Protocol):
    """Where pictures are published."""

    def track(self) -> rtc.LocalVideoTrack:
        """Return a track that shows what is painted."""
        ...

    async def aclose(self) -> None:
        """Let go of the source behind the track."""
        ...


class VideoTarget:
    """The published side of the face: frames in, track out."""

    def __init__(self, size_px: int) -> None:
        self._size_px = size_px
        self._source = rtc.VideoSource(size_px, size_px)

    def track(self) -> rtc.LocalVideoTrack:
        """Return a new track that shows what is given to ``show``."""
        return rtc.LocalVideoTrack.create_video_track(TRACK_NAME, self._source)

    def show(self, pixels: Pixels) -> None:
        """Hand one picture to the encoder, which copies it."""
        frame = rtc.VideoFrame(
            self._size_px,
            self._size_px,
            rtc.VideoBufferType.RGBA,
            pixels.data.cast("B"),
        )
        self._source.capture_frame(frame)

    async def aclose(self) -> None:
        """Let go of the encoder's source."""
        await self._source.aclose()


class LocalFace(AvatarSession[str]):
    """The drawn face of one session."""

    def __init__(
        self,
        painter: Painter,
        target: Target,
        *,
        fps: int = 25,
        idle_fps: int = 12,
        lead_s: float = LEAD_S,
        now_s: Callable[[], float] = unix_s,
    ) -> None:
        """Set up a face that is not yet published.

        Args:
            painter: Draws in a thread of its own.
            target: Where the pictures go.
            fps: Frames a second while the face speaks.
            idle_fps: Frames a second otherwise.
            lead_s: How far the mouth is ahead of what is heard.
            now_s: The wall clock in which the audio output reports its playback.
        """
        super().__init__()
        self._painter = painter
        self._target = target
        self._fps = fps
        self._pace = Pace(fps=fps, idle_fps=idle_fps)
        self._lead_s = lead_s
        self._now_s = now_s
        self._attitude = Attitude.IDLE
        self._affect = CALM
        self._session: AgentSession[Any] | None = None
        self._tap: FaceTap | None = None
        self._sink: AudioOutput | None = None
        self._publication: rtc.LocalTrackPublication | None = None
        self._changed = asyncio.Event()
        self._watched = asyncio.Event()
        self._watched.set()
        self._interruptions_shown = 0
        self._mouth_is_still = True
        self._closed = False
        self.figures = FaceFigures()

    @property
    @override
    def avatar_identity(self) -> str:
        """The agent itself: the face is its camera."""
        return self._room.local_participant.identity if self._room else ""

    @property
    @override
    def provider(self) -> str:
        return "local"

    @override
    async def start(self, agent_session: AgentSession[Any], room: rtc.Room) -> None:
        """Publish the track and listen in on the audio.

        Args:
            agent_session: Already started, so that its audio output exists.
            room: Connected.

        Raises:
            ContractError: The session has no audio output.
        """
        sink = tail(agent_session.output.audio)
        if sink is None:
            raise ContractError("a face is started after its session: there is no audio output")
        # the framework leaves its own type parameter out
        await super().start(agent_session, room)  # pyright: ignore[reportUnknownMemberType]
        self._attitude = ATTITUDES.get(agent_session.agent_state, Attitude.IDLE)
        cast("Emitter", agent_session).on("agent_state_changed", self._on_state)
        self._session = agent_session
        self._sink = sink
        self._tap = FaceTap(sink, now_s=self._now_s, on_change=self._changed.set)
        agent_session.output.replace_audio_tail(self._tap)
        self._publication = await room.local_participant.publish_track(
            self._target.track(),
            rtc.TrackPublishOptions(
                source=rtc.TrackSource.SOURCE_CAMERA,
                simulcast=False,
                video_codec=rtc.VideoCodec.VP8,
                video_encoding=rtc.VideoEncoding(
                    max_bitrate=BITRATE_BPS, max_framerate=float(self._fps)
                ),
            ),
        )

    async def run(self) -> None:
        """Draw until closed or cancelled; one frame at a time, late ones left out."""
        loop = asyncio.get_running_loop()
        last_s = due_s = loop.time()
        while True:
            if not self._watched.is_set():
                await self._watched.wait()
                last_s = due_s = loop.time()
            due_s = await self._until_due(due_s)
            if self._closed:
                return
            now_s = loop.time()
            await self._draw(min(LONGEST_STEP_S, max(1e-3, now_s - last_s)))
            last_s = now_s

    def watch(self, *, watched: bool) -> None:
        """Draw only while somebody is there to see it; a still picture stands meanwhile."""
        if watched:
            self._watched.set()
        else:
            self._watched.clear()

    def feel(self, affect: Affect) -> None:
        """Show this feeling from the next frame on."""
        self._affect = affect

    @override
    async def aclose(self) -> None:
        """Take the face away and leave everything else as it was.

        The base class would remove the participant ``avatar_identity`` from the room, which
        here is the agent itself; so it is called only after the room has been let go.
        """
        if self._closed:
            return
        self._closed = True
        self._watched.set()
        self._changed.set()
        session, room = self._session, self._room
        if session is not None:
            cast("Emitter", session).off("agent_state_changed", self._on_state)
            if self._tap is not None and self._sink is not None:
                detach(session.output, self._tap, self._sink)
        if room is not None:
            await self._unpublish(room)
            cast("Emitter", room).off("connection_state_changed", self._on_connection_state_changed)
            self._room = None
        await super().aclose()
        await self._painter.aclose()
        await self._target.aclose()

    def _on_state(self, event: AgentStateChangedEvent) -> None:
        """SDK callback: note the attitude and return."""
        self._attitude = ATTITUDES[event.new_state]
        self._changed.set()

    def _is_moving(self) -> bool:
        """True while the fast frame rate is needed; while it thinks, the model needs the cores."""
        speaking = self._tap is not None and self._tap.is_speaking
        return speaking or self._attitude is Attitude.SPEAKING or not self._mouth_is_still

    async def _until_due(self, last_due_s: float) -> float:
        """Wait for the next frame's time and return it; a change brings it forward."""
        loop = asyncio.get_running_loop()
        while True:
            self._changed.clear()
            interval_s = self._pace.interval_s(moving=self._is_moving())
            due_s = last_due_s + interval_s
            now_s = loop.time()
            late_s = now_s - due_s
            if late_s >= interval_s:
                self.figures.dropped += int(late_s / interval_s)
                self._keep_pace(now_s, late=True)
                return now_s
            if late_s >= 0 or self._closed:
                self._keep_pace(now_s, late=False)
                return due_s
            try:
                async with asyncio.timeout_at(due_s):
                    await self._changed.wait()
            except TimeoutError:
                continue

    def _keep_pace(self, now_s: float, *, late: bool) -> None:
        if self._pace.note(now_s, late=late):
            log.info("face_rate_changed", fps=round(self._pace.fps))

    async def _draw(self, dt_s: float) -> None:
        tap = self._tap
        count = max(1, round(dt_s / MOUTH_EVERY_S))
        interruptions = tap.interruptions if tap else 0
        moment = Moment(
            dt_s=dt_s,
            mouths=tap.mouths(span_s=dt_s, count=count, lead_s=self._lead_s) if tap else (),
            attitude=self._attitude,
            affect=self._affect,
            interrupted=interruptions > self._interruptions_shown,
        )
        self._interruptions_shown = interruptions
        self._mouth_is_still = await self._painter.paint(moment)
        self.figures.drawn += 1

    async def _unpublish(self, room: rtc.Room) -> None:
        if self._publication is None or not room.isconnected():
            return
        try:
            async with asyncio.timeout(_UNPUBLISH_S):
                await room.local_participant.unpublish_track(self._publication.sid)
        except (TimeoutError, UnpublishTrackError) as error:
            log.warning("face_not_unpublished", reason=type(error).__name__)
        self._publication = None
