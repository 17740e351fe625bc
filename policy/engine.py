"""Decides. The one place that asks Cedar: the default is no, and a forbid outweighs every permit.

Pure: the same rules, request, consents and instant give the same verdict. What goes wrong while
deciding is a denial with a reason of its own, never a permission.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast

import cedarpy

from policy.consent import Consents
from policy.decisions import Reason
from policy.requests import Request
from policy.ruleset import RESERVED, RuleSet
from trail.events.policy import Effect, Purpose
from trail.ids import ParticipantId, PersonId

EVALUATION_FAILED: Final = Reason(
    rule_id=f"{RESERVED}evaluation-failed",
    text="a rule could not be evaluated, so the answer is no",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the rules say."""

    effect: Effect
    reasons: tuple[Reason, ...] = ()
    """The rules that determined it, ordered by id; none: no rule permits it."""
    obligations: tuple[str, ...] = ()
    """What must be carried out before the permission holds, each once, in order of their names."""


def decide(
    rules: RuleSet, request: Request, consents: Mapping[PersonId, Consents], now: datetime
) -> Verdict:
    """Return the verdict of ``rules`` on ``request``.

    Args:
        rules: In force.
        request: The question.
        consents: Of the owner and of everybody in the audience; who is missing consents to nothing.
        now: UTC, against which the ends of consents are judged.
    """
    try:
        result = cedarpy.is_authorized(  # pyright: ignore[reportUnknownMemberType]  # bare dict
            question(request, consents, now), rules.parsed[request.action], thing(request)
        )
    except (ValueError, TypeError, RuntimeError):
        return Verdict(effect=Effect.DENY, reasons=(EVALUATION_FAILED,))
    if result.diagnostics.errors:
        return Verdict(effect=Effect.DENY, reasons=(EVALUATION_FAILED,))
    named = cast("dict[str, str]", result.diagnostics.id_annotations_by_reason)
    determining = [rules.by_id[rule_id] for rule_id in sorted(named.values())]
    reasons = tuple(Reason(rule_id=rule.rule_id, text=rule.reason) for rule in determining)
    if not result.allowed:
        return Verdict(effect=Effect.DENY, reasons=reasons)
    owed = sorted({name for rule in determining for name in rule.obligations})
    return Verdict(effect=Effect.ALLOW, reasons=reasons, obligations=tuple(owed))


def people_of(request: Request) -> tuple[PersonId, ...]:
    """Return whose consents bear on ``request``: the owner's first, then the others' by id."""
    others = sorted(request.situation.audience - {ParticipantId(request.owner)})
    return (request.owner, *(PersonId(other) for other in others))


def resource_of(request: Request) -> str:
    """Return the name under which the thing asked about is recorded: its kind and its id."""
    thing = request.resource_id or request.situation.session_id or request.owner
    return f"{request.data_class.value}/{thing}"


def question(
    request: Request, consents: Mapping[PersonId, Consents], now: datetime
) -> dict[str, Any]:
    """Return what Cedar is asked. Ids travel as JSON values, so that none can break out of one."""
    situation = request.situation
    agreed = [_purposes(consents.get(person), now) for person in people_of(request)]
    shared = agreed[0].intersection(*agreed[1:])
    context: dict[str, Any] = {
        "audience": [_entity("Participant", person) for person in situation.audience],
        "others_present": len(agreed) - 1,
        "purpose": _entity("Purpose", request.purpose),
        "provider": {"name": request.provider.name, "is_local": request.provider.is_local},
        "consents": [_entity("Consent", purpose) for purpose in agreed[0]],
        "consents_of_all": [_entity("Consent", purpose) for purpose in shared],
        "scopes": [_entity("Scope", scope) for scope in request.scopes],
        "channel": situation.channel,
        "profile": _entity("Profile", situation.profile),
    }
    if situation.session_id is not None:
        context["session"] = situation.session_id
    if situation.character_id is not None:
        context["character"] = situation.character_id
    return {
        "principal": {"type": "Participant", "id": request.subject},
        "action": {"type": "Action", "id": request.action.value},
        "resource": {"type": "Data", "id": resource_of(request)},
        "context": json.dumps(context),
    }


def thing(request: Request) -> str:
    """Return the entity asked about, as Cedar reads it."""
    thing: dict[str, Any] = {
        "uid": {"type": "Data", "id": resource_of(request)},
        "attrs": {
            "owner": _entity("Participant", request.owner),
            "data_class": _entity("DataClass", request.data_class),
            "privacy_class": _entity("PrivacyClass", request.privacy_class),
        },
        "parents": [],
    }
    return json.dumps([thing])


def _entity(kind: str, entity_id: str) -> dict[str, Any]:
    return {"__entity": {"type": kind, "id": entity_id}}


def _purposes(consents: Consents | None, now: datetime) -> frozenset[Purpose]:
    return frozenset() if consents is None else consents.at(now).purposes
