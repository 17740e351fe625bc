"""What the gateway needs of the house: one frozen value, built at the door, passed down whole."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol

from prometheus_client import CollectorRegistry

from agent.local.status import Part
from policy.ruleset import RuleSet
from trail.clock import monotonic_s, utc_now
from trail.ids import CharacterId, ParticipantId, RoomName
from trail.ports import Store


class RoomControl(Protocol):
    """What the gateway asks of the media server."""

    async def remove(self, room: RoomName, participant: ParticipantId) -> None:
        """Make ``participant`` leave; nothing happens if they or the room are not there.

        Raises:
            DependencyUnavailable: the media server did not answer; they may still be inside.
        """
        ...

    async def people(self, room: RoomName) -> Sequence[ParticipantId]:
        """Return which people are inside, avatars not; empty if the room does not exist.

        Raises:
            DependencyUnavailable: the media server did not answer.
        """
        ...

    async def reach(self) -> None:
        """Return if the media server answers and accepts our key.

        Raises:
            DependencyUnavailable: it does not.
        """
        ...


def _no_parts() -> Sequence[Part]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayHouse:
    """Everything the routes use; nothing is read from anywhere else."""

    store: Store
    rooms: RoomControl
    rules: RuleSet
    livekit_key: str = field(repr=False)
    livekit_secret: str = field(repr=False)
    cookie_key: bytes = field(repr=False)
    """Signs sign-in cookies; random per installation."""
    operator_token: str = field(repr=False)
    """Bearer token of the command line on this machine."""
    livekit_public_url: str
    """Where browsers find the media server, such as ``ws://127.0.0.1:7880``."""
    characters: Collection[str]
    """Ids of the characters one may talk to."""
    default_character: CharacterId
    agent_name: str = "earwitness"
    host: str = "127.0.0.1"
    port: int = 8080
    allowed_hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "[::1]")
    """Names under which we answer, without ports."""
    profile: str = "private"
    """Policy profile of the installation."""
    page_folder: Path | None = None
    """The built front end; None says how to build it."""
    return_s: float = 60.0
    """A session ends this long after its last person left without saying so."""
    people_at_most: int = 4
    software: str = "0.0.0"
    """Version of this program."""
    now: Callable[[], datetime] = utc_now
    monotonic_s: Callable[[], float] = monotonic_s
    parts: Callable[[], Sequence[Part]] = _no_parts
    """What runs; may read a file, so it is called in a thread."""
    registry: CollectorRegistry = field(default_factory=CollectorRegistry)
    """Metrics served at ``/metrics``; ours are added to it."""
