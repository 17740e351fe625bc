"""Providers by configuration, used for real against stand-ins that speak their protocol."""

from typing import Any

import pytest
from livekit.agents import APIError, APIStatusError, stt

from agent.worker.models import ModelMisconfigured, engine_of
from tests.agent.worker.stand_in_deepgram import Deepgram, stand_in_deepgram
from tests.agent.worker.stand_in_openai import OpenAI, stand_in_openai
from tests.agent.worker.using_models import (
    ANSWER,
    QUESTION,
    RECORDING,
    chosen,
    deepgram_at,
    ears,
    in_use,
    length_of,
    listened,
    mind,
    openai_at,
    read_aloud,
    recognised,
    spoken,
    thought,
    voice,
)


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, object]]:
    return "asyncio", {"debug": False}


async def test_given_openai_when_a_recording_is_sent_then_its_words_come_back() -> None:
    service = OpenAI(hears=QUESTION)

    async with stand_in_openai(service) as url, in_use(ears(openai_at(url))) as model:
        heard = await recognised(model)

    assert heard == QUESTION
    assert service.heard_s == [pytest.approx(len(RECORDING) / 24_000, abs=0.1)]
    assert service.bodies[0]["model"] == "m"


async def test_given_openai_when_asked_then_its_words_come_back_and_the_reply_is_limited() -> None:
    service = OpenAI(thinks=ANSWER)

    async with stand_in_openai(service) as url, in_use(mind(openai_at(url))) as model:
        text = await thought(model)

    assert text == ANSWER
    assert service.bodies[0]["model"] == "m"
    assert service.bodies[0]["max_completion_tokens"] == 50


@pytest.mark.parametrize("speaks_in_events", [True, False])
@pytest.mark.parametrize("kind", ["mp3", "wav", "pcm"])
async def test_given_openai_or_a_compatible_server_when_told_a_text_then_its_sound_comes_back(
    kind: str, *, speaks_in_events: bool
) -> None:
    service = OpenAI(speaks_in_events=speaks_in_events)

    async with stand_in_openai(service) as url:
        there = openai_at(url, arguments={"voice": "ash", "response_format": kind})
        async with in_use(voice(there)) as model:
            length_s = await spoken(model)

    assert length_s == length_of(ANSWER)
    assert (service.bodies[0]["input"], service.bodies[0]["voice"]) == (ANSWER, "ash")


@pytest.mark.parametrize("given", ["", "/listen"])
async def test_given_deepgram_when_it_listens_then_words_come_early_and_in_the_end_with_times(
    given: str,
) -> None:
    service = Deepgram(hears=QUESTION)

    async with (
        stand_in_deepgram(service) as url,
        in_use(ears(deepgram_at(url + given, model="nova-2"))) as model,
    ):
        events = await listened(model)

    interim = [e for e in events if e.type is stt.SpeechEventType.INTERIM_TRANSCRIPT]
    final = [e for e in events if e.type is stt.SpeechEventType.FINAL_TRANSCRIPT]
    assert QUESTION.startswith(interim[0].alternatives[0].text)
    assert [e.alternatives[0].text for e in final] == [QUESTION]
    words = final[0].alternatives[0].words or []
    times = [(word.start_time, word.end_time) for word in words]
    assert [str(word) for word in words] == QUESTION.split()
    assert times == sorted(times)
    assert times[-1][1] == pytest.approx(service.heard_s, abs=0.1)
    assert service.heard_s == pytest.approx(len(RECORDING) / 24_000, abs=0.1)
    assert service.requests[0][1]["model"] == "nova-2"


async def test_given_deepgram_when_a_recording_is_sent_then_its_words_come_back() -> None:
    service = Deepgram(hears=QUESTION)

    async with stand_in_deepgram(service) as url, in_use(ears(deepgram_at(url))) as model:
        heard = await recognised(model)

    assert heard == QUESTION


@pytest.mark.parametrize("given", ["", "/speak"])
@pytest.mark.parametrize("way", [spoken, read_aloud])
async def test_given_deepgram_when_told_a_text_then_its_sound_comes_back(
    way: Any, given: str
) -> None:
    service = Deepgram()

    async with (
        stand_in_deepgram(service) as url,
        in_use(voice(deepgram_at(url + given, model="aura-x"))) as model,
    ):
        length_s = await way(model)

    assert length_s == length_of(ANSWER)
    assert service.said == [ANSWER]
    assert service.requests[0][1]["model"] == "aura-x"


async def test_given_a_plugin_by_import_path_when_used_then_it_reaches_its_service() -> None:
    service = Deepgram()

    async with stand_in_deepgram(service) as url:
        there = {
            "provider": "plugin",
            "plugin": "livekit.plugins.deepgram:TTS",
            "arguments": {"api_key": "right", "base_url": f"{url}/speak"},
        }
        async with in_use(voice(there)) as model:
            assert await spoken(model) == length_of(ANSWER)


@pytest.mark.parametrize("status", [401, 403])
async def test_given_openai_that_refuses_the_key_when_used_then_the_error_is_its_own(
    status: int,
) -> None:
    service = OpenAI(fails_with=None if status == 401 else status)

    async with stand_in_openai(service) as url:
        there = openai_at(url, key="wrong")
        for model, use in (
            (ears(there), recognised),
            (mind(there), thought),
            (voice(there), spoken),
        ):
            async with in_use(model):
                await _refused(model, use, status, "openai")

    assert len(service.requests) == 3
    assert engine_of(chosen(there)[0], local_model="").provider.name == "openai"


async def test_given_deepgram_that_refuses_the_key_when_used_then_the_error_is_its_own() -> None:
    service = Deepgram()

    async with stand_in_deepgram(service) as url:
        there = deepgram_at(url, key="wrong")
        for model, use in (
            (ears(there), listened),
            (voice(there), spoken),
            (voice(there), read_aloud),
        ):
            async with in_use(model):
                await _refused(model, use, 401, "deepgram")

    assert len(service.requests) == 3
    assert engine_of(chosen(there)[0], local_model="").provider.name == "deepgram"


async def _refused(model: Any, use: Any, status: int, provider: str) -> None:
    """Expect ``use`` to fail with ``status``, and the model's error event to name its provider."""
    named: list[str] = []
    model.on("error", lambda event: named.append(event.label))

    with pytest.raises(APIError) as caught:
        await use(model)

    assert isinstance(caught.value, APIStatusError)
    assert caught.value.status_code == status
    assert not caught.value.retryable
    assert named
    assert all(provider in name.lower() for name in named)
    assert "wrong" not in str(caught.value)


@pytest.mark.parametrize("provider", ["openai", "deepgram"])
def test_given_no_key_for_a_remote_provider_when_built_then_the_error_names_it(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("DEEPGRAM_API_KEY", raising=False)

    with pytest.raises(ModelMisconfigured, match=rf"(?i)'{provider}'.*key"):
        voice({"provider": provider})


@pytest.mark.parametrize("provider", ["openai", "deepgram"])
def test_given_an_argument_that_a_provider_does_not_take_when_built_then_the_error_names_both(
    provider: str,
) -> None:
    with pytest.raises(ModelMisconfigured, match=rf"'{provider}'.*wings"):
        voice({"provider": provider, "api_key": "k", "arguments": {"wings": 2}})
