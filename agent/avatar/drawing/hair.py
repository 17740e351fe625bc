"""Hair: what is behind the head and what falls over it, one table of outlines per style."""

from dataclasses import dataclass

from agent.avatar.drawing import paint
from agent.avatar.drawing.paint import Canvas, Path
from agent.avatar.palette import Palette
from config.look import HairStyle

_SHEEN_RADIUS = 92.0
_SHEEN_FLATTENED = 0.42
_SHEEN_TILT_DEGREES = -24.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cut:
    """The outlines of one style."""

    behind: Path
    front: tuple[Path, ...]
    """Drawn in order; together they frame the face."""
    strands: tuple[tuple[Path, int], ...]
    """Single lighter lines and their opacity."""
    shows_ears: bool


_FRINGE = paint.shape(
    (292, 82),
    (354, 84, 388, 146, 378, 256),
    (376, 268, 366, 270, 360, 258),
    (354, 222, 342, 186, 306, 152),
    (298, 144, 292, 134, 289, 122),
    (276, 160, 236, 186, 192, 196),
    (172, 208, 160, 234, 154, 262),
    (148, 272, 138, 270, 135, 256),
    (122, 144, 166, 76, 248, 74),
    (264, 72, 280, 76, 292, 82),
)

_BOB = _Cut(
    behind=paint.shape(
        (256, 64),
        (354, 60, 398, 134, 394, 226),
        (393, 292, 408, 338, 396, 382),
        (388, 412, 348, 416, 322, 404),
        (280, 398, 232, 398, 190, 404),
        (164, 416, 124, 412, 116, 382),
        (104, 338, 119, 292, 118, 226),
        (114, 134, 158, 60, 256, 64),
    ),
    front=(
        paint.shape(
            (150, 160),
            (122, 214, 116, 300, 114, 372),
            (116, 408, 156, 416, 178, 402),
            (164, 366, 154, 318, 156, 266),
            (156, 240, 164, 214, 178, 196),
        ),
        paint.shape(
            (362, 160),
            (390, 214, 396, 300, 398, 372),
            (396, 408, 356, 416, 334, 402),
            (348, 366, 357, 318, 354, 262),
            (353, 240, 352, 210, 348, 182),
        ),
        _FRINGE,
    ),
    strands=(
        (paint.stroke((286, 92), (276, 132, 232, 166, 186, 184)), 70),
        (paint.stroke((270, 86), (250, 118, 206, 150, 168, 196)), 55),
        (paint.stroke((252, 84), (212, 92, 168, 130, 150, 214)), 45),
        (paint.stroke((300, 92), (334, 110, 356, 160, 364, 226)), 55),
        (paint.stroke((140, 262), (132, 306, 132, 346, 142, 380)), 45),
        (paint.stroke((372, 262), (380, 306, 380, 346, 370, 380)), 40),
    ),
    shows_ears=False,
)

_SHORT = _Cut(
    behind=paint.shape(
        (256, 66),
        (338, 62, 374, 116, 366, 206),
        (364, 240, 356, 262, 346, 276),
        (300, 300, 212, 300, 166, 276),
        (156, 262, 148, 240, 146, 206),
        (138, 116, 174, 62, 256, 66),
    ),
    front=(
        paint.shape(
            (157, 252),
            (140, 200, 138, 122, 186, 92),
            (214, 66, 292, 58, 330, 80),
            (372, 96, 376, 182, 355, 252),
            (352, 226, 350, 204, 338, 178),
            (330, 160, 312, 150, 290, 146),
            (256, 154, 216, 150, 190, 136),
            (186, 160, 164, 194, 157, 252),
        ),
    ),
    strands=(
        (paint.stroke((200, 124), (226, 104, 276, 96, 322, 112)), 60),
        (paint.stroke((208, 104), (240, 84, 288, 78, 326, 94)), 45),
        (paint.stroke((176, 150), (168, 172, 162, 196, 160, 216)), 45),
        (paint.stroke((336, 140), (350, 164, 354, 192, 354, 214)), 40),
    ),
    shows_ears=True,
)

CUTS: dict[HairStyle, _Cut] = {"bob": _BOB, "short": _SHORT}


class Hair:
    """One head of hair."""

    def __init__(self, palette: Palette, style: HairStyle) -> None:
        self._cut = CUTS[style]
        self._behind = paint.fill_with(
            paint.along(
                (0, 110),
                (0, 400),
                ((0.0, palette.hair_dark, 255), (1.0, palette.hair_behind, 255)),
            )
        )
        self._front = paint.fill_with(
            paint.along(
                (150, 60), (390, 400), ((0.0, palette.hair, 255), (1.0, palette.hair_dark, 255))
            )
        )
        self._shadow = paint.fill(palette.skin_line, 62)
        self._sheen = paint.fill_with(paint.glow((0, 0), _SHEEN_RADIUS, palette.hair_light, 120))
        self._strands = tuple(
            (path, paint.line(palette.hair_light, 2.8, opacity))
            for path, opacity in self._cut.strands
        )

    @property
    def shows_ears(self) -> bool:
        return self._cut.shows_ears

    def draw_behind(self, canvas: Canvas) -> None:
        """Draw what the head hides."""
        canvas.drawPath(self._cut.behind, self._behind)

    def draw_shadow(self, canvas: Canvas) -> None:
        """Draw the shade that the hair throws on the forehead and cheeks."""
        for outline in self._cut.front:
            canvas.drawPath(outline, self._shadow)

    def draw_front(self, canvas: Canvas, *, turn_x: float) -> None:
        """Draw what falls over the face; the sheen wanders as the head turns."""
        for outline in self._cut.front:
            canvas.drawPath(outline, self._front)
        with paint.moved(canvas, 214 + turn_x * 0.6, 128, clip=self._cut.front[-1]):
            canvas.rotate(_SHEEN_TILT_DEGREES)
            canvas.scale(1.0, _SHEEN_FLATTENED)
            canvas.drawCircle(0, 0, _SHEEN_RADIUS, self._sheen)
        for path, pen in self._strands:
            canvas.drawPath(path, pen)
