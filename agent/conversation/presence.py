"""Who is in the room: a pure value that joins and departures move forward."""

from dataclasses import dataclass, replace

from trail.ids import ParticipantId


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """The people of a room, the avatar not counted."""

    people: tuple[ParticipantId, ...] = ()
    """In order of arrival."""
    empty_since_s: float | None = 0.0
    """Session time since which nobody is here; None while somebody is."""
    left_by_choice: bool = False
    """Whether the last to go pressed Leave."""

    def joined(self, person: ParticipantId) -> "Presence":
        """Return the room with ``person`` in it; joining twice changes nothing."""
        if person in self.people:
            return self
        return Presence(people=(*self.people, person), empty_since_s=None)

    def departed(self, person: ParticipantId, *, at_s: float, by_choice: bool) -> "Presence":
        """Return the room without ``person``."""
        people = tuple(other for other in self.people if other != person)
        if people or not self.people:
            return replace(self, people=people)
        return Presence(people=(), empty_since_s=at_s, left_by_choice=by_choice)

    def is_over(self, *, at_s: float, return_s: float) -> bool:
        """Tell whether nobody is left to wait for.

        Args:
            at_s: Session time, seconds.
            return_s: How long a person who vanished may take to come back, seconds.
        """
        if self.empty_since_s is None:
            return False
        return self.left_by_choice or at_s - self.empty_since_s >= return_s
