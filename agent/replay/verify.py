"""Is a recorded session whole, and does today's logic still reach its outcomes? Pure.

Checked are the chain of digests and positions, that causes exist before their consequences, and
that every end of a segment follows from what the voice and the audio sink had reported.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agent.replay.deliveries import Deliveries
from agent.speech.phases import LOGIC_VERSION
from agent.speech.turns import turns_of
from trail.chain import verify as verify_chain
from trail.envelope import Envelope, Fact
from trail.errors import TrailCorrupt
from trail.events.delivery import SegmentFinished
from trail.events.session import SessionOpened
from trail.ids import ContentId, EventId


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What was checked and found in order."""

    facts: int
    deliveries: int
    """Ends of segments that were recomputed and agree."""
    erased: int
    """Ends that could not be recomputed, because the words are gone. Not a fault."""
    other_logic: int | None
    """Logic version of the session if it is not ours: then only chain and causes were checked."""
    causes_elsewhere: tuple[EventId, ...]
    """Causes that are not in this stream; they should be in a person's or the house's."""


def verify_session(envelopes: Iterable[Envelope[Fact]], texts: Mapping[ContentId, str]) -> Verified:
    """Check a whole session.

    Args:
        envelopes: Its stream from the first position on.
        texts: The words that still exist.

    Raises:
        TrailCorrupt: the chain is broken or a cause comes after its consequence.
        ReplayDivergence: the recorded facts lead to another outcome.
    """
    recorded = tuple(envelopes)
    verify_chain(recorded)
    elsewhere = _causes_elsewhere(recorded)
    logic = next(
        (e.fact.logic_version for e in recorded if isinstance(e.fact, SessionOpened)), None
    )
    if logic is not None and logic != LOGIC_VERSION:
        return Verified(
            facts=len(recorded),
            deliveries=0,
            erased=0,
            other_logic=logic,
            causes_elsewhere=elsewhere,
        )
    again = Deliveries(turns_of(recorded), texts)
    for envelope in recorded:
        again.feed(envelope)
    ends = sum(isinstance(envelope.fact, SegmentFinished) for envelope in recorded)
    return Verified(
        facts=len(recorded),
        deliveries=ends - again.erased,
        erased=again.erased,
        other_logic=None,
        causes_elsewhere=elsewhere,
    )


def _causes_elsewhere(recorded: Sequence[Envelope[Fact]]) -> tuple[EventId, ...]:
    here = {envelope.event_id for envelope in recorded}
    seen: set[EventId] = set()
    elsewhere: dict[EventId, None] = {}
    for envelope in recorded:
        for cause in (envelope.causation_id, envelope.correlation_id):
            if cause is None or cause in seen or cause == envelope.event_id:
                continue
            if cause in here:
                raise TrailCorrupt(
                    f"{envelope.stream} at {envelope.position}: its cause {cause} comes later"
                )
            elsewhere[cause] = None
        seen.add(envelope.event_id)
    return tuple(elsewhere)
