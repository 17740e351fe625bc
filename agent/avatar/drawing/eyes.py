"""Eyes and brows: lids over an eyeball, lashes, and a brow above."""

from agent.avatar.drawing import paint
from agent.avatar.drawing.paint import Canvas, Path
from agent.avatar.palette import Palette
from agent.avatar.rig import FaceState

_EYES = ((213.0, 245.0, -1), (299.0, 245.0, 1))
"""Centre and side of each eye; -1 is the one on the left of the picture."""
_BROW_Y = 211.0
_HALF_WIDTH = 25.5
_OUTER_LIFT = 2.0
"""The outer corner is a little higher than the inner one."""
_UPPER_LID = 17.5
_LOWER_LID = 10.0
_IRIS_RADIUS = 14.8
_PUPIL_RADIUS = 6.3
_GAZE_X_PX = 9.5
_GAZE_Y_PX = 6.5
_SHUT_ABOVE = 0.8
"""From here on a blink is drawn as one line: the sliver between the lids would flicker."""


class Eyes:
    """Both eyes with their brows."""

    def __init__(self, palette: Palette) -> None:
        self._palette = palette
        self._lash_width = 2.6 + 1.8 * palette.lashes
        self._socket = paint.fill_with(paint.glow((0, -3), 31, palette.skin_line, 52))
        self._white = paint.fill_with(
            paint.along(
                (0, -16),
                (0, 12),
                ((0.0, palette.eye_white_shade, 255), (0.6, palette.eye_white, 255)),
            )
        )
        self._iris = paint.fill_with(
            paint.around(
                (0, 2.5),
                15.5,
                (
                    (0.0, palette.iris_light, 255),
                    (0.42, palette.iris, 255),
                    (0.86, palette.iris_dark, 255),
                    (1.0, palette.pupil, 255),
                ),
            )
        )
        self._pupil = paint.fill(palette.pupil)
        self._glint = paint.fill((255, 255, 255), 240)
        self._glint_below = paint.fill((255, 255, 255), 120)
        self._lash = paint.line(palette.lash, self._lash_width)
        self._wing = paint.fill(palette.lash)
        self._lower_line = paint.line(palette.skin_line, 1.5, 130)
        self._crease = paint.line(palette.skin_line, 1.8, 105)
        self._brow = paint.fill(palette.brow, 225)

    def draw(self, canvas: Canvas, face: FaceState) -> None:
        """Draw eyes and brows."""
        for x, y, side in _EYES:
            with paint.moved(canvas, x, y):
                paint.oval(canvas, (0, -3), 62, 48, self._socket)
                if face.blink > _SHUT_ABOVE:
                    self._draw_shut(canvas, face, side)
                else:
                    self._draw_open(canvas, face, side)
            with paint.moved(canvas, x, _BROW_Y):
                self._draw_brow(canvas, face, side)

    def _draw_open(self, canvas: Canvas, face: FaceState, side: int) -> None:
        opened = _clip(face.lid, 0.0, 1.25) * (1 - face.blink)
        sunk = 4.0 * face.blink
        top = -_UPPER_LID * opened * 1.28 + sunk
        bottom = _LOWER_LID * (1 - 0.45 * face.squint) * (1 - 0.25 * face.blink) * 1.25 + sunk
        left = (-_HALF_WIDTH, side * _OUTER_LIFT + sunk)
        right = (_HALF_WIDTH, -side * _OUTER_LIFT + sunk)
        opening = paint.shape(
            left,
            (-_HALF_WIDTH * 0.58, top, _HALF_WIDTH * 0.58, top, *right),
            (_HALF_WIDTH * 0.52, bottom, -_HALF_WIDTH * 0.52, bottom, *left),
        )
        with paint.moved(canvas, clip=opening):
            self._draw_ball(canvas, face)
            lid_y = 0.75 * top
            shade = paint.along(
                (0, lid_y - 2),
                (0, lid_y + 9),
                ((0.0, self._palette.lash, 120), (1.0, self._palette.lash, 0)),
            )
            paint.box(canvas, -30, lid_y - 6, 60, 15, paint.fill_with(shade))
        lash = paint.stroke(
            (left[0] - 1, left[1] + 0.5),
            (-_HALF_WIDTH * 0.58, top - 1.4, _HALF_WIDTH * 0.58, top - 1.4, right[0] + 1, right[1]),
        )
        canvas.drawPath(lash, self._lash)
        if self._palette.lashes > 0.2:
            canvas.drawPath(self._outer_lashes(top, side, sunk), self._wing)
        canvas.drawPath(
            paint.stroke(
                (-_HALF_WIDTH * 0.8, bottom * 0.52 + 0.48 * sunk + 1),
                (
                    -_HALF_WIDTH * 0.4,
                    bottom * 0.97,
                    _HALF_WIDTH * 0.4,
                    bottom * 0.97,
                    _HALF_WIDTH * 0.82,
                    bottom * 0.47 + 0.53 * sunk + 1,
                ),
            ),
            self._lower_line,
        )
        canvas.drawPath(_crease(top, side), self._crease)

    def _draw_ball(self, canvas: Canvas, face: FaceState) -> None:
        paint.box(canvas, -30, -30, 60, 60, self._white)
        with paint.moved(canvas, face.gaze.x * _GAZE_X_PX, face.gaze.y * _GAZE_Y_PX - 1.0):
            canvas.drawCircle(0, 0, _IRIS_RADIUS, self._iris)
            canvas.drawCircle(0, 0, _PUPIL_RADIUS * face.pupil, self._pupil)
            canvas.drawCircle(-4.6, -5.2, 3.9, self._glint)
            canvas.drawCircle(5.0, 5.4, 1.9, self._glint_below)

    def _outer_lashes(self, top: float, side: int, sunk: float) -> Path:
        """Return the tip that the lash line ends in, smaller for weaker lashes."""
        reach = 4.0 * self._palette.lashes
        outer = side * _HALF_WIDTH
        return paint.shape(
            (side * (_HALF_WIDTH - 9), 0.45 * top - 1 + sunk * 0.5),
            (
                side * (_HALF_WIDTH - 3),
                0.28 * top + sunk * 0.6,
                outer,
                0.1 * top + sunk * 0.8 - 1,
                side * (_HALF_WIDTH + reach),
                0.14 * top - 3 + sunk,
            ),
            (
                side * (_HALF_WIDTH + reach - 2),
                sunk,
                outer,
                1.5 + sunk,
                side * (_HALF_WIDTH - 2),
                sunk - 0.5,
            ),
        )

    def _draw_shut(self, canvas: Canvas, face: FaceState, side: int) -> None:
        sag = 9.0 - 5.0 * max(0.0, face.smile)
        left = (-_HALF_WIDTH, side * _OUTER_LIFT + 3)
        right = (_HALF_WIDTH, -side * _OUTER_LIFT + 3)
        lid = paint.stroke(left, (-_HALF_WIDTH * 0.5, 3 + sag, _HALF_WIDTH * 0.5, 3 + sag, *right))
        canvas.drawPath(lid, self._lash)
        canvas.drawPath(_crease(-12.0, side), self._crease)

    def _draw_brow(self, canvas: Canvas, face: FaceState, side: int) -> None:
        """A brow thickest at a third from the nose and pointed at the temple."""
        raised = -11.0 * face.brow_up - 10.0 * max(0.0, face.lid - 1.0)
        inner_x, outer_x = -side * 22.0, side * 29.0
        inner_y = 2.0 - 10.0 * face.brow_tilt
        outer_y = 5.0 + 3.0 * face.brow_tilt
        arch_y = -5.5 - 3.0 * face.brow_up
        with paint.moved(canvas, 0, raised):
            canvas.drawPath(
                paint.shape(
                    (inner_x, inner_y - 2.5),
                    (inner_x * 0.3, arch_y - 3.5, outer_x * 0.45, arch_y - 4.5, outer_x, outer_y),
                    (
                        outer_x * 0.5,
                        arch_y + 0.5,
                        inner_x * 0.25,
                        arch_y + 4.0,
                        inner_x,
                        inner_y + 3.8,
                    ),
                    (
                        inner_x - side * 3,
                        inner_y + 2.5,
                        inner_x - side * 3,
                        inner_y - 1.5,
                        inner_x,
                        inner_y - 2.5,
                    ),
                ),
                self._brow,
            )


def _crease(top: float, side: int) -> Path:
    y = 0.72 * top - 7.0
    return paint.stroke(
        (-_HALF_WIDTH * 0.8, y + 5 + side * 1.5),
        (
            -_HALF_WIDTH * 0.4,
            y - 4,
            _HALF_WIDTH * 0.4,
            y - 4,
            _HALF_WIDTH * 0.85,
            y + 5 - side * 1.5,
        ),
    )


def _clip(value: float, low: float, high: float) -> float:
    return min(high, max(low, value))
