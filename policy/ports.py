"""Where the boundary writes down what it decided."""

from typing import Protocol

from trail.envelope import Fact, PrivacyClass
from trail.ids import EventId, ParticipantId


class Recorder(Protocol):
    """Takes facts into one stream of the trail, in order."""

    def note(
        self,
        fact: Fact,
        *,
        privacy_class: PrivacyClass = ...,
        participant_id: ParticipantId | None = None,
    ) -> EventId:
        """Queue ``fact`` before everything noted later. Never waits."""
        ...

    async def flush(self) -> None:
        """Return once everything noted so far is durable.

        Raises:
            DependencyUnavailable: the trail did not take it.
        """
        ...
