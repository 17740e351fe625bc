"""Where pictures are made: one worker thread that moves the rig, draws, and hands frames over.

The event loop passes numbers in and gets one boolean back. Skia and the video source release
the interpreter lock while they work, so drawing does not hold up the loop.
"""

import asyncio
import concurrent.futures
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from agent.avatar.attitude import Affect, Attitude
from agent.avatar.mouth import MouthPose
from agent.avatar.rig import FaceState, Rig

Pixels = npt.NDArray[np.uint8]
"""(height, width, 4): red, green, blue, opacity."""

_CLOSING_S = 2.0
"""A frame in the making gets this long to finish before its target is taken away."""


class Drawing(Protocol):
    """Makes a picture of a face."""

    def draw(self, face: FaceState) -> Pixels:
        """Return the picture; it may be overwritten by the next one."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What one frame is to show."""

    dt_s: float
    """Since the frame before."""
    mouths: Sequence[MouthPose]
    """Asked for since the frame before, in order."""
    attitude: Attitude
    affect: Affect
    interrupted: bool
    """Speech was cut since the frame before."""


class Easel:
    """The drawing thread of one face."""

    def __init__(
        self,
        make_drawing: Callable[[], Drawing],
        rig: Rig,
        show: Callable[[Pixels], None],
    ) -> None:
        """Set up the easel; the drawing itself is made by the thread.

        Args:
            make_drawing: Called once in the thread; takes a tenth of a second.
            rig: Touched by the thread only.
            show: Called in the thread with each picture, which it must copy or finish with.
        """
        self._make_drawing = make_drawing
        self._rig = rig
        self._show = show
        self._drawing: Drawing | None = None
        self._thread = concurrent.futures.ThreadPoolExecutor(1, "face")

    async def paint(self, moment: Moment) -> bool:
        """Draw and show one frame; return True when the mouth has come to rest."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._paint, moment)

    async def aclose(self) -> None:
        """Wait a moment for the frame in the making, then let go of the thread."""
        self._thread.shutdown(wait=False)
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(_CLOSING_S):
                await loop.run_in_executor(None, self._thread.shutdown)
        except TimeoutError:
            return

    def _paint(self, moment: Moment) -> bool:
        if self._drawing is None:
            self._drawing = self._make_drawing()
        if moment.interrupted:
            self._rig.interrupt()
        face = self._rig.step(
            moment.dt_s, moment.mouths, attitude=moment.attitude, affect=moment.affect
        )
        self._show(self._drawing.draw(face))
        return self._rig.mouth_is_still
