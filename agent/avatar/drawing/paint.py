"""Brushes: short ways to say what a shape is filled or drawn with.

Skia comes without types, so this file is where its values get names; the parts of the face use
nothing else of it but the canvas and these.
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import skia as untyped_skia

from agent.avatar.palette import Rgb

skia = cast("Any", untyped_skia)

Canvas = Any
Paint = Any
Path = Any
Shader = Any
Surface = Any
Pixels = npt.NDArray[np.uint8]
"""(height, width, 4): red, green, blue, opacity."""

Point = tuple[float, float]
Curve = tuple[float, float, float, float, float, float]
"""Two control points and the end of a cubic curve: x1, y1, x2, y2, x, y."""
Stop = tuple[float, Rgb, int]
"""Place 0..1 along a gradient, colour, opacity 0..255."""

OPAQUE = 255


def surface_over(pixels: Pixels) -> Surface:
    """Return a surface whose canvas draws straight into ``pixels``; keep both."""
    height, width, _ = pixels.shape
    info = skia.ImageInfo.Make(width, height, skia.kRGBA_8888_ColorType, skia.kPremul_AlphaType)
    return skia.Surface.MakeRasterDirect(info, pixels)


def fill(colour: Rgb, opacity: float = OPAQUE) -> Paint:
    """Return a brush that fills with one colour; opacity 0..255."""
    return skia.Paint(AntiAlias=True, Color=_colour(colour, opacity))


def fill_with(shader: Shader, opacity: float = OPAQUE) -> Paint:
    """Return a brush that fills with a gradient."""
    return skia.Paint(AntiAlias=True, Shader=shader, Alpha=_byte(opacity))


def line(colour: Rgb, width: float, opacity: float = OPAQUE) -> Paint:
    """Return a round pen."""
    return skia.Paint(
        AntiAlias=True,
        Color=_colour(colour, opacity),
        Style=skia.Paint.kStroke_Style,
        StrokeWidth=width,
        StrokeCap=skia.Paint.kRound_Cap,
        StrokeJoin=skia.Paint.kRound_Join,
    )


def along(start: Point, end: Point, stops: Sequence[Stop]) -> Shader:
    """Return a gradient from ``start`` to ``end``."""
    return skia.GradientShader.MakeLinear(
        [skia.Point(*start), skia.Point(*end)],
        [_colour(colour, opacity) for _, colour, opacity in stops],
        [place for place, _, _ in stops],
    )


def around(centre: Point, radius: float, stops: Sequence[Stop]) -> Shader:
    """Return a gradient from ``centre`` outwards."""
    return skia.GradientShader.MakeRadial(
        skia.Point(*centre),
        radius,
        [_colour(colour, opacity) for _, colour, opacity in stops],
        [place for place, _, _ in stops],
    )


def glow(centre: Point, radius: float, colour: Rgb, opacity: int) -> Shader:
    """Return a soft spot that fades to nothing at ``radius``."""
    return around(
        centre, radius, ((0.0, colour, opacity), (0.5, colour, opacity // 2), (1.0, colour, 0))
    )


def shape(start: Point, *curves: Curve) -> Path:
    """Return a closed outline of curves."""
    path = stroke(start, *curves)
    path.close()
    return path


def stroke(start: Point, *curves: Curve) -> Path:
    """Return an open line of curves."""
    path = skia.Path()
    path.moveTo(*start)
    for curve in curves:
        path.cubicTo(*curve)
    return path


def oval(canvas: Canvas, centre: Point, width: float, height: float, paint: Paint) -> None:
    """Draw an ellipse around ``centre``."""
    x, y = centre
    canvas.drawOval(skia.Rect.MakeXYWH(x - width / 2, y - height / 2, width, height), paint)


def box(canvas: Canvas, left: float, top: float, width: float, height: float, paint: Paint) -> None:
    """Draw a rectangle."""
    canvas.drawRect(skia.Rect.MakeXYWH(left, top, width, height), paint)


@contextmanager
def moved(
    canvas: Canvas, x: float = 0.0, y: float = 0.0, *, clip: Path | None = None
) -> Generator[None]:
    """Draw displaced by ``x``, ``y`` and, with ``clip``, only inside that outline."""
    canvas.save()
    if clip is not None:
        canvas.clipPath(clip, doAntiAlias=True)
    canvas.translate(x, y)
    try:
        yield
    finally:
        canvas.restore()


def _colour(colour: Rgb, opacity: float) -> int:
    return int(skia.Color(*colour, _byte(opacity)))


def _byte(opacity: float) -> int:
    return max(0, min(OPAQUE, round(opacity)))
