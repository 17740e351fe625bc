"""What the mouth says is read off the audio on its way to the room.

The tap hands every frame on unchanged and at once. It remembers the sound (or, where the voice
gives them, the phonemes) of each segment and learns from the output's own playback reports
which part of it is being heard.
"""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, cast

import numpy as np
from livekit import rtc
from livekit.agents.voice.io import AudioOutput, AudioOutputCapabilities
from typing_extensions import override

from agent.avatar.mouth import CLOSED, MouthPose
from agent.avatar.mouth_track import MouthTrack, TimedPhoneme
from agent.avatar.sound_track import SoundTrack
from trail.clock import unix_s

PHONEMES = "earwitness.phonemes"
"""Key in a frame's ``userdata``: timed phonemes, seconds from the segment's first sample."""

SKIPPED_BY_PAUSE_S = 0.2
"""The room output drops its queue when it is paused and goes on behind it: 0.21 s measured."""


class _Segment:
    """One stretch of speech between two flushes."""

    def __init__(self) -> None:
        self.started_s: float | None = None
        """Wall-clock time at which its first sample played, moved by pauses and gaps."""
        self.held_s: float | None = None
        """Where it stands while it is paused."""
        self.silenced = False
        self._captured_s = 0.0
        self._phonemes = MouthTrack()
        self._sound: SoundTrack | None = None

    def append(self, frame: rtc.AudioFrame) -> None:
        """Remember what a frame says; costs microseconds."""
        start_s = self._captured_s
        self._captured_s += frame.duration
        phonemes = frame.userdata.get(PHONEMES)
        if phonemes:
            self._phonemes.extend(cast("Iterable[TimedPhoneme]", phonemes))
        if self._captured_s <= self._phonemes.end_s:
            return
        if self._sound is None:
            self._sound = SoundTrack(frame.sample_rate)
        samples = np.frombuffer(frame.data, np.int16)
        self._sound.extend(start_s, samples[:: frame.num_channels])

    def mouth(self, t_s: float) -> MouthPose:
        """Return the mouth at ``t_s`` seconds into the segment."""
        if t_s > self._captured_s:
            return CLOSED
        if t_s <= self._phonemes.end_s or self._sound is None:
            return self._phonemes.at(t_s)
        return self._sound.at(t_s)


class FaceTap(AudioOutput):
    """Passes audio on and knows the mouth that belongs to what is heard now."""

    def __init__(
        self,
        sink: AudioOutput,
        *,
        now_s: Callable[[], float] = unix_s,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        """Put the tap in front of ``sink``.

        Args:
            sink: The output that plays; anything below this tap.
            now_s: The wall clock in which the output reports its playback.
            on_change: Called when speech starts or stops, so that a slow frame rate wakes up.
        """
        super().__init__(
            label="FaceTap",
            capabilities=AudioOutputCapabilities(pause=True),
            next_in_chain=sink,
            sample_rate=sink.sample_rate,
        )
        self._now_s = now_s
        self._on_change = on_change
        self._segments: deque[_Segment] = deque()
        self._growing: _Segment | None = None
        self.interruptions = 0
        """How often speech was cut while it was being heard."""

    @property
    def sink(self) -> AudioOutput:
        """The next output; there always is one."""
        if self.next_in_chain is None:
            raise AssertionError("a tap without an output")
        return self.next_in_chain

    @property
    def is_speaking(self) -> bool:
        """True while something is being heard; false in a pause."""
        return self._playing() is not None

    def mouths(self, *, span_s: float, count: int, lead_s: float = 0.0) -> list[MouthPose]:
        """Return the mouths of the last ``span_s`` seconds in order, the newest last.

        Args:
            span_s: How far back to look; the time since the last drawn frame.
            count: How many positions to return; >= 1.
            lead_s: Look this far ahead of what is heard, for the way the picture has to go.
        """
        segment = self._playing()
        if segment is None or segment.started_s is None:
            return [CLOSED] * count
        head_s = self._now_s() - segment.started_s + lead_s
        return [
            segment.mouth(max(0.0, head_s - span_s * (count - 1 - i) / count)) for i in range(count)
        ]

    @override
    async def capture_frame(self, frame: rtc.AudioFrame) -> None:
        await super().capture_frame(frame)
        if self._growing is None:
            self._growing = _Segment()
            self._segments.append(self._growing)
        self._growing.append(frame)
        await self.sink.capture_frame(frame)

    @override
    def flush(self) -> None:
        super().flush()
        self._growing = None
        self.sink.flush()

    @override
    def clear_buffer(self) -> None:
        self._silence()
        self.sink.clear_buffer()

    @override
    def pause(self) -> None:
        segment = self._playing()
        if segment is not None and segment.started_s is not None:
            segment.held_s = self._now_s() - segment.started_s
        super().pause()
        self._on_change()

    @override
    def resume(self) -> None:
        for segment in self._segments:
            if segment.held_s is not None:
                segment.started_s = self._now_s() - segment.held_s
                segment.held_s = None
        super().resume()
        self._on_change()

    @override
    def on_playback_started(self, *, created_at: float) -> None:
        self._begin(created_at)
        super().on_playback_started(created_at=created_at)
        self._on_change()

    @override
    def on_playback_progressed(self, *, started_at: float, offset: float, duration: float) -> None:
        """A run of sound has ended: by a pause, or because the sound ran dry for a while."""
        segment = self._segments[0] if self._segments else None
        if segment is not None and segment.held_s is not None:
            segment.held_s = offset + duration + SKIPPED_BY_PAUSE_S
        elif segment is not None and segment.started_s is not None:
            segment.started_s = self._now_s() - (offset + duration)
        super().on_playback_progressed(started_at=started_at, offset=offset, duration=duration)

    @override
    def on_playback_finished(self, **report: Any) -> None:
        if self._segments:
            if report.get("interrupted"):
                self._silence()
            self._segments.popleft()
        super().on_playback_finished(**report)
        self._on_change()

    def _begin(self, at_s: float) -> None:
        """Start the oldest segment that still can be heard.

        An output reports nothing for a segment that was cleared or empty before it got a whole
        frame, so such segments may still stand in front.
        """
        waiting = (s for s in self._segments if s.started_s is None and not s.silenced)
        begun = next(waiting, None)
        if begun is None:
            return
        begun.started_s = at_s
        while self._segments[0].started_s is None:
            self._segments.popleft()

    def _playing(self) -> _Segment | None:
        """Return the segment that is being heard now."""
        segment = self._segments[0] if self._segments else None
        if segment is None or segment.silenced or segment.started_s is None:
            return None
        return segment if segment.held_s is None else None

    def _silence(self) -> None:
        """Whatever was captured so far will not be heard."""
        if self._playing() is not None:
            self.interruptions += 1
        for segment in self._segments:
            segment.silenced = True
        self._on_change()
