"""Which conversation reads in which slot of the model server.

Up to as many conversations as there are slots, each has one of its own and finds there what the
server has read for it. When there are more, nobody names a slot: the server then gives the slot
that was idle longest and restores from memory what the conversation had read.
"""

import threading
import weakref

SLOTS = 2


class Seats:
    """The slots of one model server. One object per process; thread-safe.

    A conversation that is no longer referenced gives up its seat by itself.
    """

    def __init__(self, slots: int = SLOTS) -> None:
        self._slots = slots
        self._taken: weakref.WeakSet[Seat] = weakref.WeakSet()
        self._lock = threading.Lock()

    def take(self) -> "Seat":
        """Return a place for a new conversation."""
        with self._lock:
            seat = Seat(self)
            self._taken.add(seat)
            return seat

    def slot_of(self, seat: "Seat") -> int | None:
        """Return the slot that ``seat`` has for itself, None while there are too few."""
        with self._lock:
            others = [other for other in self._taken if other is not seat]
            if len(others) >= self._slots:
                for each in (seat, *others):
                    each.slot = None
                return None
            used = {other.slot for other in others}
            if seat.slot is None or seat.slot in used:
                seat.slot = next(n for n in range(self._slots) if n not in used)
                seat.at_home = False
            return seat.slot

    def leave(self, seat: "Seat") -> None:
        """Free the place; what the slot holds stays until somebody else reads there."""
        with self._lock:
            self._taken.discard(seat)
            seat.slot = None


class Seat:
    """One conversation's place."""

    def __init__(self, seats: Seats) -> None:
        self._seats = seats
        self.slot: int | None = None
        self.at_home = False
        """Whether all that the slot holds was read for this conversation."""

    def is_own(self) -> bool:
        """Return whether this conversation has a slot for itself."""
        return self._seats.slot_of(self) is not None

    def request_fields(self, reused_tokens: int) -> dict[str, int | bool]:
        """Return what the next request says about its slot and the prompt's cache.

        Stretches of the cache are moved only where no other conversation's words could be in them.
        """
        slot = self._seats.slot_of(self)
        if slot is None:
            self.at_home = False
            return {"cache_prompt": True}
        fields: dict[str, int | bool] = {"cache_prompt": True, "id_slot": slot}
        if self.at_home:
            fields["n_cache_reuse"] = reused_tokens
        self.at_home = True
        return fields

    def leave(self) -> None:
        """Give the place up."""
        self._seats.leave(self)
