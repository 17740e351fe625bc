"""A face draws less often on a machine that does not keep up, and as often as before afterwards."""

from agent.worker.pace import RECOVERY_S, SLOWEST_FPS, Pace


def strained(pace: Pace, at_s: float, *, frames: int = 3) -> None:
    for number in range(frames):
        pace.note(at_s + number * 0.1, late=True)


def test_given_frames_in_time_then_the_rates_are_those_asked_for() -> None:
    pace = Pace(fps=25, idle_fps=12)

    pace.note(100.0, late=False)

    assert (1 / pace.interval_s(moving=True), 1 / pace.interval_s(moving=False)) == (25, 12)


def test_given_one_late_frame_now_and_then_then_the_rate_stays() -> None:
    pace = Pace(fps=25, idle_fps=12)

    changed = [pace.note(float(second), late=True) for second in range(0, 60, 2)]

    assert not any(changed)
    assert pace.fps == 25


def test_given_several_late_frames_at_once_then_the_rate_is_halved() -> None:
    pace = Pace(fps=24, idle_fps=12)

    strained(pace, 5.0)

    assert pace.fps == 12
    assert 1 / pace.interval_s(moving=False) == SLOWEST_FPS


def test_given_an_overload_that_stays_then_the_rate_has_a_floor() -> None:
    pace = Pace(fps=25, idle_fps=12)

    for second in range(20):
        strained(pace, float(second))

    assert pace.fps == SLOWEST_FPS


def test_given_a_rate_below_the_floor_was_asked_for_then_it_is_never_raised() -> None:
    pace = Pace(fps=4, idle_fps=2)

    strained(pace, 1.0)

    assert (1 / pace.interval_s(moving=True), 1 / pace.interval_s(moving=False)) == (4, 2)


def test_given_quiet_again_then_the_rate_returns_step_by_step() -> None:
    pace = Pace(fps=24, idle_fps=12)
    strained(pace, 0.0)
    strained(pace, 1.0)
    assert pace.fps == SLOWEST_FPS

    soon = pace.note(1.2 + RECOVERY_S - 0.1, late=False)
    first = pace.note(1.2 + RECOVERY_S, late=False)
    between = pace.fps
    pace.note(1.2 + 2 * RECOVERY_S, late=False)

    assert (soon, first, between, pace.fps) == (False, True, 12, 24)
