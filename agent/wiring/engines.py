"""The engines of this machine, loaded once per process and shared by all rooms."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

from agent.local.addresses import read_addresses
from agent.local.model_files import located
from agent.local.model_lock import Role, load_lock
from agent.local.recogniser import Recogniser
from agent.local.seats import Seats
from agent.local.secrets import Secrets
from agent.local.synthesiser import Synthesiser
from config.settings import ModelChoice, Models, Settings
from trail.errors import DependencyUnavailable


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalThinker:
    """Where the model server of this machine listens."""

    base_url: str
    api_key: str
    model: str
    seats: Seats = field(default_factory=Seats)
    """Its slots, shared by all conversations of this process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalEngines:
    """What this machine offers. None where the settings need none."""

    recogniser: Recogniser | None = None
    synthesiser: Synthesiser | None = None
    thinker: LocalThinker | None = None
    names: tuple[tuple[Role, str], ...] = ()
    """Role and model name, for the trail and for people."""

    def name_of(self, role: Role) -> str:
        """Return the model that fills ``role``; ``none`` if nothing local does."""
        return dict(self.names).get(role, "none")


def needs_local(choices: tuple[ModelChoice, ...]) -> bool:
    """Tell whether a chain has a member that runs in this process or beside it."""
    return any(choice.provider == "local" for choice in choices)


async def load_engines(settings: Settings, secrets: Secrets) -> LocalEngines:
    """Load what the settings name; seconds of work, done in threads.

    Raises:
        DependencyUnavailable: a model is not on disk, or the model server is not running.
    """
    models = settings.models
    names: list[tuple[Role, str]] = []
    recogniser = synthesiser = thinker = None
    if models.tier != "off" and needs_local(models.stt):
        path = _on_disk("stt", settings, names)
        recogniser = await asyncio.to_thread(Recogniser.load, path, threads=models.threads)
    if models.tier != "off" and needs_local(models.tts):
        path = _on_disk("tts", settings, names)
        synthesiser = await asyncio.to_thread(Synthesiser.load, path)
    if models.tier != "off" and needs_local(models.llm):
        thinker = _thinker(settings, secrets, models, names)
    return LocalEngines(
        recogniser=recogniser, synthesiser=synthesiser, thinker=thinker, names=tuple(names)
    )


def _thinker(
    settings: Settings, secrets: Secrets, models: Models, names: list[tuple[Role, str]]
) -> LocalThinker:
    addresses = read_addresses(settings.data_dir)
    if addresses is None or addresses.model_server_url is None:
        raise DependencyUnavailable("model server", "it is not running; start `earwitness up`")
    _on_disk("llm", settings, names)
    return LocalThinker(
        base_url=addresses.model_server_url,
        api_key=secrets.model_server_key,
        model=dict(names)["llm"],
    )


def _on_disk(role: Role, settings: Settings, names: list[tuple[Role, str]]) -> Path:
    tier = settings.models.tier
    for entry in load_lock().candidates(role, tier if tier != "off" else "small"):
        path = located(entry, settings.cache_dir)
        if path is not None:
            names.append((role, entry.name))
            return path
    raise DependencyUnavailable("models", f"no {role} model on disk; run `earwitness models fetch`")
