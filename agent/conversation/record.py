"""Writes the facts of one session, each under its turn, speaker, time and cause."""

from collections.abc import Callable, Sequence

from trail.clock import Clock
from trail.content import Content
from trail.envelope import Fact, PrivacyClass
from trail.ids import EventId, ParticipantId, TurnId
from trail.journal import Journal


class Record:
    """Remembers which event opened which turn, so that consequences name their causes."""

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        *,
        noted: Callable[[Fact, float, Sequence[Content]], None],
    ) -> None:
        """Write into ``journal``.

        Args:
            journal: The session's journal.
            clock: Gives session time.
            noted: Told every fact with its session time and words, once it is noted.
        """
        self._journal = journal
        self._clock = clock
        self._noted = noted
        self._opened_by: EventId | None = None
        self._turn_events: dict[TurnId, EventId] = {}

    def operational(self, fact: Fact, *, participant_id: ParticipantId | None = None) -> EventId:
        """Note something about the session itself."""
        at_s = self._clock.session_s()
        event = self._journal.note(
            fact,
            at_s=at_s,
            participant_id=participant_id,
            correlation_id=self._opened_by,
            causation_id=self._opened_by,
        )
        self._noted(fact, at_s, ())
        return event

    def opened(self, fact: Fact, *, contents: Sequence[Content] = ()) -> EventId:
        """Note the fact that opened or resumed the session; later ones hang on it."""
        self._opened_by = self._journal.note(fact, at_s=self._clock.session_s(), contents=contents)
        self._journal.origin = self._opened_by
        return self._opened_by

    def of_turn(
        self,
        fact: Fact,
        turn: TurnId,
        *,
        participant_id: ParticipantId | None,
        because_of: TurnId | None = None,
        at_s: float | None = None,
        contents: Sequence[Content] = (),
    ) -> EventId:
        """Note something about a turn, caused by the latest fact of ``because_of`` or itself."""
        cause = self._turn_events.get(turn)
        if cause is None and because_of is not None:
            cause = self._turn_events.get(because_of)
        at_s = self._clock.session_s() if at_s is None else at_s
        event = self._journal.note(
            fact,
            privacy_class=PrivacyClass.PERSONAL,
            at_s=at_s,
            participant_id=participant_id,
            turn_id=turn,
            correlation_id=self._opened_by,
            causation_id=cause or self._opened_by,
            contents=contents,
        )
        self._turn_events[turn] = event
        self._noted(fact, at_s, contents)
        return event
