"""The chain of audio outputs under a session: find its tail, and take a tap out again."""

from collections.abc import Iterator

from livekit import rtc
from livekit.agents.voice.io import AgentOutput, AudioOutput, AudioOutputCapabilities
from typing_extensions import override


def links(output: AudioOutput | None) -> Iterator[AudioOutput]:
    """Yield ``output`` and everything below it."""
    while output is not None:
        yield output
        output = output.next_in_chain


def tail(output: AudioOutput | None) -> AudioOutput | None:
    """Return the output that plays; None where there is no chain."""
    return next((link for link in links(output) if link.next_in_chain is None), None)


def detach(output: AgentOutput, tap: AudioOutput, sink: AudioOutput) -> None:
    """Put ``sink`` where ``tap`` was; speech being played then is cut, as with every swap.

    The framework wraps a tap's sink in a proxy of its own and leaves that listening to the
    sink; it is pointed at nothing, or the tap would go on counting playback.
    """
    if tap not in links(output.audio):
        return
    output.replace_audio_tail(sink)
    proxy = tap.next_in_chain
    set_next = getattr(proxy, "set_next_in_chain", None)
    if set_next is not None:
        set_next(_Nowhere())


class _Nowhere(AudioOutput):
    """Swallows sound."""

    def __init__(self) -> None:
        super().__init__(label="Nowhere", capabilities=AudioOutputCapabilities(pause=True))

    @override
    async def capture_frame(self, frame: rtc.AudioFrame) -> None:
        await super().capture_frame(frame)

    @override
    def flush(self) -> None:
        super().flush()

    @override
    def clear_buffer(self) -> None:
        return
