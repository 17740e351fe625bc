"""Behaviour: settles, repeats from a seed, blinks, and shuts up when interrupted."""

import dataclasses
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.avatar.attitude import Affect, Attitude
from agent.avatar.mouth import CLOSED, MouthPose
from agent.avatar.rig import FaceState, Rig
from agent.avatar.springs import Spring, wander

FRAME_S = 0.04
WIDE_OPEN = MouthPose(open=0.95, wide=0.3, teeth=0.2)


def rig(seed: int = 1) -> Rig:
    return Rig(np.random.default_rng(seed))


def live(seconds: float, attitude: Attitude, *, seed: int = 1) -> list[FaceState]:
    face = rig(seed)
    return [face.step(FRAME_S, attitude=attitude) for _ in range(round(seconds / FRAME_S))]


@given(
    start=st.floats(-2, 2),
    target=st.floats(-2, 2),
    half_life_s=st.floats(0.005, 0.5),
    dt_s=st.floats(0.001, 0.5),
)
def test_a_spring_settles_without_overshoot(
    start: float, target: float, half_life_s: float, dt_s: float
) -> None:
    spring = Spring(start)

    values = [spring.step(target, half_life_s=half_life_s, dt_s=dt_s) for _ in range(200)]

    low, high = min(start, target) - 1e-6, max(start, target) + 1e-6
    assert all(low <= value <= high for value in values)
    if 200 * dt_s > 20 * half_life_s:
        assert values[-1] == pytest.approx(target, abs=1e-3)


@given(t_s=st.floats(0, 1e5), phase=st.floats(0, 10))
def test_a_wander_stays_within_one(t_s: float, phase: float) -> None:
    assert abs(wander(t_s, phase)) <= 1.0 + 1e-9


@given(seed=st.integers(0, 2**32 - 1), attitude=st.sampled_from(Attitude))
def test_the_same_seed_gives_the_same_face(seed: int, attitude: Attitude) -> None:
    assert live(2.0, attitude, seed=seed) == live(2.0, attitude, seed=seed)


def test_two_seeds_give_two_faces() -> None:
    assert live(20.0, Attitude.LISTENING, seed=1) != live(20.0, Attitude.LISTENING, seed=2)


@given(
    opened=st.floats(0, 1),
    wide=st.floats(-1, 1),
    valence=st.floats(-1, 1),
    arousal=st.floats(0, 1),
    attitude=st.sampled_from(Attitude),
)
def test_a_face_stays_within_its_bounds(
    opened: float, wide: float, valence: float, arousal: float, attitude: Attitude
) -> None:
    face, affect = rig(), Affect(valence=valence, arousal=arousal)
    mouth = MouthPose(open=opened, wide=wide)

    for _ in range(50):
        state = face.step(FRAME_S, (mouth, CLOSED), attitude=attitude, affect=affect)

        assert 0 <= state.mouth.open <= 1
        assert 0 <= state.blink <= 1
        assert 0 <= state.halo <= 1
        assert max(abs(state.yaw), abs(state.pitch), abs(state.smile)) <= 1


@pytest.mark.parametrize("attitude", Attitude)
def test_given_silence_then_the_mouth_stays_closed(attitude: Attitude) -> None:
    assert {state.mouth for state in live(10.0, attitude)} == {CLOSED}


def test_given_a_wide_mouth_when_interrupted_then_it_is_closed_within_three_frames() -> None:
    face = rig()
    for _ in range(25):
        face.step(FRAME_S, (WIDE_OPEN, WIDE_OPEN), attitude=Attitude.SPEAKING)

    face.interrupt()
    opened = [face.step(FRAME_S).mouth.open for _ in range(3)]

    assert opened[0] < 0.05
    assert opened[2] < 0.001
    assert face.mouth_is_still


def test_given_an_interruption_when_it_speaks_again_then_the_mouth_opens_as_before() -> None:
    face, fresh = rig(), rig()
    face.interrupt()

    assert (
        face.step(FRAME_S, (WIDE_OPEN,)).mouth.open == fresh.step(FRAME_S, (WIDE_OPEN,)).mouth.open
    )


def test_a_closure_between_two_frames_is_not_lost() -> None:
    face = rig()
    for _ in range(10):
        face.step(FRAME_S, (WIDE_OPEN,))

    pressed = face.step(FRAME_S, (MouthPose(press=1.0), MouthPose(press=1.0)))

    assert pressed.mouth.open < 0.2
    assert pressed.mouth.press > 0.8


@pytest.mark.parametrize("attitude", Attitude)
def test_people_blink_between_eight_and_forty_times_a_minute(attitude: Attitude) -> None:
    shut = [state.blink > 0.5 for state in live(60.0, attitude)]
    blinks = sum(now and not before for before, now in pairwise(shut))

    assert 8 <= blinks <= 40


def test_a_thinking_face_looks_up_and_away_and_a_listening_one_at_you() -> None:
    thinking = live(4.0, Attitude.THINKING)[25:]
    listening = live(4.0, Attitude.LISTENING)[25:]

    assert all(state.gaze.y < -0.2 for state in thinking)
    assert all(abs(state.gaze.x) < 0.25 for state in listening)


def test_attitudes_glow_differently() -> None:
    halo = {attitude: live(3.0, attitude)[-1].halo for attitude in Attitude}

    assert halo[Attitude.IDLE] < halo[Attitude.LISTENING] < halo[Attitude.THINKING]
    assert halo[Attitude.THINKING] < halo[Attitude.SPEAKING]


def test_a_living_face_is_never_still() -> None:
    states = live(10.0, Attitude.IDLE)

    assert len({dataclasses.astuple(state)[8:] for state in states}) == len(states)


def test_gladness_smiles_and_sadness_does_not() -> None:
    glad, sad = rig(), rig()
    joy, grief = Affect(valence=0.9, arousal=0.5), Affect(valence=-0.9, arousal=0.2)

    happy = [glad.step(FRAME_S, affect=joy) for _ in range(50)][-1]
    unhappy = [sad.step(FRAME_S, affect=grief) for _ in range(50)][-1]

    assert happy.smile > 0.6
    assert unhappy.smile < -0.3
    assert unhappy.brow_tilt > happy.brow_tilt
