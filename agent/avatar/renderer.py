"""A face on a square of pixels: the parts, drawn back to front.

Depth is parallax: turning the head moves near parts (nose, mouth) further than far ones (the
hair behind), around a pivot in the neck.
"""

import math
from collections.abc import Generator
from contextlib import contextmanager

import numpy as np

from agent.avatar.drawing import paint
from agent.avatar.drawing.backdrop import Backdrop
from agent.avatar.drawing.body import Body
from agent.avatar.drawing.eyes import Eyes
from agent.avatar.drawing.hair import Hair
from agent.avatar.drawing.head import Head, face_outline
from agent.avatar.drawing.lips import Lips
from agent.avatar.drawing.paint import Pixels
from agent.avatar.palette import Palette
from agent.avatar.rig import FaceState
from config.look import Look

DRAWN_SIZE = 512.0
"""The unit of every length in the parts: the picture is drawn for 512 px and scaled."""
_TURN_PX = 24.0
"""How far a part at depth 1 moves when the head is turned all the way."""
_PIVOT = (256.0, 372.0)
_BREATH_PX = 1.1

_BEHIND = -0.55
_EARS = -0.15
_SKIN = 0.12
_FRINGE = 0.35
_FEATURES = 1.0


class Renderer:
    """Draws one look at one size. Not thread-safe: one renderer, one thread at a time."""

    def __init__(self, look: Look, size_px: int) -> None:
        palette = Palette(look)
        self._pixels: Pixels = np.zeros((size_px, size_px, 4), np.uint8)
        self._surface = paint.surface_over(self._pixels)
        self._scale = size_px / DRAWN_SIZE
        self._backdrop = Backdrop(palette, size_px)
        self._hair = Hair(palette, look.hair_style)
        self._body = Body(palette)
        self._head = Head(palette)
        self._eyes = Eyes(palette)
        self._lips = Lips(palette)

    def draw(self, face: FaceState) -> Pixels:
        """Return the picture of ``face``; the same array each time, overwritten by the next."""
        self._backdrop.copy_to(self._pixels, face.halo)
        canvas = self._surface.getCanvas()
        turn_x, nod_y = face.yaw * _TURN_PX, face.pitch * _TURN_PX
        with paint.moved(canvas):
            canvas.scale(self._scale, self._scale)
            with self._at_depth(face, _BEHIND):
                self._hair.draw_behind(canvas)
            self._body.draw(canvas, turn_x=turn_x, nod_y=nod_y, breath=face.breath)
            if self._hair.shows_ears:
                with self._at_depth(face, _EARS):
                    self._head.draw_ears(canvas)
            with self._at_depth(face, _SKIN):
                outline = face_outline(face.mouth.open)
                self._head.draw_face(canvas, outline)
                with paint.moved(canvas, 2 + 0.35 * turn_x, 8 + 0.3 * nod_y, clip=outline):
                    self._hair.draw_shadow(canvas)
            with self._at_depth(face, _FEATURES):
                self._head.draw_cheeks(canvas, blush=face.blush, smile=face.smile)
                self._head.draw_nose(canvas, turn_x=turn_x)
                self._lips.draw(canvas, face)
                self._eyes.draw(canvas, face)
            with self._at_depth(face, _FRINGE):
                self._hair.draw_front(canvas, turn_x=turn_x)
        return self._pixels

    @contextmanager
    def _at_depth(self, face: FaceState, depth: float) -> Generator[None]:
        canvas = self._surface.getCanvas()
        x = _PIVOT[0] + face.yaw * _TURN_PX * depth
        y = _PIVOT[1] + face.pitch * _TURN_PX * depth + face.bob + face.breath * _BREATH_PX
        with paint.moved(canvas, x, y):
            canvas.rotate(math.degrees(face.roll))
            canvas.translate(-_PIVOT[0], -_PIVOT[1])
            yield
