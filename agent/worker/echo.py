"""The avatar does not hear itself: its own sound is taken out of the microphone.

A browser cancels echo too, but not every client does, and loudspeakers vary. WebRTC's echo
canceller needs the far end in real time, so the tap on the audio output keeps what it was given
and this processor takes from it what plays while a microphone frame arrives.
"""

from collections import deque

import numpy as np
from livekit import rtc
from numpy.typing import NDArray
from typing_extensions import override

from agent.worker.echo_guard import EchoGuard

Pcm = NDArray[np.int16]

STEP_S = 0.010
"""WebRTC's audio processing takes frames of exactly 10 ms."""
RATE_HZ = 24_000
KEPT_S = 30.0
RESTS_AFTER_S = 2.0
"""Of silence, longer than any echo that is known (`echo_guard.LAG_HOPS` and its window): then
nothing can come back, and while the avatar listens and thinks its machine has better to do."""


class FarEnd:
    """What the avatar's voice is playing, at 24 kHz mono, in step with the room's output."""

    def __init__(self) -> None:
        self._waiting: deque[Pcm] = deque()
        self._samples = 0
        self.playing = False

    def give(self, pcm: Pcm) -> None:
        """Add sound that is on its way to the listener."""
        self._waiting.append(pcm)
        self._samples += len(pcm)
        while self._samples > KEPT_S * RATE_HZ:
            self._samples -= len(self._waiting.popleft())

    def clear(self) -> None:
        """Forget what will not be played any more."""
        self._waiting.clear()
        self._samples = 0
        self.playing = False

    def take(self, samples: int) -> Pcm:
        """Return the next ``samples`` that play now; silence where nothing does."""
        out = np.zeros(samples, np.int16)
        filled = 0
        while self.playing and self._waiting and filled < samples:
            head = self._waiting[0]
            count = min(len(head), samples - filled)
            out[filled : filled + count] = head[:count]
            filled += count
            self._samples -= count
            if count == len(head):
                self._waiting.popleft()
            else:
                self._waiting[0] = head[count:]
        return out


class EchoCanceller(rtc.FrameProcessor[rtc.AudioFrame]):
    """Takes the far end out of microphone frames, in place of a noise canceller."""

    def __init__(self, far_end: FarEnd) -> None:
        self._far_end = far_end
        self._apm = rtc.AudioProcessingModule(echo_cancellation=True, high_pass_filter=True)
        self._guard = EchoGuard()
        self._silent_s = RESTS_AFTER_S
        self._enabled = True

    @property  # type: ignore[explicit-override]  # mypy overlooks it on a property with a setter
    @override
    def enabled(self) -> bool:
        return self._enabled

    @enabled.setter
    @override
    def enabled(self, value: bool) -> None:
        self._enabled = value

    @override
    def _process(self, frame: rtc.AudioFrame) -> rtc.AudioFrame:
        """Return ``frame`` without echo.

        Frames that are not whole steps pass untouched, and all of them while nothing echoes.
        """
        self._silent_s = 0.0 if self._far_end.playing else self._silent_s + frame.duration
        if self._silent_s > RESTS_AFTER_S:
            return frame
        step = int(frame.sample_rate * STEP_S)
        heard = np.frombuffer(frame.data, np.int16)
        if frame.num_channels != 1 or len(heard) % step:
            return frame
        played: list[Pcm] = []
        left: list[Pcm] = []
        for start in range(0, len(heard), step):
            far = self._far_end.take(int(RATE_HZ * STEP_S))
            self._apm.process_reverse_stream(_frame(far, RATE_HZ))
            near = _frame(heard[start : start + step], frame.sample_rate)
            self._apm.process_stream(near)
            played.append(far)
            left.append(np.frombuffer(near.data, np.int16))
        out = np.concatenate(left)
        rates_hz = (RATE_HZ, frame.sample_rate)
        if self._guard.is_echo(np.concatenate(played), heard, out, rates_hz=rates_hz):
            out = np.zeros_like(out)
        return rtc.AudioFrame(
            data=out.tobytes(),
            sample_rate=frame.sample_rate,
            num_channels=1,
            samples_per_channel=len(out),
            userdata=frame.userdata,
        )

    @override
    def _close(self) -> None:
        self._far_end.clear()


def _frame(pcm: Pcm, rate_hz: int) -> rtc.AudioFrame:
    return rtc.AudioFrame(
        data=pcm.tobytes(), sample_rate=rate_hz, num_channels=1, samples_per_channel=len(pcm)
    )
