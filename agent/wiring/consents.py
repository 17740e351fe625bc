"""What people consent to, kept current from their streams while a session runs."""

import asyncio

from policy.consent import Consents, fold
from trail.ids import PersonId, person_stream
from trail.ports import TrailReader

LOOK_EVERY_S = 0.5
"""A page's order is in force before the next prompt, which is rarely sooner than this."""


class ConsentBoard:
    """Folds person streams; asks the store again and again, answers at once."""

    def __init__(self, trail: TrailReader) -> None:
        self._trail = trail
        self._known: dict[PersonId, Consents] = {}
        self._read: dict[PersonId, int] = {}

    def of(self, person: PersonId) -> Consents:
        """Return what ``person`` consents to as far as it is known; nothing for strangers."""
        return self._known.get(person) or Consents(person=person)

    async def follow(self, person: PersonId) -> None:
        """Read what there is of ``person`` and keep reading in `run`."""
        self._read.setdefault(person, 0)
        await self._catch_up(person)

    async def run(self) -> None:
        """Keep everybody current until cancelled."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            for person in list(self._read):
                await self._catch_up(person)

    async def _catch_up(self, person: PersonId) -> None:
        while page := await self._trail.read(person_stream(person), after=self._read[person]):
            for envelope in page:
                self._known[person] = fold(self.of(person), envelope.fact)
            self._read[person] = page[-1].position
