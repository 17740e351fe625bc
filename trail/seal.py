"""From an entry to the envelope that is recorded: numbered, dated, chained. All stores use it."""

from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime

from trail.chain import link
from trail.codec import encode, envelope_from_json, envelope_to_json
from trail.envelope import Entry, Envelope, Fact
from trail.errors import ContractError, TrailCorrupt
from trail.ids import StreamName


def seal(
    entries: Sequence[Entry],
    *,
    stream: StreamName,
    source: str,
    now: datetime,
    head: int,
    previous: str,
) -> Sequence[Envelope[Fact]]:
    """Return ``entries`` as the envelopes that follow position ``head`` of ``stream``.

    Each passes once through its JSON form, so that what is recorded is what will be read: an
    integer in a field of seconds, say, is a float on both sides and has one digest.

    Args:
        entries: In order.
        stream: Where they go.
        source: The process that records them.
        now: Time of the append, for entries that do not say when they happened.
        head: Last position of the stream; 0 if it is new.
        previous: Digest at ``head``; GENESIS if it is new.

    Raises:
        ContractError: no entry at all, a fact that is not in the catalogue or does not fit its
            declaration, or a time without a zone.
    """
    if not entries:
        raise ContractError("nothing to append")
    sealed: list[Envelope[Fact]] = []
    for position, entry in enumerate(entries, start=head + 1):
        plain = _plain(entry, stream=stream, source=source, now=now, position=position)
        envelope = replace(plain, digest=link(previous, plain))
        previous = envelope.digest
        sealed.append(envelope)
    return sealed


def _plain(
    entry: Entry, *, stream: StreamName, source: str, now: datetime, position: int
) -> Envelope[Fact]:
    occurred_at = entry.occurred_at or now
    if occurred_at.tzinfo is None:
        raise ContractError("occurred_at has no time zone")
    encoded = encode(entry.fact)
    envelope: Envelope[Fact] = Envelope(
        event_id=entry.event_id,
        event_type=encoded.event_type,
        source=source,
        occurred_at=occurred_at.astimezone(UTC),
        stream=stream,
        position=position,
        session_id=entry.session_id,
        at_s=entry.at_s,
        participant_id=entry.participant_id,
        turn_id=entry.turn_id,
        correlation_id=entry.correlation_id,
        causation_id=entry.causation_id,
        privacy_class=entry.privacy_class,
        schema_version=encoded.schema_version,
        fact=entry.fact,
        digest="",
    )
    for field in fields(envelope):
        value = getattr(envelope, field.name)
        if isinstance(value, str) and "\x00" in value:
            raise ContractError(f"{field.name} holds a NUL, which no database keeps")
    try:
        return envelope_from_json(envelope_to_json(envelope))
    except TrailCorrupt as error:
        raise ContractError(f"{encoded.event_type} does not fit its declaration") from error


def as_recorded(
    entries: Sequence[Entry], earlier: Sequence[Envelope[Fact]], *, stream: StreamName
) -> Sequence[Envelope[Fact]]:
    """Return what an append that is asked for a second time recorded the first time.

    Args:
        entries: What is asked for.
        earlier: Envelopes found under the ids of ``entries``; not empty.
        stream: Where they should be.

    Raises:
        ContractError: an id is used twice for different things.
    """
    found = sorted(earlier, key=lambda envelope: envelope.position)
    same = [envelope.event_id for envelope in found] == [entry.event_id for entry in entries]
    if not same or any(envelope.stream != stream for envelope in found):
        raise ContractError("an event id was used before")
    return found
