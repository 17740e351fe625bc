"""``earwitness token``: a way into a room of the running house, for a client of one's own."""

import json
from pathlib import Path
from typing import Annotated, Any

import httpx
import typer

from agent.cli.options import AsJson, Config, DataDir, settings_of
from agent.local.addresses import Addresses, read_addresses
from trail.errors import DependencyUnavailable

ANSWER_WITHIN_S = 10.0

Name = Annotated[str, typer.Option("--name", help="Name of the person who will enter.")]
Room = Annotated[
    str | None, typer.Option("--room", help="A room the person belongs to; without: a new one.")
]
Person = Annotated[
    str | None, typer.Option("--person", help="Id of a known person, instead of a new one.")
]


def token(
    config: Config = None,
    data_dir: DataDir = None,
    name: Name = "Guest",
    person: Person = None,
    room: Room = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Print a token for a room of the running house; with --json also where to use it."""
    settings = settings_of(config=config, data_dir=data_dir)
    answer = asked_for(running(settings.data_dir), name=name, person=person, room=room)
    print(json.dumps(answer) if as_json else answer["participant_token"])


def running(data_dir: Path) -> Addresses:
    """Return where the house of this data folder listens.

    Raises:
        DependencyUnavailable: None runs.
    """
    addresses = read_addresses(data_dir)
    if addresses is None:
        raise DependencyUnavailable("house", f"none runs on {data_dir}; start `earwitness up`")
    return addresses


def asked_for(
    addresses: Addresses, *, name: str, person: str | None, room: str | None
) -> dict[str, Any]:
    """Sign in as the page does, and ask as LiveKit's clients do.

    Raises:
        DependencyUnavailable: The house does not answer, or refuses; says why.
    """
    who = {"person_id": person} if person else {"name": name}
    wanted = {"room_name": room} if room else {}
    origin = {"Origin": addresses.page_url}
    try:
        with httpx.Client(
            base_url=addresses.page_url, headers=origin, timeout=ANSWER_WITHIN_S, trust_env=False
        ) as client:
            _answer_of(client.post("/api/sign-in", json=who))
            return _answer_of(client.post("/api/token", json=wanted))
    except httpx.HTTPError as error:
        raise DependencyUnavailable("house", f"{addresses.page_url} does not answer") from error


def _answer_of(answer: httpx.Response) -> dict[str, Any]:
    body: dict[str, Any] = answer.json()
    if answer.is_success:
        return body
    raise DependencyUnavailable("house", str(body.get("detail") or body.get("title")))
