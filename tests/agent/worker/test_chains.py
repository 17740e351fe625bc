"""Several models for one job: when the first fails, the next does the work."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from livekit.agents import APIConnectionError, stt

from agent.local.seats import Seats
from agent.wiring.engines import LocalEngines, LocalThinker
from agent.worker.chains import tell_of_failures
from agent.worker.models import build_llm
from tests.agent.worker.stand_in_deepgram import Deepgram, stand_in_deepgram
from tests.agent.worker.stand_in_openai import OpenAI, stand_in_openai
from tests.agent.worker.using_models import (
    ANSWER,
    NOWHERE,
    QUESTION,
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
from trail.events.generation import Role


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, object]]:
    return "asyncio", {"debug": False}


@pytest.fixture(params=["refused", 500, 401])
async def failing(request: pytest.FixtureRequest) -> AsyncIterator[dict[str, Any]]:
    """A first choice that does not work."""
    if request.param == "refused":
        yield openai_at(NOWHERE)
        return
    async with stand_in_openai(OpenAI(fails_with=request.param)) as url:
        yield openai_at(url)


@asynccontextmanager
async def working() -> AsyncIterator[dict[str, Any]]:
    async with stand_in_openai(OpenAI(hears=QUESTION, thinks=ANSWER)) as url:
        yield openai_at(url)


async def test_given_ears_that_fail_when_a_recording_is_sent_then_the_second_hear_it(
    failing: dict[str, Any],
) -> None:
    async with working() as there, in_use(ears(failing, there)) as model:
        assert await recognised(model) == QUESTION


async def test_given_a_mind_that_fails_when_asked_then_the_second_answers(
    failing: dict[str, Any],
) -> None:
    async with working() as there, in_use(mind(failing, there)) as model:
        assert await thought(model) == ANSWER


async def test_given_a_mind_that_fails_when_the_second_takes_over_then_somebody_is_told(
    failing: dict[str, Any],
) -> None:
    told: list[tuple[Role, str]] = []
    async with working() as there, in_use(mind(failing, there)) as model:
        tell_of_failures(
            [(Role.THINKING, model)], lambda role, error: told.append((role, type(error).__name__))
        )
        await thought(model)

    assert told == [(Role.THINKING, "MemberFailed")]


@pytest.mark.parametrize("way", [spoken, read_aloud])
async def test_given_a_voice_that_fails_when_told_a_text_then_the_second_speaks(
    way: Any, failing: dict[str, Any]
) -> None:
    async with working() as there, in_use(voice(failing, there)) as model:
        assert await way(model) == length_of(ANSWER)


@pytest.mark.parametrize("status", [None, 500])
async def test_given_streaming_ears_that_failed_when_somebody_talks_then_the_second_hear_it(
    status: int | None,
) -> None:
    service = Deepgram(hears=QUESTION)
    broken = Deepgram(fails_with=status)

    async with stand_in_deepgram(service) as url, stand_in_deepgram(broken) as broken_url:
        first = deepgram_at(NOWHERE if status is None else broken_url)
        async with in_use(ears(first, deepgram_at(url))) as model:
            switched = asyncio.Event()
            model.on("stt_availability_changed", lambda _: switched.set())
            events = await listened(model, after=switched)

    final = [e for e in events if e.type is stt.SpeechEventType.FINAL_TRANSCRIPT]
    assert [event.alternatives[0].text for event in final] == [QUESTION]


async def test_given_chains_of_different_providers_when_the_first_fails_then_the_other_works() -> (
    None
):
    service = Deepgram(hears=QUESTION)

    async with stand_in_deepgram(service) as url:
        async with in_use(voice(openai_at(NOWHERE), deepgram_at(url))) as mouth:
            assert await read_aloud(mouth) == length_of(ANSWER)
        async with in_use(ears(openai_at(NOWHERE), deepgram_at(url))) as hearing:
            assert await recognised(hearing) == QUESTION

    assert service.said == [ANSWER]


async def test_given_a_chain_of_which_none_works_when_asked_then_that_is_an_error() -> None:
    async with in_use(mind(openai_at(NOWHERE), openai_at(NOWHERE))) as model:
        with pytest.raises(APIConnectionError, match="all LLMs failed"):
            await thought(model)


async def test_given_a_chain_when_closed_then_its_members_are_closed_too() -> None:
    seats = Seats()
    engines = LocalEngines(
        thinker=LocalThinker(base_url=NOWHERE, api_key="k", model="local", seats=seats)
    )
    model = build_llm(chosen(openai_at(NOWHERE), {}), engines, reply_tokens=50)
    other = seats.take()
    another = seats.take()
    assert seats.slot_of(other) is None

    await model.aclose()

    assert seats.slot_of(other) is not None
    assert seats.slot_of(another) is not None
