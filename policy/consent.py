"""Consent facts, folded into what a person consents to at present (pure)."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from trail.envelope import Envelope, Fact
from trail.events.policy import ConsentGiven, ConsentWithdrawn, Purpose
from trail.ids import PersonId


@dataclass(frozen=True, slots=True, kw_only=True)
class Consents:
    """What one person consents to."""

    person: PersonId
    until: Mapping[Purpose, datetime | None] = field(default_factory=dict[Purpose, datetime | None])
    """End of each consent, UTC; None until withdrawn."""
    digest: str = field(init=False)
    """SHA-256 in hex; the same for the same person, purposes and ends."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "until", MappingProxyType(dict(self.until)))
        object.__setattr__(self, "digest", _digest(self.person, self.until))

    @property
    def purposes(self) -> frozenset[Purpose]:
        """Everything consented to, ends not regarded; see `at`."""
        return frozenset(self.until)

    def permits(self, purpose: Purpose, now: datetime) -> bool:
        """Tell whether the person consents to ``purpose`` at ``now``; the end is outside."""
        return purpose in self.until and _lasts(self.until[purpose], now)

    def at(self, now: datetime) -> "Consents":
        """Return the consents that have not ended by ``now``."""
        if all(_lasts(end, now) for end in self.until.values()):
            return self
        lasting = {purpose: end for purpose, end in self.until.items() if _lasts(end, now)}
        return Consents(person=self.person, until=lasting)


def fold(consents: Consents, fact: Fact) -> Consents:
    """Return the consents after ``fact``, the next in the person's stream.

    A later consent to the same purpose replaces the earlier one and its end. Facts of other kinds,
    and about other people, change nothing.
    """
    match fact:
        case ConsentGiven(person=consents.person, purpose=purpose, until=until):
            return Consents(person=consents.person, until={**consents.until, purpose: until})
        case ConsentWithdrawn(person=consents.person, purpose=purpose):
            kept = {other: end for other, end in consents.until.items() if other is not purpose}
            return Consents(person=consents.person, until=kept)
        case _:
            return consents


def consents_of(person: PersonId, envelopes: Iterable[Envelope[Fact]]) -> Consents:
    """Return what the facts of ``person``'s stream, in whatever order they come, amount to."""
    consents = Consents(person=person)
    for envelope in sorted(envelopes, key=lambda envelope: envelope.position):
        consents = fold(consents, envelope.fact)
    return consents


def _lasts(end: datetime | None, now: datetime) -> bool:
    return end is None or now < end


def _digest(person: PersonId, until: Mapping[Purpose, datetime | None]) -> str:
    ends = {str(purpose): end and end.isoformat() for purpose, end in until.items()}
    return hashlib.sha256(json.dumps([person, ends], sort_keys=True).encode()).hexdigest()
