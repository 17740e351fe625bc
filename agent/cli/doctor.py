"""``earwitness doctor``: look at every part, say how it is and how to mend it."""

import asyncio
import importlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Annotated, Any

import typer

from agent.cli.checks_machine import machine_findings
from agent.cli.checks_parts import part_findings
from agent.cli.checkup import Finding, any_fault, lines_of
from agent.cli.offers import offer_findings, offers
from agent.cli.options import (
    AsJson,
    Config,
    DataDir,
    Host,
    LiveKitPort,
    Port,
    Tier,
    flags_of,
)
from config.load import Origin, load_settings, provenance
from config.settings import Settings

Probe = Annotated[
    bool, typer.Option("--probe", help="Call each configured provider once; may cost money.")
]


def doctor(
    config: Config = None,
    data_dir: DataDir = None,
    host: Host = None,
    port: Port = None,
    livekit_port: LiveKitPort = None,
    tier: Tier = None,
    *,
    as_json: AsJson = False,
    probe: Probe = False,
) -> None:
    """Check every part and say how to mend it. Exit code 1: something will not work."""
    flags = flags_of(data_dir=data_dir, host=host, port=port, livekit_port=livekit_port, tier=tier)
    settings = load_settings(config=config, **flags)
    origins = provenance(config=config, **flags)
    findings = [*_findings(settings)]
    if probe:
        findings += probe_findings(settings)
    if as_json:
        print(json.dumps(as_data(findings, origins), indent=2, ensure_ascii=False))
    else:
        print("\n".join(lines_of(findings)))
        print("\n" + "\n".join(setting_lines(origins)))
    raise typer.Exit(1 if any_fault(findings) else 0)


def probe_findings(settings: Settings) -> Iterator[Finding]:
    """Call every provider and yield how it answered.

    The module that does it carries all of LiveKit's plugins, so it is loaded only if asked for.
    """
    module = importlib.import_module("agent.worker.probe")
    found: Sequence[Any] = asyncio.run(module.probe(settings.models))
    for each in found:
        part = f"models.{each.role}[{each.index}]"
        if each.answered_after_s is None:
            said = f"{each.provider} did not answer as it should: {each.fault}"
            mend = "look at its key, its address and the name of the model"
            yield Finding(part=part, state="fault", said=said, mend=mend)
            continue
        sees = {True: "; it sees pictures", False: "; it does not see pictures", None: ""}
        said = f"{each.provider} answered after {each.answered_after_s} s{sees[each.sees]}"
        yield Finding(part=part, state="ok", said=said)
    if not found:
        said = "every model is of this machine; there is nobody to call"
        yield Finding(part="probe", state="ok", said=said)


def _findings(settings: Settings) -> Iterator[Finding]:
    yield from machine_findings(settings)
    yield from part_findings(settings)
    yield from offer_findings(offers())


def as_data(findings: Sequence[Finding], origins: Sequence[Origin]) -> dict[str, object]:
    """Return everything as JSON holds it."""
    return {
        "findings": [finding.as_json() for finding in findings],
        "settings": [asdict(origin) for origin in origins],
    }


def setting_lines(origins: Sequence[Origin]) -> Iterator[str]:
    """Yield each effective setting with the place it came from."""
    yield "Settings (value, where it came from):"
    for origin in origins:
        value = json.dumps(origin.value, ensure_ascii=False)
        yield f"  {origin.name:<32} {value:<32} {origin.place}"
