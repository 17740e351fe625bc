"""The mouth: two lips around an opening with teeth and tongue.

``_Geometry`` turns a pose into a few lengths, everything else only draws between them. Rounding
moves the control points of the opening outwards, so that a lens becomes an ellipse.
"""

from dataclasses import dataclass

from agent.avatar.drawing import paint
from agent.avatar.drawing.paint import Canvas, Path
from agent.avatar.palette import Palette
from agent.avatar.rig import FaceState

_CENTRE = (256.0, 321.0)
_NARROWEST_OPENING = 1.2
"""Pixels (of 512); below this only the line between the lips is drawn."""

_TONGUE_OUT_ABOVE = 0.7
"""From here on the tip of the tongue shows between the teeth (th)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Geometry:
    """Lengths in pixels of 512 around the middle of the mouth, y down."""

    half: float
    """Half the width between the corners."""
    corner_y: float
    top: float
    """Inner edge of the upper lip in the middle."""
    bottom: float
    """Inner edge of the lower lip in the middle."""
    upper: float
    """Thickness of the upper lip."""
    lower: float
    round: float
    """0 spread .. 1 rounded."""

    @property
    def gap(self) -> float:
        return self.bottom - self.top


def _geometry(face: FaceState) -> _Geometry:
    mouth, smile = face.mouth, face.smile
    rounding, spreading = max(0.0, -mouth.wide), max(0.0, mouth.wide)
    gap = 29.0 * mouth.open * (1 - 0.1 * rounding) + 3.2 * mouth.teeth * (1 - mouth.open)
    gap *= 1 - mouth.press
    top = -1.5 - 4.0 * mouth.open + 1.4 * max(0.0, smile)
    resting_corner_y = -8.0 * smile + 0.32 * gap
    thin = 1 - 0.5 * mouth.press
    return _Geometry(
        half=30.0
        + 8.0 * spreading
        - 15.0 * rounding
        + 8.0 * max(0.0, smile) * (1 - 0.6 * rounding)
        - 3.0 * mouth.open * (1 - spreading)
        + 1.5 * mouth.press,
        corner_y=resting_corner_y + (top + 0.5 * gap - resting_corner_y) * rounding,
        top=top,
        bottom=top + gap,
        upper=(7.6 - 2.2 * spreading + 1.6 * rounding - 1.0 * mouth.open) * thin,
        lower=(10.4 - 2.6 * spreading + 1.6 * rounding - 0.8 * mouth.open) * thin,
        round=rounding,
    )


class Lips:
    """One mouth."""

    def __init__(self, palette: Palette) -> None:
        self._palette = palette
        self._inside = paint.fill_with(
            paint.along(
                (0, -8), (0, 34), ((0.0, palette.mouth_dark, 255), (1.0, palette.mouth_light, 255))
            )
        )
        self._upper = paint.fill_with(
            paint.along(
                (0, -14), (0, 4), ((0.0, palette.lip_lower, 255), (1.0, palette.lip_upper, 255))
            )
        )
        self._lower = paint.fill(palette.lip_lower)
        self._shine = paint.fill(palette.lip_shine, 85)
        self._between = paint.line(palette.lip_line, 2.0, 215)
        self._tongue = paint.fill(palette.tongue, 235)
        self._tongue_groove = paint.line(palette.mouth_light, 1.8, 70)
        self._lip_shadow = paint.glow((0, 0), 22, palette.skin_line, 84)

    def draw(self, canvas: Canvas, face: FaceState) -> None:
        """Draw the mouth."""
        lengths = _geometry(face)
        with paint.moved(canvas, *_CENTRE):
            self._draw_shadow(canvas, lengths)
            if lengths.gap > _NARROWEST_OPENING:
                self._draw_inside(canvas, face, lengths)
            canvas.drawPath(_lower_lip(lengths), self._lower)
            canvas.drawPath(_upper_lip(lengths), self._upper)
            shine_y = lengths.bottom + 0.5 * lengths.lower
            paint.oval(canvas, (-2, shine_y), 0.62 * lengths.half, 3.6, self._shine)
            if lengths.gap <= 2 * _NARROWEST_OPENING:
                canvas.drawPath(_line_between(lengths), self._between)
            self._draw_corners(canvas, face, lengths)

    def _draw_shadow(self, canvas: Canvas, lengths: _Geometry) -> None:
        with paint.moved(canvas, 0, lengths.bottom + lengths.lower + 6):
            canvas.scale(1.0, 0.34)
            canvas.drawCircle(0, 0, 22, paint.fill_with(self._lip_shadow))

    def _draw_inside(self, canvas: Canvas, face: FaceState, lengths: _Geometry) -> None:
        opening = _opening(lengths)
        canvas.drawPath(opening, self._inside)
        mouth = face.mouth
        with paint.moved(canvas, clip=opening):
            if mouth.tongue > 0.02 or mouth.open * (1 - lengths.round) > 0.25:
                tip_y = lengths.bottom - 6 - 0.55 * lengths.gap * mouth.tongue + 13
                paint.oval(canvas, (0, tip_y), 1.2 * lengths.half, 26, self._tongue)
            self._draw_teeth(canvas, face, lengths)
            if mouth.tongue > _TONGUE_OUT_ABOVE:
                out = (mouth.tongue - _TONGUE_OUT_ABOVE) / (1 - _TONGUE_OUT_ABOVE)
                tip = paint.fill(self._palette.tongue, 255 * out)
                paint.oval(canvas, (0, lengths.bottom - 1), 0.9 * lengths.half, 9.5 * out, tip)

    def _draw_teeth(self, canvas: Canvas, face: FaceState, lengths: _Geometry) -> None:
        """Upper teeth show under a lifted lip, lower ones only while the rows are together."""
        mouth = face.mouth
        shown = max(0.0, 1 - 1.6 * lengths.round * (1 - mouth.teeth))
        edge = lengths.top + min(0.82 * lengths.gap, 3.5 + 4.5 * mouth.teeth + 3.0 * mouth.open)
        width = lengths.half
        row = paint.shape(
            (-width, lengths.top - 12),
            (-width, edge - 5, -0.6 * width, edge, 0, edge),
            (0.6 * width, edge, width, edge - 5, width, lengths.top - 12),
        )
        canvas.drawPath(row, paint.fill(self._palette.teeth, 250 * shown))
        if mouth.teeth > 0.35:
            lower_row = paint.fill(self._palette.teeth, 225 * mouth.teeth)
            paint.oval(
                canvas, (0, lengths.bottom + 6 - 3.4 * mouth.teeth), 1.5 * width, 13, lower_row
            )
        under_lip = paint.along(
            (0, lengths.top - 3),
            (0, lengths.top + 6),
            ((0.0, self._palette.mouth_dark, 125), (1.0, self._palette.mouth_dark, 0)),
        )
        paint.box(canvas, -width, lengths.top - 6, 2 * width, 12, paint.fill_with(under_lip))

    def _draw_corners(self, canvas: Canvas, face: FaceState, lengths: _Geometry) -> None:
        glad = max(0.0, face.smile)
        dimple = paint.line(self._palette.skin_line, 1.8, 55 + 90 * glad)
        fold = paint.line(self._palette.skin_line, 2.4, 75 * max(0.0, face.smile - 0.3))
        y = lengths.corner_y
        for side in (-1, 1):
            start, end = side * (lengths.half + 2), side * (lengths.half + 3)
            bow = side * (lengths.half + 5 + 2 * glad)
            canvas.drawPath(
                paint.stroke((start, y - 3), (bow, y - 2, bow, y + 1, end, y + 3)),
                dimple,
            )
            if glad > 0.3:
                canvas.drawPath(
                    paint.stroke(
                        (side * (lengths.half + 2), y - 26),
                        (
                            side * (lengths.half + 11),
                            y - 18,
                            side * (lengths.half + 13),
                            y - 8,
                            side * (lengths.half + 10),
                            y + 3,
                        ),
                    ),
                    fold,
                )


def _spread_of_controls(lengths: _Geometry) -> float:
    return 0.52 + 0.42 * lengths.round


def _inner_upper(lengths: _Geometry, *, back: bool = False) -> paint.Curve:
    """Return the inner edge of the upper lip, left to right or back."""
    x = lengths.half * 0.94 * _spread_of_controls(lengths)
    y = lengths.corner_y + (lengths.top - lengths.corner_y) * 4 / 3
    end = lengths.half * 0.94
    return (x, y, -x, y, -end, lengths.corner_y) if back else (-x, y, x, y, end, lengths.corner_y)


def _inner_lower(lengths: _Geometry, *, back: bool = False) -> paint.Curve:
    """Return the inner edge of the lower lip, left to right or back."""
    x = lengths.half * 0.94 * _spread_of_controls(lengths)
    y = lengths.corner_y + (lengths.bottom - lengths.corner_y) * 4 / 3
    end = lengths.half * 0.94
    return (x, y, -x, y, -end, lengths.corner_y) if back else (-x, y, x, y, end, lengths.corner_y)


def _opening(lengths: _Geometry) -> Path:
    start = (-lengths.half * 0.94, lengths.corner_y)
    return paint.shape(start, _inner_upper(lengths), _inner_lower(lengths, back=True))


def _upper_lip(lengths: _Geometry) -> Path:
    half, corner = lengths.half, lengths.corner_y
    ridge = lengths.top - lengths.upper
    bow = 4.2 + 0.8 * (1 - lengths.round)
    dip = 2.0 * (1 - 0.5 * lengths.round)
    side_y = corner + (ridge - corner) * (0.62 + 0.3 * lengths.round)
    side_x = half * (0.60 + 0.32 * lengths.round)
    return paint.shape(
        (-half, corner),
        (-side_x, side_y, -half * 0.34, ridge - 1.0, -bow, ridge),
        (-bow * 0.5, ridge + dip * 0.6, bow * 0.5, ridge + dip * 0.6, bow, ridge),
        (half * 0.34, ridge - 1.0, side_x, side_y, half, corner),
        (half, corner, half * 0.97, corner, half * 0.94, corner),
        _inner_upper(lengths, back=True),
    )


def _lower_lip(lengths: _Geometry) -> Path:
    half, corner = lengths.half, lengths.corner_y
    chin = corner + (lengths.bottom + lengths.lower - corner) * 4 / 3
    x = half * (0.56 + 0.40 * lengths.round)
    return paint.shape(
        (-half, corner),
        (-x, chin, x, chin, half, corner),
        (half, corner, half * 0.97, corner, half * 0.94, corner),
        _inner_lower(lengths, back=True),
    )


def _line_between(lengths: _Geometry) -> Path:
    half, corner = lengths.half, lengths.corner_y
    middle = corner + (lengths.top - corner) * 4 / 3
    return paint.stroke((-half, corner), (-half * 0.5, middle, half * 0.5, middle, half, corner))
