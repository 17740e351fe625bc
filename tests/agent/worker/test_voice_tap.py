"""The tap passes audio through untouched and says what became of each segment."""

from dataclasses import dataclass, field

import numpy as np
from livekit import rtc
from livekit.agents.voice.io import AudioOutput, AudioOutputCapabilities
from typing_extensions import override

from agent.worker.echo import FarEnd
from agent.worker.voice import SEGMENT_KEY, VoiceTap
from trail.ids import SegmentId

RATE_HZ = 24_000


class Sink(AudioOutput):
    """Keeps what it is given; the test says when it plays."""

    def __init__(self) -> None:
        super().__init__(
            label="Sink", capabilities=AudioOutputCapabilities(pause=True), sample_rate=RATE_HZ
        )
        self.frames: list[bytes] = []
        self.cleared = 0

    @override
    async def capture_frame(self, frame: rtc.AudioFrame) -> None:
        await super().capture_frame(frame)
        self.frames.append(bytes(frame.data))

    @override
    def flush(self) -> None:
        super().flush()

    @override
    def clear_buffer(self) -> None:
        self.cleared += 1


@dataclass(slots=True)
class Reports:
    """Keeps what the tap reports, in order."""

    said: list[tuple[object, ...]] = field(default_factory=list[tuple[object, ...]])

    def queued(self, segment: SegmentId) -> None:
        self.said.append(("queued", segment))

    def started(self, segment: SegmentId) -> None:
        self.said.append(("started", segment))

    def ran(self, segment: SegmentId, *, offset_s: float, duration_s: float) -> None:
        self.said.append(("ran", segment, offset_s, duration_s))

    def finished(self, segment: SegmentId, *, position_s: float, interrupted: bool) -> None:
        self.said.append(("finished", segment, position_s, interrupted))


def frame(segment: str) -> rtc.AudioFrame:
    pcm = np.arange(2400, dtype=np.int16).tobytes()
    return rtc.AudioFrame(pcm, RATE_HZ, 1, 2400, userdata={SEGMENT_KEY: segment})


async def test_given_two_segments_then_each_report_names_its_own() -> None:
    sink, reports = Sink(), Reports()
    tap = VoiceTap(sink, playback=reports, far_end=FarEnd())

    await tap.capture_frame(frame("a"))
    await tap.capture_frame(frame("a"))
    tap.flush()
    sink.on_playback_started(created_at=1.0)
    sink.on_playback_progressed(started_at=1.0, offset=0.0, duration=0.2)
    sink.on_playback_finished(playback_position=0.2, interrupted=False)
    await tap.capture_frame(frame("b"))
    tap.clear_buffer()
    sink.on_playback_finished(playback_position=0.0, interrupted=True)

    assert reports.said == [
        ("queued", "a"),
        ("started", "a"),
        ("ran", "a", 0.0, 0.2),
        ("finished", "a", 0.2, False),
        ("queued", "b"),
        ("finished", "b", 0.0, True),
    ]
    assert sink.cleared == 1


async def test_given_audio_then_it_passes_byte_for_byte() -> None:
    sink = Sink()
    tap = VoiceTap(sink, playback=Reports(), far_end=FarEnd())

    await tap.capture_frame(frame("a"))

    assert sink.frames == [bytes(frame("a").data)]


async def test_given_a_pause_then_the_playhead_stands_still() -> None:
    sink = Sink()
    tap = VoiceTap(sink, playback=Reports(), far_end=FarEnd())
    await tap.capture_frame(frame("a"))
    sink.on_playback_started(created_at=1.0)

    tap.pause()
    sink.on_playback_progressed(started_at=1.0, offset=0.0, duration=0.05)
    held = tap.playing()
    tap.resume()
    going_on = tap.playing()

    assert held == ("a", 0.05, False)
    assert going_on is not None
    assert going_on[2]


async def test_given_nothing_was_captured_then_nothing_plays() -> None:
    assert VoiceTap(Sink(), playback=Reports(), far_end=FarEnd()).playing() is None
