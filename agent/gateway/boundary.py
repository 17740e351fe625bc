"""Asks policy before anything recorded is shown, and keeps the answers in the owner's stream."""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Final

from typing_extensions import override

from agent.gateway.house_port import GatewayHouse
from agent.gateway.subject import Subject
from policy.consent import Consents, fold
from policy.gate import Gate
from policy.ports import Recorder
from policy.requests import Action, DataClass, Request, Situation
from trail.clock import SystemClock
from trail.envelope import Entry, Fact, PrivacyClass
from trail.ids import EventId, ParticipantId, PersonId, StreamName, person_stream
from trail.ports import SessionRow, TrailReader, TrailWriter

OPERATOR: Final = ParticipantId("operator")
_PAGE: Final = 500
_REMEMBERED_AT_MOST: Final = 1_000


class Notebook(Recorder):
    """Notes facts for one stream and appends them when flushed; belongs to one request."""

    def __init__(self, store: TrailWriter, stream: StreamName) -> None:
        self._store = store
        self._stream = stream
        self._entries: list[Entry] = []

    @override
    def note(
        self,
        fact: Fact,
        *,
        privacy_class: PrivacyClass = PrivacyClass.OPERATIONAL,
        participant_id: ParticipantId | None = None,
    ) -> EventId:
        entry = Entry(fact=fact, privacy_class=privacy_class, participant_id=participant_id)
        self._entries.append(entry)
        return entry.event_id

    @override
    async def flush(self) -> None:
        if self._entries:
            await self._store.append(self._stream, self._entries, expected=None)
            self._entries.clear()


class ConsentsByPerson:
    """What people consent to by the newest facts; only what is new is read."""

    def __init__(self, store: TrailReader) -> None:
        self._store = store
        self._known: OrderedDict[PersonId, tuple[int, Consents]] = OrderedDict()

    async def of(self, people: frozenset[PersonId]) -> Mapping[PersonId, Consents]:
        """Return the present consents of ``people``."""
        return {person: await self._of(person) for person in people}

    async def _of(self, person: PersonId) -> Consents:
        position, consents = self._known.get(person, (0, Consents(person=person)))
        stream = person_stream(person)
        while page := await self._store.read(stream, after=position, limit=_PAGE):
            for envelope in page:
                consents = fold(consents, envelope.fact)
            position = page[-1].position
        self._known[person] = (position, consents)
        self._known.move_to_end(person)
        while len(self._known) > _REMEMBERED_AT_MOST:
            self._known.popitem(last=False)
        return consents


async def require_reading(
    house: GatewayHouse,
    consents: ConsentsByPerson,
    *,
    subject: Subject,
    row: SessionRow,
    data_class: DataClass,
) -> None:
    """Return once it is permitted and written down that ``subject`` reads from this session.

    Raises:
        PolicyDenied: it is not; that is written down too.
    """
    reader = ParticipantId(subject.person_id) if subject.person_id else OPERATOR
    audience = frozenset(ParticipantId(person) for person in row.people)
    asked = Request(
        action=Action.AUDIT,
        subject=reader,
        owner=row.owner,
        data_class=data_class,
        privacy_class=PrivacyClass.PERSONAL,
        purpose="reading",
        situation=Situation(
            session_id=row.session_id,
            character_id=row.character_id,
            audience=audience,
            channel="page",
            profile=house.profile,
        ),
        resource_id=row.session_id,
        scopes=frozenset(str(scope) for scope in subject.scopes),
    )
    known = await consents.of(frozenset({PersonId(one) for one in audience}))
    gate = Gate(
        house.rules,
        Notebook(house.store, person_stream(row.owner)),
        clock=SystemClock(),
        consents=lambda person: known.get(person, Consents(person=person)),
    )
    await gate.require(asked)
