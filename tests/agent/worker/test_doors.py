"""When a session is over: nobody there, nobody saying anything, somebody pressing Leave."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from livekit import rtc

from agent.worker.doors import RoomDoor
from config.settings import Room
from tests.agent.conversation.talks import ANNA, Talk
from trail.events.session import Departure, SessionEnd


@dataclass(slots=True)
class FakePerson:
    """As much of a participant as the door looks at."""

    identity: str = ANNA
    kind: int = rtc.ParticipantKind.PARTICIPANT_KIND_STANDARD
    disconnect_reason: int | None = None


@dataclass(slots=True)
class FakeRoom:
    """As much of a room as the door listens to."""

    remote_participants: dict[str, FakePerson] = field(default_factory=dict[str, FakePerson])
    callbacks: dict[str, Callable[..., Any]] = field(default_factory=dict[str, Callable[..., Any]])

    def on(self, event: str, callback: Callable[..., Any]) -> None:
        self.callbacks[event] = callback

    def off(self, event: str, callback: Callable[..., Any]) -> None:
        del self.callbacks[event]


class Scene:
    """A door with Anna inside, and time to pass."""

    def __init__(self) -> None:
        self.talk = Talk()
        self.room = FakeRoom(remote_participants={ANNA: FakePerson()})
        self.over = asyncio.Event()
        self.door = RoomDoor(
            cast("rtc.Room", self.room),
            self.talk.conversation,
            owner=ANNA,
            language="en",
            room_settings=Room(return_s=60.0, silence_s=600.0),
            over=self.over.set,
        )
        self.door.open()

    async def wait(self, seconds: float) -> None:
        """Let time pass for the session and for the door."""
        for _ in range(int(seconds)):
            self.talk.clock.advance(1.0)
            await asyncio.sleep(1.0)


@asynccontextmanager
async def scene() -> AsyncGenerator[Scene]:
    there = Scene()
    async with asyncio.TaskGroup() as group:
        running = group.create_task(there.door.run())
        yield there
        running.cancel()


async def test_given_an_hour_of_silence_then_the_page_is_warned_and_the_session_ends() -> None:
    async with scene() as there:
        await there.wait(538)
        before = await there.talk.messages("notice")
        await there.wait(10)
        [warning] = await there.talk.messages("notice")
        ended_early = there.over.is_set()
        await there.wait(60)

    assert before == []
    assert warning["code"] == "silence_closing"
    assert not ended_early
    assert there.over.is_set()
    assert there.door.reason is SessionEnd.SILENT


async def test_given_words_in_time_then_the_silence_begins_anew() -> None:
    async with scene() as there:
        await there.wait(500)
        there.talk.conversation.listening.words_in_progress(ANNA, "still here")
        await there.wait(500)

        assert not there.over.is_set()


async def test_given_a_page_that_vanishes_then_the_session_waits_a_minute_for_it() -> None:
    async with scene() as there:
        there.room.callbacks["participant_disconnected"](FakePerson())
        await there.wait(58)
        waiting = not there.over.is_set()
        await there.wait(4)

    assert waiting
    assert there.door.reason is SessionEnd.EMPTY


async def test_given_a_return_within_the_minute_then_the_session_goes_on() -> None:
    async with scene() as there:
        there.room.callbacks["participant_disconnected"](FakePerson())
        await there.wait(30)
        there.room.callbacks["participant_connected"](FakePerson())
        await there.wait(100)

        assert not there.over.is_set()


async def test_given_a_program_in_the_room_then_it_is_nobody() -> None:
    async with scene() as there:
        agent = FakePerson(identity="egress", kind=rtc.ParticipantKind.PARTICIPANT_KIND_EGRESS)
        there.room.callbacks["participant_connected"](agent)

        assert there.talk.conversation.presence.people == (ANNA,)


@pytest.mark.parametrize(
    ("reason", "how"),
    [
        (rtc.DisconnectReason.DUPLICATE_IDENTITY, Departure.REPLACED),
        (rtc.DisconnectReason.PARTICIPANT_REMOVED, Departure.REMOVED),
        (rtc.DisconnectReason.CLIENT_INITIATED, Departure.VANISHED),
        (rtc.DisconnectReason.SIGNAL_CLOSE, Departure.VANISHED),
        (None, Departure.VANISHED),
    ],
)
async def test_how_somebody_went_is_on_record(reason: int | None, how: Departure) -> None:
    async with scene() as there:
        there.room.callbacks["participant_disconnected"](FakePerson(disconnect_reason=reason))

    departures = [f for f in await there.talk.facts() if hasattr(f, "how")]
    assert [departure.how for departure in departures] == [how]
