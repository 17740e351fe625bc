"""The skin of the head: ears, face, cheeks and nose."""

from agent.avatar.drawing import paint
from agent.avatar.drawing.paint import Canvas, Path
from agent.avatar.palette import Palette

_EAR_X = 92.0
_EAR_Y = 252.0
_CHEEKS = (196.0, 316.0)
_CHEEK_RADIUS = 36.0
_CHEEK_FLATTENED = 0.72
_JAW_DROP_PX = 9.0
"""How far the chin falls with a wide open mouth."""


def face_outline(jaw: float) -> Path:
    """Return the outline of the face; ``jaw`` is 0 (shut) .. 1."""
    drop = _JAW_DROP_PX * jaw
    return paint.shape(
        (256, 112),
        (320, 112, 349, 163, 349, 230),
        (349, 284 + 0.3 * drop, 334, 328 + 0.8 * drop, 300, 358 + drop),
        (281, 375 + drop, 231, 375 + drop, 212, 358 + drop),
        (178, 328 + 0.8 * drop, 163, 284 + 0.3 * drop, 163, 230),
        (163, 163, 192, 112, 256, 112),
    )


class Head:
    """The skin."""

    def __init__(self, palette: Palette) -> None:
        self._face = paint.fill_with(
            paint.around(
                (232, 214),
                214,
                (
                    (0.0, palette.skin_light, 255),
                    (0.42, palette.skin, 255),
                    (0.78, palette.skin_shade, 255),
                    (1.0, palette.skin_dark, 255),
                ),
            )
        )
        self._ear = paint.fill(palette.skin_shade)
        self._ear_inside = paint.fill(palette.skin_dark, 150)
        self._cheek = paint.glow((0, 0), _CHEEK_RADIUS, palette.blush, 125)
        self._nose_line = paint.line(palette.skin_line, 2.4, 120)
        self._nose_side = paint.line(palette.skin_line, 5.0, 26)
        self._nose_light = paint.fill(palette.skin_light, 190)

    def draw_ears(self, canvas: Canvas) -> None:
        """Draw both ears."""
        for side in (-1, 1):
            with paint.moved(canvas, 256 + side * _EAR_X, _EAR_Y):
                paint.oval(canvas, (side * 2, 0), 26, 56, self._ear)
                paint.oval(canvas, (side * 4, 0), 11, 32, self._ear_inside)

    def draw_face(self, canvas: Canvas, outline: Path) -> None:
        """Draw the bare face."""
        canvas.drawPath(outline, self._face)

    def draw_cheeks(self, canvas: Canvas, *, blush: float, smile: float) -> None:
        """Draw the colour of the cheeks, which a smile lifts."""
        brush = paint.fill_with(self._cheek, 255 * min(1.0, blush))
        for x in _CHEEKS:
            with paint.moved(canvas, x, 293 - 4 * max(0.0, smile)):
                canvas.scale(1.0, _CHEEK_FLATTENED)
                canvas.drawCircle(0, 0, _CHEEK_RADIUS, brush)

    def draw_nose(self, canvas: Canvas, *, turn_x: float) -> None:
        """Draw the nose; its tip is nearest to the viewer and moves most."""
        tip = 256 + 0.5 * turn_x
        bridge = 256 + 0.25 * turn_x
        canvas.drawPath(
            paint.stroke((bridge - 5, 236), (bridge - 6, 254, tip - 9, 268, tip - 11, 280)),
            self._nose_side,
        )
        canvas.drawPath(
            paint.stroke(
                (tip - 11, 280),
                (tip - 11, 285, tip - 7, 286.5, tip - 5, 286),
                (tip - 2, 289, tip + 2, 289, tip + 5, 286),
                (tip + 7, 286.5, tip + 11, 285, tip + 11, 280),
            ),
            self._nose_line,
        )
        paint.oval(canvas, (tip - 1, 272), 9, 12, self._nose_light)
