"""``earwitness sessions``: what has been recorded, and its deletion."""

import asyncio
import json
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from agent.cli.endings import FOUND_A_FAULT, asked_wrongly, told
from agent.cli.options import AsJson, Config, DataDir, settings_of
from agent.replay.recorded import find_session
from agent.replay.text import printable
from agent.wiring.store import is_new, open_trail
from config.settings import Settings
from trail.erase import Erased, erase_session
from trail.ids import PersonId
from trail.ports import SessionRow, Store


def sessions_app() -> typer.Typer:
    """Return the group of commands, ready to be mounted as ``sessions``."""
    app = typer.Typer(no_args_is_help=True, help="List and delete recorded sessions.")
    app.command("list")(list_command)
    app.command("delete")(delete_command)
    return app


def list_command(
    *,
    as_json: AsJson = False,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="The newest so many.")] = 50,
    config: Config = None,
    data_dir: DataDir = None,
) -> None:
    """List the recorded sessions, newest first."""
    rows = asyncio.run(_listed(settings_of(config=config, data_dir=data_dir), limit))
    if as_json:
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    if not rows:
        told("no session has been recorded yet")
    for row in rows:
        people = ", ".join(printable(name) for name in row["people"])
        state = "ended" if row["ended_at"] else "open "
        print(f"{row['session_id']}  {row['created_at'][:16]}  {state}  {row['room']}  {people}")


def delete_command(
    session: Annotated[str, typer.Argument(help="Id of a session, name of its room, or 'latest'.")],
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    config: Config = None,
    data_dir: DataDir = None,
) -> None:
    """Erase every word of a session; the chain of its facts stays and verifies."""
    asyncio.run(_deleted(settings_of(config=config, data_dir=data_dir), session, sure=yes))


async def _listed(settings: Settings, limit: int) -> list[dict[str, Any]]:
    if is_new(settings):
        return []
    async with open_trail(settings, source="sessions") as store:
        rows = await store.sessions_of(None, limit=limit)
        return [_described(row, await _names(store, row.people)) for row in rows]


async def _names(store: Store, people: Sequence[PersonId]) -> list[str]:
    known = [await store.person(person_id) for person_id in people]
    return [
        (person.name if person is not None else "") or person_id
        for person, person_id in zip(known, people, strict=True)
    ]


def _described(row: SessionRow, names: Sequence[str]) -> dict[str, Any]:
    return {
        "session_id": row.session_id,
        "room": row.room,
        "character_id": row.character_id,
        "created_at": row.created_at.isoformat(timespec="seconds"),
        "ended_at": row.ended_at.isoformat(timespec="seconds") if row.ended_at else None,
        "people": list(names),
    }


async def _deleted(settings: Settings, asked: str, *, sure: bool) -> None:
    if is_new(settings):
        raise asked_wrongly("no session has been recorded yet")
    async with open_trail(settings, source="sessions") as store:
        row = await find_session(store, asked)
        if row is None:
            raise asked_wrongly(f"no session has the id or the room {asked!r}")
        if row.ended_at is None and await store.held(f"session/{row.session_id}"):
            raise asked_wrongly(f"session {row.session_id} is going on; let it end first")
        names = ", ".join(await _names(store, row.people))
        if not sure:
            typer.confirm(
                f"Erase all words of session {row.session_id} with {printable(names)}?",
                abort=True,
                err=True,
            )
        erased = [
            await erase_session(
                store, session_id=row.session_id, person_id=person_id, everything=True
            )
            for person_id in row.people
        ]
        _tell(row, erased)


def _tell(row: SessionRow, erased: Sequence[Erased]) -> None:
    left = sum(each.own_after for each in erased)
    gone = sum(each.own_before - each.own_after + each.others for each in erased)
    told(f"session {row.session_id}: {gone} contents erased, {left} left")
    if left:
        raise typer.Exit(FOUND_A_FAULT)
