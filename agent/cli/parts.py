"""The parts of the embedded house as child processes, and what is said about them."""

import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from agent.cli.prepare import Brains, livekit_host, page_host
from agent.local.addresses import Addresses
from agent.local.child import Child
from agent.local.livekit_server import Binary, rendered, write_config
from agent.local.ports import answers
from agent.local.secrets import Secrets
from agent.local.status import Part, run_folder
from config.packaged import livekit_yaml
from config.settings import ModelChoice, Settings

LIVEKIT = "livekit-server"
MODEL_SERVER = "model-server"
HOUSE = "house"


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """Everything that is known before the first part starts."""

    settings: Settings
    secrets: Secrets
    server: Binary | None
    """None: LiveKit runs elsewhere."""
    brains: Brains
    addresses: Addresses
    model_server_port: int | None
    """None: no local language model is needed."""
    arguments: tuple[str, ...]
    """Flags of ``up`` that the house process gets too."""
    tcp_media: bool


def children_of(house: House) -> tuple[tuple[Child, ...], tuple[Part, ...]]:
    """Return the parts to run, in their order, and those that are not needed."""
    running: list[Child] = []
    off: list[Part] = []
    if house.server is not None:
        running.append(_livekit(house, house.server))
    else:
        off.append(Part(name=LIVEKIT, state="off", detail_code="elsewhere"))
    if house.model_server_port is not None:
        running.append(
            model_server(house.settings, house.secrets, house.brains, house.model_server_port)
        )
    else:
        off.append(Part(name=MODEL_SERVER, state="off", detail_code="not_needed"))
    running.append(_house(house))
    return tuple(running), tuple(off)


def story_of(house: House) -> Iterator[str]:
    """Yield one line for each thing that runs, and on which model."""
    server = house.server
    yield (
        f"  LiveKit    {server.version} at {house.addresses.livekit_url}"
        if server
        else f"  LiveKit    at {house.addresses.livekit_url}"
    )
    local: dict[str, str] = {role: each.entry.name for role, each in house.brains.obtained}
    chosen = house.settings.models
    for role, verb, choices in (
        ("stt", "hears", chosen.stt),
        ("llm", "thinks", chosen.llm),
        ("tts", "speaks", chosen.tts),
    ):
        told = [_told(choice, local.get(role)) for choice in choices]
        yield f"  {verb:<10} {', else '.join(told)}"
    yield f"  data       {house.settings.data_dir}"


def _told(choice: ModelChoice, local: str | None) -> str:
    if choice.provider == "local":
        return f"{local} on this machine" if local else "nothing (tier off)"
    where = f" at {choice.base_url}" if choice.base_url else ""
    return f"{choice.plugin or choice.model or 'its default model'} of {choice.provider}{where}"


def _livekit(house: House, server: Binary) -> Child:
    settings = house.settings
    config = write_config(
        run_folder(settings.data_dir) / "livekit.yaml",
        rendered(
            livekit_yaml(),
            port=settings.livekit.port,
            host=livekit_host(settings),
            key=_key(settings, house.secrets)[0],
            secret=_key(settings, house.secrets)[1],
            tcp_media=house.tcp_media,
        ),
    )
    return Child(
        name=LIVEKIT,
        command=(str(server.path), "--config", str(config)),
        ready=_answering(livekit_host(settings), settings.livekit.port, "/"),
        log_path=_log(settings, LIVEKIT),
        stop_within_s=2.0,  # asked once it waits for rooms to empty; it holds nothing that is lost
        asked_wrongly_codes=frozenset(),
    )


def _key(settings: Settings, secrets: Secrets) -> tuple[str, str]:
    """Return the key that signs room tokens: the configured one, else the installation's."""
    own = settings.livekit
    if own.api_key is not None and own.api_secret is not None:
        return own.api_key.get_secret_value(), own.api_secret.get_secret_value()
    return secrets.livekit_key, secrets.livekit_secret


def model_server(settings: Settings, secrets: Secrets, brains: Brains, port: int) -> Child:
    """Return the model server as a child that listens on ``port`` of this machine."""
    key = secrets.model_server_key
    command = [sys.executable, "-m", "agent.local.model_server", "--port", str(port)]
    command += ["--model", str(brains.path("llm")), "--name", brains.name("llm")]
    command += ["--threads", str(settings.models.threads)]
    return Child(
        name=MODEL_SERVER,
        command=tuple(command),
        ready=_answering("127.0.0.1", port, "/health", key=key),
        log_path=_log(settings, MODEL_SERVER),
        stdin=key.encode(),
        ready_within_s=300.0,  # a cold disk reads a gigabyte, a busy machine imports slowly
        stop_within_s=5.0,
    )


def _house(house: House) -> Child:
    settings = house.settings
    return Child(
        name=HOUSE,
        command=(sys.executable, "-m", "agent.cli.main", "house", *house.arguments),
        ready=_answering(page_host(settings), settings.port, "/healthz"),
        log_path=_log(settings, HOUSE),
        after=(LIVEKIT,) if house.server is not None else (),
        ready_within_s=300.0,
        stop_within_s=20.0,  # open segments are settled and the trail is flushed
    )


def _answering(
    host: str, port: int, path: str, *, key: str | None = None
) -> Callable[[], Awaitable[bool]]:
    return lambda: answers(host, port, path, key=key)


def _log(settings: Settings, name: str) -> Path:
    return settings.data_dir / "logs" / f"{name}.log"
