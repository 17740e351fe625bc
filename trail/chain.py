"""The digest chain of a stream: nothing in it can be changed, dropped or added unnoticed."""

import hashlib
from collections.abc import Iterable
from typing import Final

from trail.codec import canonical, envelope_to_json
from trail.envelope import Envelope, Fact
from trail.errors import TrailCorrupt

GENESIS: Final = "0" * 64
"""What stands before the first envelope of a stream."""


def link(previous: str, envelope: Envelope[Fact]) -> str:
    """Return the digest of ``envelope`` after ``previous``: SHA-256 in hex, its own left out."""
    data = envelope_to_json(envelope)
    del data["digest"]
    return hashlib.sha256((previous + canonical(data)).encode()).hexdigest()


def verify(envelopes: Iterable[Envelope[Fact]], *, previous: str = GENESIS) -> None:
    """Check that ``envelopes`` are one unbroken stretch of one stream.

    Args:
        envelopes: Ascending. With the default ``previous`` they start at position 1.
        previous: Digest of the envelope before the first one.

    Raises:
        TrailCorrupt: names the first position that does not fit.
    """
    last: Envelope[Fact] | None = None
    for envelope in envelopes:
        here = f"{envelope.stream} at {envelope.position}"
        if last is None:
            follows = previous != GENESIS or envelope.position == 1
        else:
            follows = envelope.stream == last.stream and envelope.position == last.position + 1
        if not follows:
            raise TrailCorrupt(f"{here}: does not follow what comes before")
        if link(previous, envelope) != envelope.digest:
            raise TrailCorrupt(f"{here}: digest does not match")
        previous, last = envelope.digest, envelope
