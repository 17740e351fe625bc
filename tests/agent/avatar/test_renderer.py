"""The drawing: what moves on the face moves in the picture, and nothing else does."""

from typing import cast

import numpy as np
import numpy.typing as npt
import pytest

from agent.avatar.attitude import Attitude
from agent.avatar.eyes import Direction
from agent.avatar.mouth import MouthPose
from agent.avatar.palette import Palette, brightness, darker, lighter, mix, parse
from agent.avatar.rig import FaceState, Rig
from agent.avatar.visemes import TARGETS, Viseme
from agent.worker.easel import Drawing
from config.character import load_characters
from config.look import Look

renderer = pytest.importorskip(
    "agent.avatar.renderer", reason="drawing needs libegl1 and libgl1", exc_type=ImportError
)

SIZE_PX = 256
Region = tuple[slice, slice]
MOUTH: Region = (slice(140, 190), slice(100, 156))
LEFT_EYE: Region = (slice(108, 134), slice(90, 122))
SHOULDERS: Region = (slice(230, 256), slice(40, 216))
SKY: Region = (slice(0, 20), slice(0, 256))


@pytest.fixture(scope="module")
def drawing() -> Drawing:
    return cast("Drawing", renderer.Renderer(Look(), SIZE_PX))


def picture(drawing: Drawing, face: FaceState) -> npt.NDArray[np.int16]:
    return np.array(drawing.draw(face)[:, :, :3], np.int16)


def difference(
    one: npt.NDArray[np.int16], other: npt.NDArray[np.int16], region: Region | None = None
) -> float:
    """Return the mean difference of a colour level in a region."""
    where = region or (slice(None), slice(None))
    return float(np.abs(one[where] - other[where]).mean())


def test_a_picture_is_opaque_and_square(drawing: Drawing) -> None:
    pixels = drawing.draw(FaceState())

    assert pixels.shape == (SIZE_PX, SIZE_PX, 4)
    assert pixels[:, :, 3].min() == 255


def test_the_same_face_gives_the_same_picture(drawing: Drawing) -> None:
    once = picture(drawing, FaceState())
    picture(drawing, FaceState(mouth=MouthPose(open=1.0), blink=1.0, yaw=0.5, halo=1.0))

    assert (picture(drawing, FaceState()) == once).all()


def test_an_open_mouth_changes_the_mouth_and_not_the_eyes(drawing: Drawing) -> None:
    closed = picture(drawing, FaceState())
    opened = picture(drawing, FaceState(mouth=MouthPose(open=0.9)))

    assert difference(closed, opened, MOUTH) > 5.0
    assert difference(closed, opened, LEFT_EYE) == 0.0
    assert difference(closed, opened, SHOULDERS) == 0.0


def test_a_blink_changes_the_eyes_and_not_the_mouth(drawing: Drawing) -> None:
    awake = picture(drawing, FaceState())
    shut = picture(drawing, FaceState(blink=1.0))

    assert difference(awake, shut, LEFT_EYE) > 10.0
    assert difference(awake, shut, MOUTH) == 0.0


def test_a_closing_eye_shows_less_and_less_white(drawing: Drawing) -> None:
    def white(blink: float) -> int:
        eye = picture(drawing, FaceState(blink=blink))[LEFT_EYE]
        return int((eye.min(axis=2) > 235).sum())

    shown = [white(blink) for blink in (0.0, 0.25, 0.5, 0.75, 1.0)]

    assert shown == sorted(shown, reverse=True)
    assert (shown[0] > 20, shown[-1]) == (True, 0)


def test_the_halo_lights_the_background(drawing: Drawing) -> None:
    dark = picture(drawing, FaceState(halo=0.0))
    bright = picture(drawing, FaceState(halo=1.0))

    assert difference(dark, bright, SKY) > 1.0
    assert difference(dark, bright, MOUTH) == 0.0


@pytest.mark.parametrize(
    "face",
    [
        FaceState(gaze=Direction(0.6, -0.5)),
        FaceState(yaw=0.5),
        FaceState(pitch=0.5),
        FaceState(roll=0.06),
        FaceState(smile=0.9),
        FaceState(smile=-0.6),
        FaceState(brow_up=0.8),
        FaceState(brow_tilt=0.8),
        FaceState(brow_tilt=-0.8),
        FaceState(lid=0.6),
        FaceState(squint=0.8),
        FaceState(blush=1.0),
        FaceState(pupil=1.3),
    ],
)
def test_every_part_of_the_face_is_seen(drawing: Drawing, face: FaceState) -> None:
    assert difference(picture(drawing, FaceState()), picture(drawing, face)) > 0.02


def test_every_viseme_looks_different(drawing: Drawing) -> None:
    mouths = {v: picture(drawing, FaceState(mouth=TARGETS[v].pose))[MOUTH] for v in Viseme}
    alike = [
        (one, other)
        for one in Viseme
        for other in Viseme
        if one < other and float(np.abs(mouths[one] - mouths[other]).mean()) < 0.25
    ]

    assert alike == []


@pytest.mark.parametrize("hair_style", ["bob", "short"])
@pytest.mark.parametrize("size_px", [128, 384])
def test_a_look_changes_the_picture(hair_style: str, size_px: int) -> None:
    look = Look.model_validate({"hair_style": hair_style, "hair": "#C9A15A", "iris": "#6B4A2B"})

    own = renderer.Renderer(look, size_px).draw(FaceState()).astype(np.int16)
    usual = renderer.Renderer(Look(), size_px).draw(FaceState()).astype(np.int16)

    assert float(np.abs(own - usual).mean()) > 2.0


def test_the_packaged_character_can_be_drawn() -> None:
    look = load_characters(None)["ada"].look

    assert renderer.Renderer(look, 128).draw(FaceState()).any()


def test_a_minute_of_life_never_shows_a_mouth_that_nobody_asked_for(
    drawing: Drawing,
) -> None:
    rig = Rig(np.random.default_rng(4))
    for _ in range(60 * 5):
        face = rig.step(0.2, attitude=Attitude.LISTENING)
        drawing.draw(face)

        assert face.mouth == MouthPose()


def test_shades_stay_between_what_they_are_mixed_from() -> None:
    assert parse("#0A141E") == (10, 20, 30)
    assert mix((0, 0, 0), (200, 100, 50), 0.5) == (100, 50, 25)
    assert brightness(darker((200, 150, 100), 0.3)) < brightness((200, 150, 100))
    assert brightness(lighter((200, 150, 100), 0.3)) > brightness((200, 150, 100))


def test_dark_skin_shines_less_than_light_skin() -> None:
    def shine(skin: str) -> float:
        palette = Palette(Look(skin=skin))
        return brightness(palette.skin_light) - brightness(palette.skin)

    assert shine("#5A3825") < 0.25
    assert shine("#F8CDAF") > 0.04
