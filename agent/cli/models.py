"""``earwitness models``: which local models there are, which are here, and fetching them."""

import json
from dataclasses import asdict, dataclass
from typing import Annotated, Literal

import typer

from agent.cli.endings import FOUND_A_FAULT
from agent.cli.news import News
from agent.cli.options import AsJson, Config, settings_of
from agent.local.model_fetch import ModelUnavailable, obtain
from agent.local.model_files import located
from agent.local.model_lock import TIERS, ModelEntry, Role, Tier, load_lock
from config.settings import Settings

_MB = 1_000_000
TierChoice = Annotated[
    Literal["small", "tiny", "off"] | None,
    typer.Option("--tier", help="small for people, tiny for tests, off for none."),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One model of the lock file."""

    name: str
    role: Role
    tiers: tuple[Tier, ...]
    size_bytes: int
    licence: str
    here: bool
    path: str | None


def models_app() -> typer.Typer:
    """Return the group of commands, ready to be mounted as ``models``."""
    app = typer.Typer(
        no_args_is_help=True,
        help="List and fetch local models.",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.command("list")(list_command)
    app.command("fetch")(fetch_command)
    return app


def list_command(
    *, as_json: AsJson = False, tier: TierChoice = None, config: Config = None
) -> None:
    """List the models of the lock file, by tier, and whether they are here and whole."""
    settings = settings_of(config=config)
    rows = [_listed(entry, settings) for entry in _of(tier)]
    if as_json:
        print(json.dumps([asdict(row) for row in rows], indent=2))
        return
    for row in rows:
        state = "here" if row.here else "not here"
        tiers = ", ".join(row.tiers)
        print(
            f"{row.name:36} {row.role:4} {tiers:12} {row.size_bytes / _MB:6.0f} MB  "
            f"{row.licence:11} {state}"
        )


def fetch_command(*, tier: TierChoice = None, config: Config = None) -> None:
    """Fetch the models of a tier (the configured one), continuing what was interrupted."""
    settings = settings_of(config=config)
    chosen = tier or settings.models.tier
    news = News()
    missing = False
    if chosen == "off":
        news.say("Tier off uses no local models; nothing to fetch.")
        return
    lock = load_lock()
    for entry in lock.of_tier(chosen):
        progress = news.download(entry.name)
        try:
            got = obtain(lock, entry.role, chosen, settings.cache_dir, progress=progress)
        except ModelUnavailable as error:
            missing = True
            news.say(f"{error.model} is not to be had:")
            for reason in error.reasons:
                news.say(f"  {reason}")
            continue
        if got.instead_of:
            news.say(f"{got.entry.name} takes the place of {got.instead_of}: {got.reason}")
        print(got.path)
    if missing:
        raise typer.Exit(FOUND_A_FAULT)


def _of(tier: Literal["small", "tiny", "off"] | None) -> tuple[ModelEntry, ...]:
    lock = load_lock()
    if tier is None:
        return lock.model
    return lock.of_tier(tier) if tier in TIERS else ()


def _listed(entry: ModelEntry, settings: Settings) -> Listed:
    path = located(entry, settings.cache_dir)
    return Listed(
        name=entry.name,
        role=entry.role,
        tiers=entry.tiers,
        size_bytes=entry.size,
        licence=entry.licence,
        here=path is not None,
        path=str(path) if path else None,
    )
