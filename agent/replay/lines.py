"""A session as JSON lines, one fact each: written by the export, read back by whoever keeps it."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, cast

from trail.codec import envelope_from_json, envelope_to_json
from trail.envelope import Envelope, Fact
from trail.errors import TrailCorrupt


def to_lines(envelopes: Iterable[Envelope[Fact]]) -> Iterator[str]:
    """Yield one line per fact, without its end."""
    for envelope in envelopes:
        yield json.dumps(envelope_to_json(envelope), ensure_ascii=False)


def from_lines(lines: Iterable[str]) -> Iterator[Envelope[Fact]]:
    """Yield the facts of exported lines.

    Raises:
        TrailCorrupt: a line is cut short or does not hold a fact; names the line.
    """
    for number, line in enumerate(lines, start=1):
        try:
            data = json.loads(line)
        except ValueError as error:
            raise TrailCorrupt(f"line {number} is not JSON: {error}") from error
        if not isinstance(data, dict):
            raise TrailCorrupt(f"line {number} is not an object")
        try:
            yield envelope_from_json(cast("dict[str, Any]", data))
        except TrailCorrupt as error:
            raise TrailCorrupt(f"line {number}: {error}") from error
