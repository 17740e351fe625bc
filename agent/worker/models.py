"""Builds the objects that hear, think and speak from the settings.

Local models wrap engines that are loaded once per process. Others are LiveKit plugins: OpenAI
and any OpenAI-compatible address, Deepgram, or an installed plugin by import path. Of a list,
the members that policy permits are joined by LiveKit's own fallback adapters.
"""

import importlib
import inspect
import ipaddress
import json
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar
from urllib.parse import urlsplit

from livekit.agents import inference, llm, stt, tts
from livekit.agents import vad as vad_module
from livekit.plugins import deepgram, openai, silero

from agent.conversation.cast import Engine
from agent.wiring.engines import LocalEngines
from agent.worker.chains import HearingChain, SpeakingChain, ThinkingChain
from agent.worker.plugins.hearing import LocalSTT
from agent.worker.plugins.remote_ears import OpenAISTT
from agent.worker.plugins.speaking import LocalTTS
from agent.worker.plugins.thinking import LocalLLM
from config.character import Voice
from config.settings import ModelChoice
from policy.requests import HERE, Provider
from trail.errors import EarwitnessError


class ModelMisconfigured(EarwitnessError):
    """A model cannot be built from its settings; the message says what to change."""


def engine_of(choice: ModelChoice, *, local_model: str) -> Engine:
    """Return the name under which a choice appears in the trail and before policy."""
    if choice.provider == "local":
        return Engine(provider=HERE, model=local_model)
    is_local = _listens_here(choice.base_url) if choice.is_local is None else choice.is_local
    name = choice.provider if choice.provider != "plugin" else str(choice.plugin).split(":")[0]
    return Engine(
        provider=Provider(name=name, is_local=is_local),
        model=choice.model or str(choice.arguments.get("model", "default")),
    )


def build_stt(
    choices: Sequence[ModelChoice], engines: LocalEngines, vad: vad_module.VAD
) -> stt.STT[Any]:
    """Return what hears. Raises ModelMisconfigured."""
    built = [_one_stt(choice, engines) for choice in choices]
    return built[0] if len(built) == 1 else HearingChain(built, vad)


def build_llm(
    choices: Sequence[ModelChoice], engines: LocalEngines, *, reply_tokens: int
) -> llm.LLM[Any]:
    """Return what thinks. Raises ModelMisconfigured."""
    built = [_one_llm(choice, engines, reply_tokens) for choice in choices]
    return built[0] if len(built) == 1 else ThinkingChain(built)


def build_tts(choices: Sequence[ModelChoice], engines: LocalEngines, voice: Voice) -> tts.TTS[Any]:
    """Return what speaks. Raises ModelMisconfigured."""
    built = [_one_tts(choice, engines, voice) for choice in choices]
    return built[0] if len(built) == 1 else SpeakingChain(built)


def build_vad(kind: str) -> vad_module.VAD:
    """Return what tells speech from silence; both kinds run on this machine."""
    return silero.VAD.load() if kind == "silero" else inference.VAD()


def _one_stt(choice: ModelChoice, engines: LocalEngines) -> stt.STT[Any]:
    match choice.provider:
        case "local":
            if engines.recogniser is None:
                raise ModelMisconfigured(_NO_LOCAL.format("models.stt"))
            return LocalSTT(engines.recogniser)
        case "openai":
            return _made(OpenAISTT, choice, _named(choice))
        case "deepgram":
            return _made(deepgram.STT, choice, _named(choice, "listen"))
        case _:
            plugin: stt.STT[Any] = _plugin(choice, stt.STT)
            return plugin


def _one_llm(choice: ModelChoice, engines: LocalEngines, reply_tokens: int) -> llm.LLM[Any]:
    match choice.provider:
        case "local":
            thinker = engines.thinker
            if thinker is None:
                raise ModelMisconfigured(_NO_LOCAL.format("models.llm"))
            return LocalLLM(
                base_url=thinker.base_url,
                api_key=thinker.api_key,
                model=thinker.model,
                reply_tokens=reply_tokens,
                seats=thinker.seats,
            )
        case "openai":
            named = {"max_completion_tokens": reply_tokens, **_named(choice)}
            return _made(openai.LLM, choice, named)
        case _:
            plugin: llm.LLM[Any] = _plugin(choice, llm.LLM)
            return plugin


def _one_tts(choice: ModelChoice, engines: LocalEngines, voice: Voice) -> tts.TTS[Any]:
    match choice.provider:
        case "local":
            if engines.synthesiser is None:
                raise ModelMisconfigured(_NO_LOCAL.format("models.tts"))
            return LocalTTS(engines.synthesiser, pitch=voice.pitch, speed=voice.speed)
        case "openai":
            return _made(openai.TTS, choice, _named(choice))
        case "deepgram":
            return _made(deepgram.TTS, choice, _named(choice, "speak"))
        case _:
            plugin: tts.TTS[Any] = _plugin(choice, tts.TTS)
            return plugin


_NO_LOCAL = (
    "{}: no local model is installed (models.tier is off); choose a provider such as openai, "
    "or set models.tier to small"
)


def _named(choice: ModelChoice, endpoint: str = "") -> dict[str, Any]:
    """Return the constructor arguments that all providers share; absent ones are left out.

    ``endpoint`` is for plugins that want a whole address; it may stand in ``base_url`` already.
    """
    address = choice.base_url
    if address is not None and endpoint:
        address = f"{address.rstrip('/').removesuffix(f'/{endpoint}')}/{endpoint}"
    secret = choice.api_key.get_secret_value() if choice.api_key else None
    if secret is None and choice.base_url is not None:
        secret = "none"
    values = {"model": choice.model, "base_url": address, "api_key": secret}
    return {name: value for name, value in values.items() if value is not None}


def _plugin(choice: ModelChoice, kind: type[Any]) -> Any:
    """Return the plugin that ``choice.plugin`` names, constructed.

    Raises:
        ModelMisconfigured: unknown provider, package, class or argument.
    """
    if choice.provider != "plugin" or not choice.plugin:
        known = ["local", "openai", "deepgram", "plugin"]
        near = get_close_matches(choice.provider, known, n=1)
        hint = f"; did you mean {near[0]}?" if near else f"; known are {', '.join(known)}"
        raise ModelMisconfigured(f"provider {choice.provider!r} is unknown{hint}")
    path, _, name = choice.plugin.partition(":")
    try:
        module = importlib.import_module(path)
    except ImportError as error:
        raise ModelMisconfigured(
            f"plugin {choice.plugin!r}: package {path} is not installed ({error.name})"
        ) from error
    found = getattr(module, name or "", None)
    if not (inspect.isclass(found) and issubclass(found, kind)):
        offered = [n for n, o in vars(module).items() if inspect.isclass(o) and issubclass(o, kind)]
        raise ModelMisconfigured(
            f"plugin {choice.plugin!r} is no {kind.__name__}; {path} offers {offered or 'none'}"
        )
    return _made(found, choice, {})


Made = TypeVar("Made")


def _made(kind: Callable[..., Made], choice: ModelChoice, named: dict[str, Any]) -> Made:
    """Return what ``kind`` constructs from the choice's arguments and the ``named`` ones.

    Raises:
        ModelMisconfigured: it refused them; plugins say so with errors of many kinds.
    """
    try:
        return kind(**{**named, **choice.arguments})
    except Exception as error:
        who = f"plugin {choice.plugin!r}" if choice.plugin else f"provider {choice.provider!r}"
        shown = json.dumps(sorted(choice.arguments))
        raise ModelMisconfigured(
            f"{who} cannot be built with arguments {shown}: {error}"
        ) from error


def _listens_here(base_url: str | None) -> bool:
    """Tell whether an address is on this machine's loopback."""
    host = urlsplit(base_url or "").hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
