"""The tap: sound passes unchanged and at once, and the mouth follows what is heard."""

import asyncio
import tracemalloc

import pytest

from agent.avatar.mouth import CLOSED, MouthPose
from agent.worker.face_tap import SKIPPED_BY_PAUSE_S, FaceTap
from tests.agent.avatar.fakes import RATE_HZ, ManualSink, tone

# ruff: noqa: RUF001  (letters of the phonetic alphabet)


class Wall:
    """A wall clock that is set by hand."""

    def __init__(self) -> None:
        self.now_s = 1_000.0

    def __call__(self) -> float:
        return self.now_s


class Stage:
    """A tap over a manual sink, and the clock they share."""

    def __init__(self) -> None:
        self.wall = Wall()
        self.sink = ManualSink()
        self.changes = 0
        self.tap = FaceTap(self.sink, now_s=self.wall, on_change=self._changed)

    def _changed(self) -> None:
        self.changes += 1

    def starts(self) -> None:
        self.sink.on_playback_started(created_at=self.wall.now_s)

    def finishes(self, *, interrupted: bool = False) -> None:
        self.sink.on_playback_finished(playback_position=1.0, interrupted=interrupted)

    def mouth(self) -> MouthPose:
        return self.tap.mouths(span_s=0.04, count=1)[0]


async def test_sound_passes_unchanged_and_at_once() -> None:
    stage, frames = Stage(), [tone(0.2), tone(0.05), tone(1.0)]
    loop = asyncio.get_running_loop()
    before_s = loop.time()

    for frame in frames:
        await stage.tap.capture_frame(frame)

    assert loop.time() - before_s < 0.1
    assert [id(frame) for frame in stage.sink.frames] == [id(frame) for frame in frames]
    assert [bytes(f.data) for f in stage.sink.frames] == [bytes(f.data) for f in frames]


async def test_the_audio_path_copies_no_sound() -> None:
    stage, frames = Stage(), [tone(1.0) for _ in range(20)]
    tracemalloc.start()
    try:
        for frame in frames:
            await stage.tap.capture_frame(frame)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert kept < 20 * RATE_HZ * 2 / 10


async def test_given_sound_that_is_not_yet_heard_then_the_mouth_is_closed() -> None:
    stage = Stage()

    await stage.tap.capture_frame(tone(1.0))

    assert stage.mouth() == CLOSED
    assert not stage.tap.is_speaking


async def test_given_no_phonemes_when_heard_then_the_mouth_follows_the_sound() -> None:
    stage = Stage()
    await stage.tap.capture_frame(tone(1.0))
    await stage.tap.capture_frame(tone(1.0, amplitude=0))
    stage.starts()

    stage.wall.now_s += 0.5
    during_vowel = stage.mouth()
    stage.wall.now_s += 1.0

    assert during_vowel.open > 0.4
    assert stage.mouth() == CLOSED


async def test_given_phonemes_when_heard_then_they_decide_and_not_the_sound() -> None:
    stage = Stage()
    await stage.tap.capture_frame(tone(1.0, phonemes=(("m", 0.0, 0.5), ("ɑ", 0.5, 1.0))))
    stage.starts()

    stage.wall.now_s += 0.25
    humming = stage.mouth()
    stage.wall.now_s += 0.5

    assert (humming.open < 0.05, humming.press > 0.9) == (True, True)
    assert stage.mouth().open > 0.8


async def test_given_phonemes_of_the_first_part_only_then_the_sound_decides_the_rest() -> None:
    stage = Stage()
    await stage.tap.capture_frame(tone(1.0, phonemes=(("m", 0.0, 1.0),)))
    await stage.tap.capture_frame(tone(1.0))
    stage.starts()

    stage.wall.now_s += 1.5

    assert stage.mouth().open > 0.4


async def test_given_a_segment_in_two_sentences_then_times_count_from_its_first_sample() -> None:
    stage = Stage()
    await stage.tap.capture_frame(tone(1.0, phonemes=(("m", 0.0, 1.0),)))
    await stage.tap.capture_frame(tone(1.0, phonemes=(("ɑ", 1.0, 2.0),)))
    stage.starts()

    stage.wall.now_s += 1.5

    assert stage.mouth().open > 0.8


async def test_given_speech_when_the_buffer_is_cleared_then_the_mouth_is_closed_at_once() -> None:
    stage = Stage()
    await stage.tap.capture_frame(tone(2.0))
    stage.starts()
    stage.wall.now_s += 0.5

    stage.tap.clear_buffer()

    assert stage.mouth() == CLOSED
    assert (stage.tap.interruptions, stage.sink.cleared) == (1, 1)


async def test_given_an_interruption_when_sound_still_arrives_then_it_stays_closed() -> None:
    stage = Stage()
    await stage.tap.capture_frame(tone(2.0))
    stage.starts()
    stage.tap.clear_buffer()

    await stage.tap.capture_frame(tone(2.0))
    stage.wall.now_s += 0.5

    assert stage.mouth() == CLOSED


async def test_given_an_interrupted_segment_when_the_next_is_heard_then_the_mouth_moves() -> None:
    stage = Stage()
    await stage.tap.capture_frame(tone(2.0))
    stage.starts()
    stage.tap.clear_buffer()
    stage.tap.flush()
    stage.finishes(interrupted=True)

    await stage.tap.capture_frame(tone(2.0))
    stage.starts()
    stage.wall.now_s += 0.5

    assert stage.mouth().open > 0.4
    assert stage.tap.interruptions == 1


async def test_given_speech_cut_before_it_is_heard_then_nothing_counts_as_interrupted() -> None:
    stage = Stage()
    await stage.tap.capture_frame(tone(2.0))

    stage.tap.clear_buffer()
    stage.tap.flush()

    assert stage.tap.interruptions == 0


async def test_given_a_cleared_segment_without_report_when_the_next_starts_then_it_is_heard() -> (
    None
):
    stage = Stage()
    await stage.tap.capture_frame(tone(0.02))
    stage.tap.clear_buffer()
    stage.tap.flush()

    await stage.tap.capture_frame(tone(2.0))
    stage.starts()
    stage.wall.now_s += 0.5

    assert stage.mouth().open > 0.4


async def test_given_one_segment_ahead_when_the_first_finishes_then_the_next_waits() -> None:
    stage = Stage()
    await stage.tap.capture_frame(tone(1.0))
    stage.tap.flush()
    stage.starts()
    await stage.tap.capture_frame(tone(1.0))
    stage.tap.flush()
    stage.wall.now_s += 1.0

    stage.finishes()
    between = stage.mouth()
    stage.starts()
    stage.wall.now_s += 0.5

    assert between == CLOSED
    assert stage.mouth().open > 0.4


async def test_given_a_pause_then_the_mouth_rests_and_goes_on_where_the_sound_goes_on() -> None:
    stage = Stage()
    await stage.tap.capture_frame(tone(4.0, phonemes=(("m", 0.0, 2.0), ("ɑ", 2.0, 4.0))))
    stage.starts()
    stage.wall.now_s += 1.0

    stage.tap.pause()
    stage.sink.on_playback_progressed(started_at=stage.wall.now_s - 1.0, offset=0.0, duration=1.9)
    paused = stage.mouth()
    stage.wall.now_s += 30.0
    stage.tap.resume()
    stage.wall.now_s += SKIPPED_BY_PAUSE_S

    assert paused == CLOSED
    assert stage.mouth().open > 0.8


async def test_given_sound_that_ran_dry_when_it_goes_on_then_the_mouth_is_in_step_again() -> None:
    stage = Stage()
    await stage.tap.capture_frame(tone(1.0, phonemes=(("m", 0.0, 1.0),)))
    stage.starts()
    stage.wall.now_s += 3.0
    dry = stage.mouth()

    await stage.tap.capture_frame(tone(1.0, phonemes=(("ɑ", 1.0, 2.0),)))
    stage.sink.on_playback_progressed(started_at=1_000.0, offset=0.0, duration=1.0)
    stage.wall.now_s += 0.5

    assert dry == CLOSED
    assert stage.mouth().open > 0.8


async def test_playback_reports_pass_upwards_once() -> None:
    stage = Stage()
    heard: list[str] = []
    for name in ("playback_started", "playback_progressed", "playback_finished"):
        stage.tap.on(name, lambda event: heard.append(type(event).__name__))
    await stage.tap.capture_frame(tone(1.0))
    stage.starts()
    stage.sink.on_playback_progressed(started_at=1_000.0, offset=0.0, duration=1.0)
    stage.tap.flush()

    stage.finishes()

    assert heard == ["PlaybackStartedEvent", "PlaybackProgressedEvent", "PlaybackFinishedEvent"]
    assert stage.tap.captured_playout_segments == 1


async def test_starts_and_stops_wake_the_drawing() -> None:
    stage = Stage()
    await stage.tap.capture_frame(tone(1.0))

    stage.starts()
    stage.tap.clear_buffer()

    assert stage.changes >= 2


@pytest.mark.parametrize("count", [1, 2, 5])
async def test_as_many_mouths_as_asked_for_and_the_newest_last(count: int) -> None:
    stage = Stage()
    await stage.tap.capture_frame(tone(1.0, phonemes=(("m", 0.0, 0.5), ("ɑ", 0.5, 1.0))))
    stage.starts()
    stage.wall.now_s += 0.55

    mouths = stage.tap.mouths(span_s=0.1, count=count)

    assert len(mouths) == count
    assert mouths == sorted(mouths, key=lambda mouth: mouth.open)
