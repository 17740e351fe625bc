"""Several models for one job, of which the first that works does it.

LiveKit's fallback adapters leave their members open; these close them with themselves.
"""

from collections.abc import Callable, Sequence
from typing import Any, cast

from livekit.agents import llm, stt, tts
from livekit.agents import vad as vad_module
from typing_extensions import override

from agent.worker.emitter import Emitter
from trail.events.generation import Role


class HearingChain(stt.FallbackAdapter):
    """Recognisers in the order of preference."""

    def __init__(self, members: Sequence[stt.STT[Any]], vad: vad_module.VAD) -> None:
        """Cut the sound with ``vad`` for members that want whole utterances."""
        super().__init__(  # pyright: ignore[reportUnknownMemberType] - STT is generic, bare there
            list(members), vad=vad
        )
        self._members = members

    @override
    async def aclose(self) -> None:
        await super().aclose()
        for member in self._members:
            await member.aclose()


class ThinkingChain(llm.FallbackAdapter):
    """Language models in the order of preference."""

    def __init__(self, members: Sequence[llm.LLM[Any]]) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType] - LLM is generic, bare there
            list(members)
        )
        self._members = members

    @override
    async def aclose(self) -> None:
        await super().aclose()
        for member in self._members:
            await member.aclose()


class SpeakingChain(tts.FallbackAdapter):
    """Voices in the order of preference.

    One that fails is tried again at once, and only once: LiveKit's second try comes 2 s later.
    """

    def __init__(self, members: Sequence[tts.TTS[Any]]) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType] - TTS is generic, bare there
            list(members), max_retry_per_tts=1
        )
        self._members = members

    @override
    async def aclose(self) -> None:
        await super().aclose()
        for member in self._members:
            await member.aclose()


class MemberFailed(Exception):
    """A member of a chain failed and the next one took over; named in the trail by its class."""


def tell_of_failures(
    models: Sequence[tuple[Role, object]], told: Callable[[Role, MemberFailed], None]
) -> None:
    """Call ``told`` whenever a chain among ``models`` goes on without one of its members."""
    for role, model in models:
        match model:
            case HearingChain():
                event = "stt_availability_changed"
            case ThinkingChain():
                event = "llm_availability_changed"
            case SpeakingChain():
                event = "tts_availability_changed"
            case _:
                continue
        cast("Emitter", model).on(event, _teller(role, told))


def _teller(role: Role, told: Callable[[Role, MemberFailed], None]) -> Callable[[Any], None]:
    def changed(event: Any) -> None:
        if not event.available:
            told(role, MemberFailed())

    return changed
