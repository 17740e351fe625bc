"""``earwitness replay``: a recorded session, printed as it was heard, exported or verified."""

import asyncio
import json
import sys
from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Final

import typer

from agent.cli.endings import FOUND_A_FAULT, asked_wrongly, told
from agent.cli.options import Config, DataDir, settings_of
from agent.replay.excerpt import between, seconds, turns_between
from agent.replay.lines import to_lines
from agent.replay.recorded import LATEST, Recorded, find_session, missing_causes, read_session
from agent.replay.text import as_text
from agent.replay.transcript import transcript
from agent.replay.verify import Verified, verify_session
from agent.wiring.store import is_new, open_trail
from config.settings import Settings
from trail.errors import ReplayDivergence, TrailCorrupt
from trail.ids import EventId

NOTHING_YET: Final = "no session has been recorded yet"


class Form(StrEnum):
    """How a session is printed."""

    TEXT = "text"
    JSON = "json"
    """The transcript in the shape of the API."""
    JSONL = "jsonl"
    """Every fact, one on a line."""


def replay_command(
    session: Annotated[str, typer.Argument(help="Id of a session, name of its room, or 'latest'.")],
    *,
    verify: Annotated[
        bool, typer.Option("--verify", help="Check digests, causes and recomputed outcomes.")
    ] = False,
    form: Annotated[Form, typer.Option("--as", help="What to print.")] = Form.TEXT,
    everything: Annotated[
        bool, typer.Option("--all", help="Also replies that were taken back unheard.")
    ] = False,
    from_: Annotated[
        str | None,
        typer.Option("--from", metavar="TIME", help="Session time: seconds, or m:ss."),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="TIME", help="Session time: seconds, or m:ss."),
    ] = None,
    config: Config = None,
    data_dir: DataDir = None,
) -> None:
    """Print a session as it was heard, export it, or verify that it is whole."""
    start_s, end_s = _time("--from", from_), _time("--to", to)
    recorded, causes_missing = asyncio.run(
        _read(settings_of(config=config, data_dir=data_dir), session, check_causes=verify)
    )
    if verify:
        _verify(recorded, causes_missing)
        if form is Form.TEXT and from_ is None and to is None:
            return
    for line in _lines(recorded, form, everything=everything, from_s=start_s, to_s=end_s):
        print(line)


async def _read(
    settings: Settings, asked: str, *, check_causes: bool
) -> tuple[Recorded, frozenset[EventId]]:
    if is_new(settings):
        raise asked_wrongly(NOTHING_YET)
    async with open_trail(settings, source="replay") as store:
        row = await find_session(store, asked)
        if row is None:
            raise asked_wrongly(
                NOTHING_YET
                if asked == LATEST
                else f"no session has the id or the room {asked!r}; "
                "'earwitness sessions list' names them"
            )
        recorded = await read_session(store, row)
        if not check_causes:
            return recorded, frozenset()
        causes = tuple(
            cause
            for envelope in recorded.envelopes
            for cause in (envelope.causation_id, envelope.correlation_id)
            if cause is not None
        )
        own = {envelope.event_id for envelope in recorded.envelopes}
        elsewhere = tuple(cause for cause in causes if cause not in own)
        return recorded, await missing_causes(store, elsewhere, row.people)


def _verify(recorded: Recorded, causes_missing: frozenset[EventId]) -> None:
    try:
        verified = verify_session(recorded.envelopes, recorded.texts)
    except (TrailCorrupt, ReplayDivergence) as error:
        told(f"session {recorded.row.session_id} does not verify: {error}")
        raise typer.Exit(FOUND_A_FAULT) from None
    if causes_missing:
        told(f"{len(causes_missing)} recorded causes exist nowhere: {sorted(causes_missing)}")
        raise typer.Exit(FOUND_A_FAULT)
    for line in _report(verified):
        told(line)


def _report(verified: Verified) -> Iterator[str]:
    yield f"{verified.facts} facts: digests, positions and causes are in order"
    if verified.other_logic is not None:
        yield f"other logic version ({verified.other_logic}): chain and causes only"
        return
    yield f"{verified.deliveries} deliveries recomputed, all agree"
    if verified.erased:
        yield f"{verified.erased} deliveries could not be recomputed: their words are erased"


def _lines(
    recorded: Recorded,
    form: Form,
    *,
    everything: bool,
    from_s: float | None,
    to_s: float | None,
) -> Iterator[str]:
    if form is Form.JSONL:
        yield from to_lines(between(recorded.envelopes, from_s=from_s, to_s=to_s))
        return
    read = transcript(recorded.envelopes, recorded.texts, perceiver=None, everything=everything)
    read = turns_between(read, from_s=from_s, to_s=to_s)
    if form is Form.JSON:
        yield json.dumps(read.to_json(), ensure_ascii=False, indent=2)
    else:
        yield from as_text(read, names=recorded.names, coloured=sys.stdout.isatty())


def _time(option: str, given: str | None) -> float | None:
    if given is None:
        return None
    try:
        return seconds(given)
    except ValueError:
        raise asked_wrongly(f"{option} {given!r} is no time; try 90 or 1:30") from None
