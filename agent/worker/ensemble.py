"""The models of one session, and LiveKit's session around them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from livekit.agents import AgentSession, TurnHandlingOptions, inference, llm, stt, tts
from livekit.agents import vad as vad_module
from livekit.agents.voice.agent_session import SessionConnectOptions

from agent.conversation.cast import Engine
from agent.wiring.engines import LocalEngines
from agent.worker.models import build_llm, build_stt, build_tts, build_vad, engine_of
from config.character import Voice
from config.settings import ModelChoice, Room, Settings
from policy.requests import DataClass

ENDLESS = 1_000_000
"""Errors in a row after which the framework closes its session: never; we decide that."""

MayReceive = Callable[[Engine, DataClass], bool]
"""Whether policy lets an engine receive a kind of payload."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ensemble:
    """What hears, thinks and speaks in one session. Close it when the session ends."""

    stt: stt.STT[Any]
    llm: llm.LLM[Any]
    tts: tts.TTS[Any]
    vad: vad_module.VAD
    hearing: Engine
    thinking: Engine
    speaking: Engine

    async def aclose(self) -> None:
        """Give back what the models hold, such as a place in the local model server."""
        await self.stt.aclose()
        await self.llm.aclose()
        await self.tts.aclose()


def ensemble(
    settings: Settings, engines: LocalEngines, voice: Voice, may_receive: MayReceive
) -> Ensemble:
    """Build the models that the settings name and policy permits.

    Raises:
        ModelMisconfigured: one cannot be built; the message says what to change.
    """
    models, vad = settings.models, build_vad(settings.models.vad)
    hear, hearing = _permitted(models.stt, engines.name_of("stt"), DataClass.AUDIO, may_receive)
    think, thinking = _permitted(models.llm, engines.name_of("llm"), DataClass.PROMPT, may_receive)
    speak, speaking = _permitted(
        models.tts, engines.name_of("tts"), DataClass.SPEECH_TEXT, may_receive
    )
    return Ensemble(
        stt=build_stt(hear, engines, vad),
        llm=build_llm(think, engines, reply_tokens=settings.speech.reply_tokens_at_most),
        tts=build_tts(speak, engines, voice),
        vad=vad,
        hearing=hearing,
        thinking=thinking,
        speaking=speaking,
    )


def agent_session(parts: Ensemble, room: Room) -> AgentSession[None]:
    """Return LiveKit's session over ``parts``; nothing in it speaks to a cloud."""
    return AgentSession[None](
        stt=parts.stt,
        llm=parts.llm,
        tts=parts.tts,
        vad=parts.vad,
        turn_handling=TurnHandlingOptions(
            turn_detection=inference.TurnDetector(version="v1-mini"),
            endpointing={
                "mode": "fixed",
                "min_delay": room.min_endpointing_s,
                "max_delay": room.max_endpointing_s,
            },
            interruption={"mode": "vad"},
        ),
        tts_text_transforms=None,
        aec_warmup_duration=None,
        conn_options=SessionConnectOptions(max_unrecoverable_errors=ENDLESS),
    )


def _permitted(
    choices: Sequence[ModelChoice],
    local_model: str,
    data_class: DataClass,
    may_receive: MayReceive,
) -> tuple[Sequence[ModelChoice], Engine]:
    """Return the members of a chain that may be used, and the name of the first.

    Each is decided by itself. When none may be used the chain stays as it is: the conversation
    is then refused sentence by sentence, and says so. All of a chain are asked for again at
    each use, so that a consent taken back holds for whoever would take over.
    """
    named = [(choice, engine_of(choice, local_model=local_model)) for choice in choices]
    usable = [(choice, engine) for choice, engine in named if may_receive(engine, data_class)]
    kept = usable or named
    first, *others = [engine for _, engine in kept]
    fallbacks = tuple(engine.provider for engine in others)
    return [choice for choice, _ in kept], replace(first, fallbacks=fallbacks)
