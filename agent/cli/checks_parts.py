"""What ``doctor`` asks of the parts: livekit-server, models, database, page, characters, house."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from agent.cli.checkup import Finding
from agent.cli.prepare import local_roles, require_media
from agent.gateway.page import built_page
from agent.local.instance_lock import holder
from agent.local.livekit_server import VERSION, located, located_go
from agent.local.model_files import located as located_model
from agent.local.model_lock import load_lock
from agent.local.status import read_parts
from agent.wiring.store import database_url
from config.character import CharacterFileWrong, load_characters
from config.settings import ModelChoice, Settings
from migrations.upgrade import scripts
from trail.errors import DependencyUnavailable


def part_findings(settings: Settings) -> Iterator[Finding]:
    """Yield everything about the parts of the house."""
    yield livekit_finding(settings)
    yield from model_findings(settings)
    yield from choice_findings(settings)
    yield database_finding(settings)
    yield page_finding()
    yield character_finding(settings)
    yield from house_findings(settings)


def livekit_finding(settings: Settings) -> Finding:
    """Say which LiveKit server is used."""
    if settings.livekit.url is not None:
        try:
            require_media(settings)
        except DependencyUnavailable as error:
            mend = "start it, or mend LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET"
            return Finding(part="LiveKit", state="fault", said=str(error), mend=mend)
        said = f"{settings.livekit.url} answers and accepts the key"
        return Finding(part="LiveKit", state="ok", said=said)
    found = located(settings.cache_dir)
    if found is not None:
        return Finding(part="LiveKit", state="ok", said=f"{found.version} at {found.path}")
    if located_go() is not None:
        said = f"not here yet; earwitness up builds {VERSION} once (about two minutes)"
        return Finding(part="LiveKit", state="note", said=said)
    return Finding(
        part="LiveKit",
        state="fault",
        said="livekit-server is not installed, and there is no Go 1.26 to build it with",
        mend="install livekit-server, or run make up in the checkout, which fetches Go",
    )


def model_findings(settings: Settings) -> Iterator[Finding]:
    """Yield each local model that the settings ask for: where it is, and its hash."""
    tier = settings.models.tier
    if tier == "off":
        yield Finding(part="models", state="ok", said="tier off: providers do all the work")
        return
    lock = load_lock()
    for role in local_roles(settings):
        entry = lock.candidates(role, tier)[0]
        path = located_model(entry, settings.cache_dir)
        size = f"{entry.size / 1e6:.0f} MB"
        if path is None:
            yield Finding(
                part=f"model {role}",
                state="note",
                said=f"{entry.name} ({size}) is not on disk, or not whole",
                mend="earwitness up fetches it, or: earwitness models fetch",
            )
            continue
        hashes = ", ".join(file.sha256[:12] for file in entry.files[:2])
        said = f"{entry.name} ({size}, sha256 {hashes}…) at {path}"
        yield Finding(part=f"model {role}", state="ok", said=said)


def choice_findings(settings: Settings) -> Iterator[Finding]:
    """Yield providers that cannot work as configured."""
    models = settings.models
    for role, choices in (("stt", models.stt), ("llm", models.llm), ("tts", models.tts)):
        for index, choice in enumerate(choices):
            complaint = _complaint(choice, tier=models.tier)
            if complaint:
                name = f"models.{role}[{index}]"
                yield Finding(part=name, state="fault", said=complaint[0], mend=complaint[1])


def _complaint(choice: ModelChoice, *, tier: str) -> tuple[str, str] | None:
    if choice.provider == "local" and tier == "off":
        return "asks for a local model, but models.tier is off", "choose a provider, or a tier"
    if choice.provider == "openai" and choice.base_url is None and choice.api_key is None:
        return "openai has no key", "set OPENAI_API_KEY, or base_url to a server without keys"
    if choice.provider == "deepgram" and choice.api_key is None:
        return "deepgram has no key", "set DEEPGRAM_API_KEY"
    if choice.provider == "plugin" and ":" not in (choice.plugin or ""):
        return "names no plugin", "set plugin to an import path such as livekit.plugins.x:STT"
    return None


def database_finding(settings: Settings) -> Finding:
    """Say whether the database is of this version."""
    if settings.database_url is not None:
        said = "PostgreSQL as configured; its version is checked at start"
        return Finding(part="database", state="ok", said=said)
    path = Path(database_url(settings).partition("///")[2])
    if not path.is_file():
        return Finding(part="database", state="ok", said=f"made at first start: {path}")
    known = [script.revision for script in scripts().walk_revisions()]
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            rows = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    except sqlite3.Error as error:
        return Finding(
            part="database",
            state="fault",
            said=f"{path} cannot be read: {error}",
            mend="restore a copy, or move the file away to begin anew",
        )
    revision = str(rows[0][0]) if rows else "none"
    if revision == known[0]:
        return Finding(part="database", state="ok", said=f"schema {revision} at {path}")
    if revision in known or revision == "none":
        said = f"schema {revision}, to be brought to {known[0]}"
        mend = "earwitness migrate (earwitness up does it too)"
        return Finding(part="database", state="note", said=said, mend=mend)
    return Finding(
        part="database",
        state="fault",
        said=f"schema {revision} is of a newer version of this program",
        mend="install that version again, or restore a copy from before it",
    )


def page_finding() -> Finding:
    """Say whether the page has been built."""
    folder = built_page()
    if folder is not None:
        return Finding(part="page", state="ok", said=f"built, in {folder}")
    mend = "make up builds it; in an installed wheel it is always there"
    return Finding(part="page", state="fault", said="it has not been built", mend=mend)


def character_finding(settings: Settings) -> Finding:
    """Say whether the characters can be read and the chosen one is among them."""
    try:
        characters = load_characters(settings.data_dir / "characters")
    except CharacterFileWrong as error:
        mend = "mend the file, or move it out of the folder"
        return Finding(part="characters", state="fault", said=str(error), mend=mend)
    names = ", ".join(sorted(characters))
    if settings.character in characters:
        return Finding(part="characters", state="ok", said=f"{names}; {settings.character} answers")
    said = f"there is no character {settings.character}; there are: {names}"
    return Finding(part="characters", state="fault", said=said, mend="set character to one of them")


def house_findings(settings: Settings) -> Iterator[Finding]:
    """Yield the parts of the house that runs, if one does."""
    pid = holder(settings.data_dir)
    if pid is None:
        yield Finding(part="house", state="ok", said="none runs on this data folder")
        return
    for part in read_parts(settings.data_dir):
        well = part.state in ("running", "starting", "off")
        values = ", ".join(f"{name} {value}" for name, value in part.values.items())
        code = f" ({part.detail_code})" if part.detail_code else ""
        yield Finding(
            part=part.name,
            state="ok" if well else "fault",
            said=f"{part.state}{code} {values}".strip(),
            mend="" if well else f"see {settings.data_dir / 'logs' / f'{part.name}.log'}",
        )
