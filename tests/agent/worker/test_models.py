"""Models from settings: what is wrong is said with what was probably meant."""

import pytest
from livekit.plugins import deepgram, openai, silero

from agent.conversation.cast import Engine
from agent.wiring.engines import LocalEngines
from agent.worker.ensemble import ensemble
from agent.worker.models import (
    ModelMisconfigured,
    build_llm,
    build_stt,
    build_tts,
    build_vad,
    engine_of,
)
from config.character import Voice
from config.settings import ModelChoice, Models, Settings
from policy.requests import DataClass

NOTHING_LOCAL = LocalEngines()


def choice(**values: object) -> ModelChoice:
    return ModelChoice.model_validate(values)


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, object]]:
    return "asyncio", {"debug": False}


async def test_given_openai_compatible_addresses_then_its_plugin_speaks_to_them() -> None:
    there = choice(provider="openai", base_url="http://127.0.0.1:9/v1", model="m")

    built = build_llm([there], NOTHING_LOCAL, reply_tokens=50)

    assert isinstance(built, openai.LLM)
    assert built.model == "m"


async def test_given_deepgram_then_its_plugin_hears() -> None:
    built = build_stt(
        [choice(provider="deepgram", api_key="k")], NOTHING_LOCAL, build_vad("livekit")
    )

    assert isinstance(built, deepgram.STT)


async def test_given_a_plugin_by_import_path_then_it_is_built_with_its_arguments() -> None:
    there = choice(
        provider="plugin",
        plugin="livekit.plugins.openai:TTS",
        arguments={"api_key": "k", "voice": "ash"},
    )

    assert isinstance(build_tts([there], NOTHING_LOCAL, Voice()), openai.TTS)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"provider": "opnai"}, "did you mean openai"),
        ({"provider": "plugin", "plugin": "livekit.plugins.nobody:LLM"}, "not installed"),
        ({"provider": "plugin", "plugin": "livekit.plugins.openai:STT"}, "is no LLM"),
        (
            {
                "provider": "plugin",
                "plugin": "livekit.plugins.openai:LLM",
                "arguments": {"api_key": "k", "wings": 2},
            },
            "wings",
        ),
        ({"provider": "local"}, "models.tier is off"),
    ],
)
def test_given_a_wrong_choice_then_the_error_says_what_to_change(
    wrong: dict[str, object], said: str
) -> None:
    with pytest.raises(ModelMisconfigured, match=said):
        build_llm([choice(**wrong)], NOTHING_LOCAL, reply_tokens=50)


def test_given_silero_then_its_file_in_the_package_is_used() -> None:
    assert isinstance(build_vad("silero"), silero.VAD)


@pytest.mark.parametrize(
    ("base_url", "is_local", "local"),
    [
        ("http://localhost:11434/v1", None, True),
        ("http://127.0.0.1:1234/v1", None, True),
        ("http://[::1]:1234/v1", None, True),
        ("http://localhost.example.com/v1", None, False),
        ("https://api.openai.com/v1", None, False),
        (None, None, False),
        ("http://10.0.0.2/v1", True, True),
    ],
)
def test_a_provider_is_local_only_if_it_listens_here_or_the_operator_says_so(
    base_url: str | None, *, is_local: bool | None, local: bool
) -> None:
    there = choice(provider="openai", base_url=base_url, is_local=is_local)

    assert engine_of(there, local_model="tiny").provider.is_local is local


async def test_given_a_chain_then_each_member_is_decided_by_itself() -> None:
    far = choice(provider="openai", api_key="k", model="far")
    near = choice(provider="openai", base_url="http://127.0.0.1:9/v1", model="near")
    models = Models(
        stt=(choice(provider="deepgram", api_key="k"),), llm=(far, near), tts=(near,), tier="off"
    )
    asked: list[tuple[str, DataClass]] = []

    def only_here(engine: Engine, data_class: DataClass) -> bool:
        asked.append((engine.model, data_class))
        return engine.provider.is_local

    built = ensemble(Settings(models=models), NOTHING_LOCAL, Voice(), only_here)

    assert built.thinking.model == "near"
    assert built.llm.model == "near"
    assert ("far", DataClass.PROMPT) in asked
    assert built.hearing.provider.name == "deepgram"
