"""A sink that plays when told to, and a room and a painter that write down what happens."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from livekit import rtc
from livekit.agents.voice.io import AudioOutput, AudioOutputCapabilities
from typing_extensions import override

from agent.avatar.rig import FaceState, Rig
from agent.worker.easel import Moment
from agent.worker.face_tap import PHONEMES

RATE_HZ = 24_000


def tone(seconds: float, *, phonemes: Any = None, amplitude: int = 12_000) -> rtc.AudioFrame:
    """A buzz of 140 Hz with strong overtones up to 1 kHz: an open vowel, roughly."""
    t_s = np.arange(round(seconds * RATE_HZ)) / RATE_HZ
    partials = ((1, 0.3), (5, 0.8), (6, 0.9))
    wave = np.sum([w * np.sin(2 * np.pi * 140 * k * t_s) for k, w in partials], axis=0)
    pcm = (wave / 2.0 * amplitude).astype(np.int16)
    userdata = {PHONEMES: phonemes} if phonemes else None
    return rtc.AudioFrame(pcm.tobytes(), RATE_HZ, 1, len(pcm), userdata=userdata)


class ManualSink(AudioOutput):
    """An output whose playback the test reports by hand."""

    def __init__(self) -> None:
        super().__init__(
            label="manual", capabilities=AudioOutputCapabilities(pause=True), sample_rate=RATE_HZ
        )
        self.frames: list[rtc.AudioFrame] = []
        self.cleared = 0
        self.paused = False

    @override
    async def capture_frame(self, frame: rtc.AudioFrame) -> None:
        await super().capture_frame(frame)
        self.frames.append(frame)

    @override
    def flush(self) -> None:
        super().flush()

    @override
    def clear_buffer(self) -> None:
        self.cleared += 1

    @override
    def pause(self) -> None:
        self.paused = True

    @override
    def resume(self) -> None:
        self.paused = False


class Wrapper(AudioOutput):
    """What the framework puts above the sink."""

    def __init__(self, sink: AudioOutput) -> None:
        super().__init__(
            label="wrapper", capabilities=AudioOutputCapabilities(pause=True), next_in_chain=sink
        )

    def _below(self) -> AudioOutput:
        assert self.next_in_chain is not None
        return self.next_in_chain

    @override
    async def capture_frame(self, frame: rtc.AudioFrame) -> None:
        await super().capture_frame(frame)
        await self._below().capture_frame(frame)

    @override
    def flush(self) -> None:
        super().flush()
        self._below().flush()

    @override
    def clear_buffer(self) -> None:
        self._below().clear_buffer()


@dataclass
class Publication:
    sid: str = "TR_face"


@dataclass
class Participant:
    identity: str = "avatar-ada"
    published: list[rtc.TrackPublishOptions] = field(default_factory=list)
    unpublished: list[str] = field(default_factory=list)

    async def publish_track(self, _track: object, options: rtc.TrackPublishOptions) -> Publication:
        self.published.append(options)
        return Publication()

    async def unpublish_track(self, sid: str) -> None:
        self.unpublished.append(sid)


class FakeRoom(rtc.Room):
    """A room without a server."""

    def __init__(self) -> None:
        rtc.EventEmitter.__init__(self)
        self.participant = Participant()
        self.connected = False

    @override
    def __del__(self) -> None:
        """Nothing is held outside this process."""

    @property
    @override
    def local_participant(self) -> Any:
        return self.participant

    @override
    def isconnected(self) -> bool:
        return self.connected


class FakeTarget:
    def __init__(self) -> None:
        self.closed = False

    def track(self) -> Any:
        return "track"

    async def aclose(self) -> None:
        self.closed = True


class SketchBook:
    """A painter that moves a real rig and keeps its faces instead of drawing them."""

    def __init__(self, *, cost_s: float = 0.0) -> None:
        self.cost_s = cost_s
        self.at_s: list[float] = []
        self.moments: list[Moment] = []
        self.faces: list[FaceState] = []
        self.busy = 0
        self.busiest = 0
        self.closed = False
        self._rig = Rig(np.random.default_rng(1))

    async def paint(self, moment: Moment) -> bool:
        self.busy += 1
        self.busiest = max(self.busiest, self.busy)
        self.at_s.append(asyncio.get_running_loop().time())
        self.moments.append(moment)
        if moment.interrupted:
            self._rig.interrupt()
        self.faces.append(
            self._rig.step(
                moment.dt_s, moment.mouths, attitude=moment.attitude, affect=moment.affect
            )
        )
        await asyncio.sleep(self.cost_s)
        self.busy -= 1
        return self._rig.mouth_is_still

    async def aclose(self) -> None:
        self.closed = True
