"""A whole stream in one list."""

from typing import Final

from trail.envelope import Envelope, Fact
from trail.ids import StreamName
from trail.ports import TrailReader

_PAGE: Final = 1_000


async def whole_stream(store: TrailReader, stream: StreamName) -> list[Envelope[Fact]]:
    """Return every envelope of ``stream``, in order."""
    found: list[Envelope[Fact]] = []
    while page := await store.read(stream, after=len(found), limit=_PAGE):
        found.extend(page)
    return found
