"""Neck, shoulders and clothes. They follow the head a little and breathe."""

from agent.avatar.drawing import paint
from agent.avatar.drawing.paint import Canvas
from agent.avatar.palette import Palette

_NECK = paint.shape(
    (214, 330),
    (214, 376, 214, 398, 196, 424),
    (222, 466, 290, 466, 316, 424),
    (298, 398, 298, 376, 298, 330),
)
_SHOULDERS = paint.shape(
    (8, 540),
    (14, 470, 66, 450, 128, 436),
    (166, 427, 190, 420, 204, 408),
    (222, 456, 290, 456, 308, 408),
    (322, 420, 346, 427, 384, 436),
    (446, 450, 498, 470, 504, 540),
)
_COLLAR = paint.shape(
    (203, 407),
    (220, 454, 292, 454, 309, 407),
    (316, 412, 320, 418, 322, 424),
    (300, 474, 212, 474, 190, 424),
    (192, 418, 196, 412, 203, 407),
)
_FOLDS = (
    paint.stroke((92, 452), (104, 470, 108, 492, 106, 520)),
    paint.stroke((420, 452), (408, 470, 404, 492, 406, 520)),
)
_CHIN_SHADOW_CENTRE = (256, 350)
_CHIN_SHADOW_RADIUS = 80


class Body:
    """Everything below the chin."""

    def __init__(self, palette: Palette) -> None:
        self._neck = paint.fill_with(
            paint.along(
                (0, 350), (0, 450), ((0.0, palette.skin_dark, 255), (1.0, palette.skin, 255))
            )
        )
        shadow = palette.skin_line
        self._chin_shadow = paint.fill_with(
            paint.around(
                _CHIN_SHADOW_CENTRE,
                _CHIN_SHADOW_RADIUS,
                ((0.0, shadow, 150), (0.6, shadow, 80), (1.0, shadow, 0)),
            )
        )
        self._cloth = paint.fill_with(
            paint.along(
                (110, 420),
                (420, 530),
                (
                    (0.0, palette.cloth_light, 255),
                    (0.45, palette.cloth, 255),
                    (1.0, palette.cloth_dark, 255),
                ),
            )
        )
        self._collar = paint.fill_with(
            paint.along(
                (0, 415), (0, 466), ((0.0, palette.collar, 255), (1.0, palette.collar_shade, 255))
            )
        )
        self._fold = paint.line(palette.cloth_dark, 3.0, 80)

    def draw(self, canvas: Canvas, *, turn_x: float, nod_y: float, breath: float) -> None:
        """Draw for a head turned by these many pixels; breath is -1..1."""
        with paint.moved(canvas, turn_x * 0.12, 1.6 * breath):
            canvas.drawPath(_NECK, self._neck)
            with paint.moved(canvas, turn_x * 0.6, nod_y * 0.6, clip=_NECK):
                canvas.drawCircle(*_CHIN_SHADOW_CENTRE, _CHIN_SHADOW_RADIUS, self._chin_shadow)
            canvas.drawPath(_SHOULDERS, self._cloth)
            for fold in _FOLDS:
                canvas.drawPath(fold, self._fold)
            canvas.drawPath(_COLLAR, self._collar)
