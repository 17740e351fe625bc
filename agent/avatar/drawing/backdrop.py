"""Behind the head: a soft background and the halo that shows the attitude.

Large gradients are most of what a frame costs, so the halo is drawn once at twelve strengths
and a frame only copies one of them.
"""

import numpy as np

from agent.avatar.drawing import paint
from agent.avatar.drawing.paint import Canvas, Pixels
from agent.avatar.palette import Palette

HALO_STEPS = 12
"""A step is 8 of 255 levels at the brightest: not seen while it changes."""
_MIDDLE = (256.0, 228.0)
_HALO_RADIUS = 238.0
_HALO_OPACITY = 88
_SPOTS = ((66, 92, 64, 30), (452, 138, 88, 26), (424, 402, 110, 20), (58, 388, 96, 20))
"""Blurred lights out of focus: x, y, radius, opacity."""


class Backdrop:
    """The background at every strength of the halo."""

    def __init__(self, palette: Palette, size_px: int) -> None:
        self._levels: list[Pixels] = []
        for step in range(HALO_STEPS):
            pixels = np.zeros((size_px, size_px, 4), np.uint8)
            surface = paint.surface_over(pixels)
            canvas = surface.getCanvas()
            canvas.scale(size_px / 512, size_px / 512)
            _background(canvas, palette)
            _halo(canvas, palette, step / (HALO_STEPS - 1))
            self._levels.append(pixels)

    def copy_to(self, pixels: Pixels, halo: float) -> None:
        """Overwrite ``pixels`` with the background at strength ``halo`` (0..1)."""
        np.copyto(pixels, self._levels[round(halo * (HALO_STEPS - 1))])


def _background(canvas: Canvas, palette: Palette) -> None:
    canvas.drawPaint(
        paint.fill_with(
            paint.along(
                (0, 0),
                (512, 512),
                ((0.0, palette.background, 255), (1.0, palette.background_dark, 255)),
            )
        )
    )
    canvas.drawPaint(paint.fill_with(paint.glow((256, 205), 310, palette.background_light, 205)))
    for x, y, radius, opacity in _SPOTS:
        spot = paint.around(
            (x, y),
            radius,
            (
                (0.0, palette.halo, opacity),
                (0.8, palette.halo, opacity // 2),
                (1.0, palette.halo, 0),
            ),
        )
        canvas.drawCircle(x, y, radius, paint.fill_with(spot))
    dark = palette.background_dark
    canvas.drawPaint(
        paint.fill_with(
            paint.around((256, 256), 372, ((0.0, dark, 0), (0.62, dark, 0), (1.0, dark, 170)))
        )
    )


def _halo(canvas: Canvas, palette: Palette, strength: float) -> None:
    opacity = round(_HALO_OPACITY * strength)
    ring = paint.around(
        _MIDDLE,
        _HALO_RADIUS,
        ((0.55, palette.halo, 0), (0.78, palette.halo, opacity), (1.0, palette.halo, 0)),
    )
    canvas.drawCircle(*_MIDDLE, _HALO_RADIUS, paint.fill_with(ring))
