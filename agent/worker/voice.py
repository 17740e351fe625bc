"""The last station of the avatar's voice before the room: what was queued, played and cut.

`VoiceTap` sits at the end of LiveKit's output chain and passes audio through unchanged. Frames
carry the segment they belong to in ``userdata``; the playback reports of the room's own output
come back the same way and are handed on per segment.
"""

from collections import deque
from typing import Protocol

import numpy as np
from livekit import rtc
from livekit.agents.voice.io import AudioOutput, AudioOutputCapabilities
from typing_extensions import override

from agent.worker.echo import FarEnd
from trail.clock import unix_s
from trail.ids import SegmentId

SEGMENT_KEY = "earwitness.segment"
"""In ``AudioFrame.userdata``: id of the segment that the frame belongs to."""


class Playback(Protocol):
    """Who wants to know what became of each segment. Called in the session's loop; never waits."""

    def queued(self, segment: SegmentId) -> None:
        """The first audio of a segment was handed to the output."""
        ...

    def started(self, segment: SegmentId) -> None:
        """The first sound of a segment left."""
        ...

    def ran(self, segment: SegmentId, *, offset_s: float, duration_s: float) -> None:
        """A stretch of a segment has played without a gap."""
        ...

    def finished(self, segment: SegmentId, *, position_s: float, interrupted: bool) -> None:
        """Playing ended; no more reports on this segment."""
        ...


class VoiceTap(AudioOutput):
    """Passes audio through and reports on it by segment."""

    def __init__(self, following: AudioOutput, *, playback: Playback, far_end: FarEnd) -> None:
        super().__init__(
            label="VoiceTap",
            capabilities=AudioOutputCapabilities(pause=True),
            next_in_chain=following,
            sample_rate=following.sample_rate,
        )
        # the framework may have put a proxy of its own between the two
        self._following = self.next_in_chain or following
        self._playback = playback
        self._far_end = far_end
        self._segments: deque[SegmentId] = deque()
        self._at_start = True
        self._started_unix_s: float | None = None
        self._held_s: float | None = None

    @override
    async def capture_frame(self, frame: rtc.AudioFrame) -> None:
        await super().capture_frame(frame)
        if self._at_start:
            self._at_start = False
            segment = SegmentId(str(frame.userdata.get(SEGMENT_KEY, "")))
            self._segments.append(segment)
            self._playback.queued(segment)
        self._far_end.give(np.frombuffer(frame.data, np.int16).copy())
        await self._following.capture_frame(frame)

    @override
    def flush(self) -> None:
        super().flush()
        self._at_start = True
        self._following.flush()

    @override
    def clear_buffer(self) -> None:
        self._far_end.clear()
        self._following.clear_buffer()

    @override
    def pause(self) -> None:
        if self._started_unix_s is not None and self._held_s is None:
            self._held_s = unix_s() - self._started_unix_s
        self._far_end.playing = False
        super().pause()

    @override
    def resume(self) -> None:
        if self._held_s is not None:
            self._started_unix_s, self._held_s = unix_s() - self._held_s, None
            self._far_end.playing = True
        super().resume()

    @override
    def on_playback_started(self, *, created_at: float) -> None:
        self._started_unix_s, self._held_s = created_at, None
        self._far_end.playing = True
        if self._segments:
            self._playback.started(self._segments[0])
        super().on_playback_started(created_at=created_at)

    @override
    def on_playback_progressed(self, *, started_at: float, offset: float, duration: float) -> None:
        if self._held_s is not None:
            self._held_s = offset + duration
        if self._segments:
            self._playback.ran(self._segments[0], offset_s=offset, duration_s=duration)
        super().on_playback_progressed(started_at=started_at, offset=offset, duration=duration)

    @override
    def on_playback_finished(
        self,
        *,
        playback_position: float,
        interrupted: bool,
        synchronized_transcript: str | None = None,
    ) -> None:
        self._started_unix_s = self._held_s = None
        self._far_end.clear()
        if self._segments:
            self._playback.finished(
                self._segments.popleft(), position_s=playback_position, interrupted=interrupted
            )
        super().on_playback_finished(
            playback_position=playback_position,
            interrupted=interrupted,
            synchronized_transcript=synchronized_transcript,
        )

    def playing(self) -> tuple[SegmentId, float, bool] | None:
        """Return segment, seconds of it that have left, and whether it moves; None when silent."""
        if not self._segments or self._started_unix_s is None:
            return None
        if self._held_s is not None:
            return self._segments[0], self._held_s, False
        return self._segments[0], unix_s() - self._started_unix_s, True
