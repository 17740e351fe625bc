"""The local face on a session: what it publishes, how often it draws, and what it leaves behind."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import pairwise

import pytest
from livekit import rtc
from livekit.agents import AgentSession, AgentStateChangedEvent
from livekit.agents.voice.events import AgentState
from typing_extensions import override

from agent.avatar.attitude import Affect, Attitude
from agent.worker.audio_chain import links
from agent.worker.easel import Moment
from agent.worker.face_track import ATTITUDES, BITRATE_BPS, LocalFace
from tests.agent.avatar.fakes import FakeRoom, FakeTarget, ManualSink, SketchBook, Wrapper, tone
from trail.errors import ContractError


@dataclass
class Scene:
    session: AgentSession[None]
    sink: ManualSink
    room: FakeRoom
    target: FakeTarget
    book: SketchBook
    face: LocalFace

    def becomes(self, state: AgentState) -> None:
        event = AgentStateChangedEvent(old_state="idle", new_state=state)
        self.session.emit("agent_state_changed", event)

    async def says(self, seconds: float) -> None:
        assert self.session.output.audio is not None
        await self.session.output.audio.capture_frame(tone(seconds))
        self.sink.on_playback_started(created_at=asyncio.get_running_loop().time())

    def cut(self) -> None:
        assert self.session.output.audio is not None
        self.session.output.audio.clear_buffer()


@asynccontextmanager
async def scene(*, cost_s: float = 0.0) -> AsyncGenerator[Scene]:
    """A session with a face whose drawing loop runs."""
    session: AgentSession[None] = AgentSession()
    sink, room, target, book = ManualSink(), FakeRoom(), FakeTarget(), SketchBook(cost_s=cost_s)
    session.output.audio = Wrapper(sink)
    face = LocalFace(book, target, now_s=asyncio.get_running_loop().time)
    await face.start(session, room=room)
    async with asyncio.TaskGroup() as group:
        drawing = group.create_task(face.run())
        yield Scene(session, sink, room, target, book, face)
        drawing.cancel()
        await face.aclose()


async def test_it_publishes_one_camera_track_without_simulcast() -> None:
    async with scene() as stage:
        (options,) = stage.room.participant.published

    assert options.source == rtc.TrackSource.SOURCE_CAMERA
    assert (options.simulcast, options.video_codec) == (False, rtc.VideoCodec.VP8)
    assert options.video_encoding.max_bitrate == BITRATE_BPS
    assert options.video_encoding.max_framerate == 25


async def test_it_is_the_agent_itself() -> None:
    async with scene() as stage:
        assert (stage.face.avatar_identity, stage.face.provider) == ("avatar-ada", "local")


async def test_it_stands_between_the_framework_and_the_sink() -> None:
    async with scene() as stage:
        names = [type(link).__name__ for link in links(stage.session.output.audio)]

    assert names == ["Wrapper", "_AudioSinkProxy", "FaceTap", "_AudioSinkProxy", "ManualSink"]


async def test_given_no_audio_output_when_started_then_it_says_so() -> None:
    face = LocalFace(SketchBook(), FakeTarget())

    with pytest.raises(ContractError, match="after its session"):
        await face.start(AgentSession(), room=FakeRoom())


@pytest.mark.parametrize("state", ["listening", "thinking"])
async def test_given_no_speech_then_twelve_frames_a_second(state: AgentState) -> None:
    async with scene() as stage:
        stage.becomes(state)
        await asyncio.sleep(10.0)

        assert stage.face.figures.drawn == pytest.approx(120, abs=4)
        assert stage.face.figures.dropped <= 2


async def test_given_speech_then_25_frames_a_second() -> None:
    async with scene() as stage:
        stage.becomes("speaking")
        await asyncio.sleep(10.0)

        assert stage.face.figures.drawn == pytest.approx(250, abs=5)


async def test_given_slow_drawing_then_frames_are_dropped_and_never_queued() -> None:
    async with scene(cost_s=0.1) as stage:
        stage.becomes("speaking")
        await asyncio.sleep(10.0)

        assert stage.face.figures.dropped > 3
        assert stage.book.busiest == 1


async def test_given_slow_drawing_then_less_is_drawn_until_it_is_fast_again() -> None:
    async with scene(cost_s=0.1) as stage:
        stage.becomes("speaking")
        await asyncio.sleep(5.0)
        strained = stage.face.figures.drawn
        await asyncio.sleep(5.0)
        strained = stage.face.figures.drawn - strained
        stage.book.cost_s = 0.0
        await asyncio.sleep(25.0)
        eased = stage.face.figures.drawn
        await asyncio.sleep(5.0)
        eased = stage.face.figures.drawn - eased

    assert strained == pytest.approx(32, abs=12)
    assert eased == pytest.approx(125, abs=3)


async def test_given_nobody_who_watches_then_nothing_is_drawn_until_somebody_does() -> None:
    async with scene() as stage:
        await asyncio.sleep(1.0)
        stage.face.watch(watched=False)
        await asyncio.sleep(0.2)
        before = stage.face.figures.drawn
        await asyncio.sleep(10.0)
        unwatched = stage.face.figures.drawn
        stage.face.watch(watched=True)
        await asyncio.sleep(1.0)

        assert unwatched == before
        assert stage.face.figures.drawn - unwatched == pytest.approx(12, abs=2)
        assert stage.book.moments[-1].dt_s <= 0.1


async def test_given_one_stall_then_no_burst_follows() -> None:
    async with scene() as stage:
        stage.becomes("speaking")
        await asyncio.sleep(1.0)
        stage.book.cost_s = 2.0
        await asyncio.sleep(1.0)
        stage.book.cost_s = 0.0
        await asyncio.sleep(3.0)
        gaps = [b - a for a, b in pairwise(stage.book.at_s)]

    assert min(gaps) > 0.01
    assert max(moment.dt_s for moment in stage.book.moments) <= 0.1


async def test_given_quiet_when_it_starts_to_speak_then_the_next_frame_is_not_late() -> None:
    async with scene() as stage:
        await asyncio.sleep(1.001)
        spoke_s = asyncio.get_running_loop().time()
        await stage.says(1.0)
        await asyncio.sleep(0.5)
        first_s = next(at_s for at_s in stage.book.at_s if at_s > spoke_s)

    assert first_s - spoke_s < 0.07


async def test_given_speech_when_cut_then_the_mouth_is_closed_within_three_frames() -> None:
    async with scene() as stage:
        stage.becomes("speaking")
        await stage.says(5.0)
        await asyncio.sleep(1.0)
        open_before = stage.book.faces[-1].mouth.open
        drawn, cut_s = len(stage.book.faces), asyncio.get_running_loop().time()

        stage.cut()
        stage.becomes("listening")
        await asyncio.sleep(1.0)

    opened = [face.mouth.open for face in stage.book.faces[drawn:]]
    assert open_before > 0.3
    assert max(opened[2:]) < 0.01
    assert stage.book.at_s[drawn + 1] - cut_s < 0.13
    assert opened[1] < 0.03


async def test_given_one_cut_then_one_frame_shows_the_surprise() -> None:
    async with scene() as stage:
        await stage.says(5.0)
        await asyncio.sleep(1.0)
        stage.cut()
        await asyncio.sleep(1.0)

    assert sum(moment.interrupted for moment in stage.book.moments) == 1


async def test_given_speech_when_heard_then_the_mouth_moves() -> None:
    async with scene() as stage:
        await stage.says(2.0)
        await asyncio.sleep(1.0)

        assert stage.book.faces[-1].mouth.open > 0.3


@pytest.mark.parametrize("state", ATTITUDES)
async def test_every_state_of_the_agent_has_an_attitude(state: AgentState) -> None:
    async with scene() as stage:
        stage.becomes(state)
        await asyncio.sleep(0.2)

        assert stage.book.moments[-1].attitude is ATTITUDES[state]


async def test_a_feeling_shows_from_the_next_frame_on() -> None:
    joy = Affect(valence=1.0, arousal=0.8)
    async with scene() as stage:
        stage.face.feel(joy)
        await asyncio.sleep(0.2)

        assert stage.book.moments[-1].affect == joy
        assert stage.book.moments[-1].attitude is Attitude.IDLE


async def test_given_an_end_then_the_chain_is_as_it_was_and_the_agent_stays() -> None:
    async with scene() as stage:
        stage.room.connected = True

        await stage.face.aclose()
        await stage.face.aclose()

        names = [type(link).__name__ for link in links(stage.session.output.audio)]
        assert names == ["Wrapper", "_AudioSinkProxy", "ManualSink"]
        assert stage.room.participant.unpublished == ["TR_face"]
        assert (stage.target.closed, stage.book.closed) == (True, True)


async def test_given_an_end_then_sound_and_its_reports_go_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with scene() as stage:
        await stage.face.aclose()
        output = stage.session.output.audio
        assert output is not None
        finished: list[object] = []
        output.on("playback_finished", finished.append)

        await stage.says(1.0)
        output.flush()
        stage.sink.on_playback_finished(playback_position=1.0, interrupted=False)

        assert (len(stage.sink.frames), len(finished)) == (1, 1)
        assert "playback_finished called more times" not in caplog.text


async def test_given_an_end_then_drawing_ends_by_itself() -> None:
    async with scene() as stage:
        await asyncio.sleep(1.0)
        await stage.face.aclose()
        drawn = stage.face.figures.drawn
        await asyncio.sleep(1.0)

        assert stage.face.figures.drawn <= drawn + 1


async def test_given_drawing_that_fails_then_the_sound_goes_on() -> None:
    session: AgentSession[None] = AgentSession()
    sink = ManualSink()
    session.output.audio = Wrapper(sink)
    face = LocalFace(DryBrush(), FakeTarget(), now_s=asyncio.get_running_loop().time)
    await face.start(session, room=FakeRoom())

    with pytest.raises(RuntimeError, match="out of paint"):
        await face.run()
    await session.output.audio.capture_frame(tone(1.0))

    assert len(sink.frames) == 1
    await face.aclose()


class DryBrush(SketchBook):
    @override
    async def paint(self, moment: Moment) -> bool:
        raise RuntimeError("out of paint")
