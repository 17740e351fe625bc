"""One file per case: the folder is the verdict, the name is the sentence.

A case says what differs from an ordinary request of Anna's in her own room, what people consent
to, and exactly which rules determine the answer.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated

import pytest
from pydantic import BaseModel, ConfigDict, Field

from policy.consent import Consents
from policy.engine import Verdict, decide
from policy.requests import HERE, Action, DataClass, Provider
from policy.ruleset import RuleSet
from tests.policy.builders import ANNA, NOW, request
from trail.envelope import PrivacyClass
from trail.events.policy import Effect, Purpose
from trail.ids import PersonId

CASES = sorted((Path(__file__).parent / "cases").glob("*/*.json"))
ALLOWED = [path for path in CASES if path.parent.name == "ALLOW"]
CHANGES: Mapping[str, Mapping[str, object]] = {
    "another profile": {"profile": "kiosk"},
    "another purpose": {"purpose": "marketing"},
    "asked by another in the room": {"subject": "carl", "audience": (ANNA, "carl")},
    "nobody in the room": {"audience": ()},
    "another kind of data": {"data_class": DataClass.MEMORY},
    "an unknown provider elsewhere": {"provider": Provider(name="?", is_local=False)},
}
DOES_NOT_MATTER: Mapping[str, Collection[str]] = {
    "audit.own-sessions": {"asked by another in the room", "nobody in the room"},
    "audit.operator": {
        "another profile",
        "asked by another in the room",
        "nobody in the room",
        "another kind of data",
    },
    "egress.remote-conversation-with-consent": {"an unknown provider elsewhere"},
}


class Asked(BaseModel):
    """What differs from an ordinary request."""

    model_config = ConfigDict(extra="forbid")

    action: Action
    subject: str = ANNA
    owner: str = ANNA
    data_class: DataClass
    privacy_class: PrivacyClass
    purpose: str = "conversation"
    audience: tuple[str, ...] = (ANNA,)
    provider: Provider = HERE
    scopes: tuple[str, ...] = ()
    profile: str = "private"


class Case(BaseModel):
    """One file."""

    model_config = ConfigDict(extra="forbid")

    request: Asked
    consents: Annotated[
        Mapping[PersonId, Mapping[Purpose, datetime | None]], Field(default_factory=dict)
    ]
    rules: tuple[str, ...]


def read(path: Path) -> Case:
    return Case.model_validate_json(path.read_text())


def verdict_on(case: Case, rules: RuleSet, **changed: object) -> Verdict:
    asked = {name: getattr(case.request, name) for name in Asked.model_fields}
    consents = {who: Consents(person=who, until=until) for who, until in case.consents.items()}
    return decide(rules, request(**{**asked, **changed}), consents, NOW)


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}: {path.stem}")
def test_the_case_is_decided_as_its_folder_says(path: Path, rules: RuleSet) -> None:
    case = read(path)

    verdict = verdict_on(case, rules)

    assert verdict.effect is Effect[path.parent.name]
    assert tuple(reason.rule_id for reason in verdict.reasons) == case.rules


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("path", ALLOWED, ids=lambda path: path.stem)
def test_each_condition_of_a_permission_matters(path: Path, change: str, rules: RuleSet) -> None:
    case = read(path)

    verdict = verdict_on(case, rules, **CHANGES[change])

    holds = any(change in DOES_NOT_MATTER.get(rule, ()) for rule in case.rules)
    assert holds or verdict != verdict_on(case, rules)


def test_every_rule_occurs_in_some_case(rules: RuleSet) -> None:
    named = {rule_id for path in CASES for rule_id in read(path).rules}

    assert named == set(rules.by_id)


def test_every_boundary_occurs_in_some_denial() -> None:
    denied = {read(path).request.action for path in CASES if path.parent.name == "DENY"}

    assert denied == set(Action)
