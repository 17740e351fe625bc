"""The writer of one stream: callers note facts and go on; commits are grouped.

Whatever is noted while a commit runs goes into the next one, so a slow disk makes batches larger
and callers no slower. A store that does not answer is asked again for a while; asking again is
safe, because an append of what is already recorded changes nothing.
"""

import asyncio
from collections.abc import Sequence
from typing import Final

import structlog

from trail.clock import Clock
from trail.codec import encode
from trail.content import Content
from trail.envelope import Entry, Fact, PrivacyClass
from trail.errors import DependencyUnavailable, EarwitnessError
from trail.ids import EventId, ParticipantId, SessionId, StreamName, TurnId
from trail.ports import TrailWriter

BATCH_AT_MOST: Final = 500
DRAIN_S: Final = 2.0
"""How long the last facts may take to become durable once the journal is told to stop."""
PAUSES_S: Final = (0.1, 0.3, 1.0, 2.0, 3.0, 4.0)
"""Pauses between attempts at a store that does not answer; then the journal fails."""

log = structlog.get_logger()


class Journal:
    """Appends to ``stream`` in the order of noting; belongs to one event loop."""

    def __init__(
        self,
        store: TrailWriter,
        stream: StreamName,
        *,
        clock: Clock,
        head: int | None,
        session_id: SessionId | None = None,
        capacity: int = 10_000,
    ) -> None:
        """Open a journal.

        Args:
            store: Where facts become durable.
            stream: Which stream.
            clock: Dates the facts; gives session time if ``session_id`` is set.
            head: Last position of the stream, of which this is the only writer; None for a
                stream with many writers.
            session_id: Stamped on every fact.
            capacity: How many facts may wait to become durable.
        """
        self._store = store
        self._stream = stream
        self._clock = clock
        self._head = head
        self._session_id = session_id
        self._capacity = capacity
        self.origin: EventId | None = None
        """Given as first cause, and as direct one, to facts that name none."""
        self._waiting: list[Entry] = []
        self._under_way: list[Entry] = []
        """First of those waiting, and maybe durable: a commit of them was begun and cut off."""
        self._noted = 0
        self._durable = 0
        self._failure: EarwitnessError | None = None
        self._news = asyncio.Event()
        self._writing = asyncio.Lock()

    @property
    def head(self) -> int | None:
        """Last durable position of a stream of which this is the only writer."""
        return self._head

    def note(
        self,
        fact: Fact,
        *,
        privacy_class: PrivacyClass = PrivacyClass.OPERATIONAL,
        at_s: float | None = None,
        participant_id: ParticipantId | None = None,
        turn_id: TurnId | None = None,
        correlation_id: EventId | None = None,
        causation_id: EventId | None = None,
        contents: Sequence[Content] = (),
    ) -> EventId:
        """Put ``fact`` in line and return its id at once; never waits.

        Args:
            fact: What happened.
            privacy_class: What retention and redaction go by.
            at_s: Session time; None takes the clock's, in a session.
            participant_id: Whom it is about.
            turn_id: The turn it belongs to.
            correlation_id: First cause of the whole.
            causation_id: Direct cause.
            contents: Words the fact refers to.

        Raises:
            ContractError: the fact is not in the catalogue.
            DependencyUnavailable: the store is so far behind that the line is full.
        """
        encode(fact)
        if len(self._waiting) >= self._capacity:
            full = DependencyUnavailable("database", f"{self._capacity} facts wait to be recorded")
            self._fail(full)
            raise full
        if at_s is None and self._session_id is not None:
            at_s = self._clock.session_s()
        entry = Entry(
            fact=fact,
            privacy_class=privacy_class,
            occurred_at=self._clock.utc(),
            at_s=at_s,
            session_id=self._session_id,
            participant_id=participant_id,
            turn_id=turn_id,
            correlation_id=correlation_id or self.origin,
            causation_id=causation_id or self.origin,
            contents=tuple(contents),
        )
        self._waiting.append(entry)
        self._noted += 1
        self._news.set()
        return entry.event_id

    async def flush(self) -> None:
        """Return when everything noted so far is durable.

        Works beside `run` and without it.

        Raises:
            PositionConflict: another writer has the stream; the lease was lost.
            DependencyUnavailable: the store did not answer, also not later.
        """
        target = self._noted
        while self._durable < target:
            await self._write_batch()

    async def run(self) -> None:
        """Write until cancelled (an essential service); then drain within `DRAIN_S`.

        Raises:
            PositionConflict: another writer has the stream; the lease was lost.
            DependencyUnavailable: the store did not answer, also not later.
        """
        try:
            while True:
                await self._news.wait()
                await self._write_batch()
        finally:
            await self._drain()

    async def _drain(self) -> None:
        try:
            async with asyncio.timeout(DRAIN_S):
                while self._waiting and self._failure is None:
                    await self._write_batch()
        except (TimeoutError, EarwitnessError) as error:
            log.warning("journal_not_drained", lost=len(self._waiting), error=type(error).__name__)

    async def _write_batch(self) -> None:
        async with self._writing:
            if self._failure is not None:
                raise self._failure
            if not self._under_way:
                self._under_way = self._waiting[:BATCH_AT_MOST]
            if self._under_way:
                await self._append(self._under_way)
                del self._waiting[: len(self._under_way)]
                self._durable += len(self._under_way)
                self._under_way = []
            if not self._waiting:
                self._news.clear()

    async def _append(self, batch: Sequence[Entry]) -> None:
        for pause_s in (*PAUSES_S, None):
            try:
                envelopes = await self._store.append(self._stream, batch, expected=self._head)
            except DependencyUnavailable as error:
                if pause_s is None:
                    self._fail(error)
                    raise
                log.warning("journal_delayed", waiting=len(self._waiting), pause_s=pause_s)
                await asyncio.sleep(pause_s)
            except EarwitnessError as error:
                self._fail(error)
                raise
            else:
                if self._head is not None:
                    self._head = envelopes[-1].position
                return

    def _fail(self, error: EarwitnessError) -> None:
        if self._failure is None:
            self._failure = error
        self._news.set()
