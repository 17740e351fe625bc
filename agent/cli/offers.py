"""Language models that already run on this machine: found and offered, never used unasked."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
from pydantic import BaseModel, ValidationError

from agent.cli.checkup import Finding
from agent.local.ports import is_wsl

KNOWN = {"Ollama": 11434, "LM Studio": 1234}
ASK_WITHIN_S = 1.0
_ROUTES = Path("/proc/net/route")


class _Model(BaseModel):
    id: str


class _Listed(BaseModel):
    """Answer to a GET of ``/models``."""

    data: tuple[_Model, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A local server that speaks OpenAI's protocol."""

    name: str
    base_url: str
    models: tuple[str, ...]


def offers(hosts: tuple[str, ...] | None = None, *, known: dict[str, int] = KNOWN) -> list[Offer]:
    """Return the servers that answer; asking costs nothing and sends nothing."""
    found: list[Offer] = []
    for host in hosts or machine_hosts():
        for name, port in known.items():
            base_url = f"http://{host}:{port}/v1"
            try:
                answer = httpx.get(f"{base_url}/models", timeout=ASK_WITHIN_S, trust_env=False)
                listed = _Listed.model_validate_json(answer.content)
            except (httpx.HTTPError, ValidationError):
                continue
            names = tuple(model.id for model in listed.data)
            found.append(Offer(name=name, base_url=base_url, models=names))
    return found


def machine_hosts() -> tuple[str, ...]:
    """Return the hosts to ask: this one, and Windows around us if we run inside it."""
    outside = gateway_in(_ROUTES.read_text()) if is_wsl() and _ROUTES.exists() else None
    return ("127.0.0.1", outside) if outside else ("127.0.0.1",)


def gateway_in(routes: str) -> str | None:
    """Return the default gateway of Linux' routing table, as an IPv4 address."""
    for line in routes.splitlines()[1:]:
        fields = line.split()
        if len(fields) > 2 and fields[1] == "00000000" and fields[2] != "00000000":
            octets = bytes.fromhex(fields[2])[::-1]
            return ".".join(str(octet) for octet in octets)
    return None


def offer_findings(found: list[Offer]) -> Iterator[Finding]:
    """Yield one note for each offer, with what to write to take it."""
    for offer in found:
        models = ", ".join(offer.models[:5]) or "no model"
        model = offer.models[0] if offer.models else "NAME"
        choice = f"{{provider: openai, base_url: {offer.base_url}, model: {model}}}"
        yield Finding(
            part=offer.name,
            state="note",
            said=f"answers at {offer.base_url} with {models}; it is not used",
            mend=f"to use it: EARWITNESS_MODELS__LLM='{choice}'",
        )
