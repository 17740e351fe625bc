"""What becomes of segments whose worker died: nobody can tell what was heard of them. Pure."""

from agent.speech.turns import Turns
from trail.events.delivery import CutBy, DeliveryState, Evidence, How, SegmentFinished


def abandoned(turns: Turns) -> tuple[SegmentFinished, ...]:
    """Return the ends to record, before anything else, when a session is taken over.

    A segment without a recorded first sound is unknown too: the fact of it may have been lost
    with the worker.
    """
    return tuple(
        SegmentFinished(
            segment=it.segment,
            turn=it.turn,
            state=DeliveryState.UNKNOWN,
            how=How.VANISHED,
            evidence=Evidence.UNKNOWN,
            heard_s=0.0,
            of_s=0.0,
            heard_chars=0,
            cut_by=CutBy.NOTHING,
            error_s=0.0,
        )
        for it in turns.segments.values()
        if it.state is DeliveryState.PENDING
    )
