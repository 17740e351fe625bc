"""Behaviour: what the avatar is doing, feels and says → one smooth state of the face.

Pure: the same seed, steps and inputs give the same face. Only this module decides how a
``FaceState`` moves; drawing only shows it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from numpy.random import Generator

from agent.avatar.attitude import CALM, Affect, Attitude
from agent.avatar.eyes import Blink, Direction, Gaze
from agent.avatar.mouth import CLOSED, MouthPose
from agent.avatar.springs import Spring, wander

OPENING_HALF_LIFE_S = 0.016
RELAXING_HALF_LIFE_S = 0.030
"""Jaws fall faster than they close, except before p, b and m."""
PRESSING_HALF_LIFE_S = 0.012
SHAPING_HALF_LIFE_S = 0.028
HUSHING_HALF_LIFE_S = 0.010
"""After an interruption: of a wide open mouth less than three percent is left in 40 ms."""
MOUTH_STILL_BELOW = 0.03
"""A mouth less open than this is closed: under one pixel at 512 px."""

BREATHS_PER_S = 0.23
STARTLE_HALF_LIFE_S = 0.35
HALO: dict[Attitude, float] = {
    Attitude.IDLE: 0.12,
    Attitude.LISTENING: 0.40,
    Attitude.THINKING: 0.65,
    Attitude.SPEAKING: 1.0,
}
"""How brightly each attitude glows, 0..1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceState:
    """Everything that drawing needs to know of one instant."""

    mouth: MouthPose = CLOSED
    smile: float = 0.3
    """-1 corners down .. 1 corners up."""
    brow_up: float = 0.0
    """0..1, brows raised."""
    brow_tilt: float = 0.0
    """Above 0 the inner ends rise (concern), below 0 they fall (frown)."""
    lid: float = 1.0
    """How far the upper lids are up apart from blinking; 1 is usual."""
    blink: float = 0.0
    """0 open .. 1 shut."""
    squint: float = 0.0
    """0..1, lower lids pushed up by a smile."""
    gaze: Direction = Direction()  # noqa: RUF009  frozen and shared by intent
    yaw: float = 0.0
    """Head turned, -1 left .. 1 right; the same for ``pitch`` with 1 down."""
    pitch: float = 0.0
    roll: float = 0.0
    """Head tilted, radians."""
    bob: float = 0.0
    """Pixels (of 512) the head hangs lower than usual."""
    breath: float = 0.0
    """-1 out .. 1 in."""
    blush: float = 0.3
    pupil: float = 1.0
    """Factor of the usual size."""
    halo: float = 0.0
    """0..1, strength of the light around the head."""


class Rig:
    """The springs of one face."""

    def __init__(self, randomness: Generator) -> None:
        self._t_s = 0.0
        self._blink = Blink(randomness)
        self._gaze = Gaze(randomness)
        self._startled = 0.0
        self._hushed = False
        self._open, self._wide, self._teeth = Spring(), Spring(), Spring()
        self._press, self._tongue, self._voice = Spring(), Spring(), Spring()
        self._smile, self._lid = Spring(0.3), Spring(1.0)
        self._brow_up, self._brow_tilt, self._squint = Spring(), Spring(), Spring()
        self._gaze_x, self._gaze_y = Spring(), Spring()
        self._yaw, self._pitch, self._roll = Spring(), Spring(), Spring()
        self._blush, self._halo = Spring(0.3), Spring()

    @property
    def mouth_is_still(self) -> bool:
        """True once the mouth is closed and stays so."""
        return self._open.value < MOUTH_STILL_BELOW and self._press.value < MOUTH_STILL_BELOW

    def interrupt(self) -> None:
        """Somebody cut in: shut the mouth at once and look up."""
        self._hushed = True
        self._startled = 1.0

    def step(
        self,
        dt_s: float,
        mouths: Sequence[MouthPose] = (CLOSED,),
        *,
        attitude: Attitude = Attitude.IDLE,
        affect: Affect = CALM,
    ) -> FaceState:
        """Move for ``dt_s`` and return the face.

        Args:
            dt_s: Seconds since the last step; > 0.
            mouths: Positions asked for during the step at even distances, so that a closure
                shorter than a video frame is not lost.
            attitude: What the avatar is doing.
            affect: How it feels.
        """
        self._t_s += dt_s
        t_s = self._t_s
        for wanted in mouths:
            self._move_mouth(wanted, dt_s / len(mouths))
        voice = self._voice.step(mouths[-1].open, half_life_s=0.10, dt_s=dt_s)
        startled = self._startled
        self._startled *= 0.5 ** (dt_s / STARTLE_HALF_LIFE_S)
        thinking = float(attitude is Attitude.THINKING)
        listening = float(attitude is Attitude.LISTENING)
        speaking = float(attitude is Attitude.SPEAKING)
        glad, sad = max(0.0, affect.valence), max(0.0, -affect.valence)
        lively = 0.45 + 0.55 * affect.arousal
        look = self._gaze.at(t_s, attitude)
        gaze_x = self._gaze_x.step(look.x, half_life_s=0.022, dt_s=dt_s)
        gaze_y = self._gaze_y.step(look.y, half_life_s=0.022, dt_s=dt_s)
        smile = self._smile.step(
            _clip(0.16 + 0.75 * affect.valence - 0.12 * thinking, -0.9, 1.0),
            half_life_s=0.16,
            dt_s=dt_s,
        )
        frown_or_worry = 0.9 if affect.arousal < 0.6 else -0.9
        pulse = voice if speaking else math.sin(2.2 * t_s)
        return FaceState(
            mouth=self._mouth(),
            smile=smile,
            brow_up=self._brow_up.step(
                0.12 * affect.arousal
                + 0.25 * glad
                + 0.55 * startled
                + 0.22 * thinking
                + 0.30 * max(0.0, voice - 0.25),
                half_life_s=0.09,
                dt_s=dt_s,
            ),
            brow_tilt=self._brow_tilt.step(
                sad * frown_or_worry + 0.10 * listening + 0.06 * thinking,
                half_life_s=0.14,
                dt_s=dt_s,
            ),
            lid=self._lid.step(
                0.88 + 0.22 * affect.arousal + 0.25 * startled - 0.08 * thinking,
                half_life_s=0.10,
                dt_s=dt_s,
            ),
            blink=self._blink.at(t_s, attitude),
            squint=self._squint.step(max(0.0, smile - 0.3) * 0.9, half_life_s=0.15, dt_s=dt_s),
            gaze=Direction(gaze_x, gaze_y),
            yaw=self._yaw.step(
                0.20 * lively * wander(0.55 * t_s, 1.3) + 0.22 * gaze_x,
                half_life_s=0.16,
                dt_s=dt_s,
            ),
            pitch=self._pitch.step(
                0.10 * lively * wander(0.7 * t_s, 4.1)
                + 0.16 * (voice - 0.25) * speaking
                + 0.12 * gaze_y
                - 0.05 * thinking,
                half_life_s=0.10,
                dt_s=dt_s,
            ),
            roll=self._roll.step(
                0.028 * lively * wander(0.43 * t_s, 8.8) + 0.042 * listening - 0.035 * thinking,
                half_life_s=0.35,
                dt_s=dt_s,
            ),
            bob=1.2 * wander(0.5 * t_s, 2.2),
            breath=math.sin(math.tau * BREATHS_PER_S * t_s),
            blush=self._blush.step(0.28 + 0.35 * glad, half_life_s=0.5, dt_s=dt_s),
            pupil=1.0 + 0.12 * affect.arousal,
            halo=_clip(
                self._halo.step(HALO[attitude] * (0.8 + 0.2 * pulse), half_life_s=0.15, dt_s=dt_s),
                0.0,
                1.0,
            ),
        )

    def _move_mouth(self, wanted: MouthPose, dt_s: float) -> None:
        if wanted != CLOSED:
            self._hushed = False
        release_s = HUSHING_HALF_LIFE_S if self._hushed else RELAXING_HALF_LIFE_S
        shaping_s = HUSHING_HALF_LIFE_S if self._hushed else SHAPING_HALF_LIFE_S
        opens = wanted.open > self._open.value
        presses = wanted.press > self._press.value
        jaw_s = OPENING_HALF_LIFE_S if opens else release_s
        if wanted.press > 0.5:
            jaw_s = PRESSING_HALF_LIFE_S
        self._open.step(wanted.open, half_life_s=jaw_s, dt_s=dt_s)
        self._press.step(
            wanted.press, half_life_s=PRESSING_HALF_LIFE_S if presses else release_s, dt_s=dt_s
        )
        self._wide.step(wanted.wide, half_life_s=shaping_s, dt_s=dt_s)
        self._teeth.step(wanted.teeth, half_life_s=shaping_s, dt_s=dt_s)
        self._tongue.step(wanted.tongue, half_life_s=shaping_s, dt_s=dt_s)

    def _mouth(self) -> MouthPose:
        return MouthPose(
            open=_clip(self._open.value, 0.0, 1.0),
            wide=_clip(self._wide.value, -1.0, 1.0),
            teeth=_clip(self._teeth.value, 0.0, 1.0),
            press=_clip(self._press.value, 0.0, 1.0),
            tongue=_clip(self._tongue.value, 0.0, 1.0),
        )


def _clip(value: float, low: float, high: float) -> float:
    return min(high, max(low, value))
