"""The schema, the requests and the obligations speak the same language."""

import importlib
import re
from dataclasses import replace
from enum import StrEnum
from importlib.resources import files

import cedarpy
import pytest

from policy.consent import Consents
from policy.engine import question, thing
from policy.obligations import CARRIED_OUT
from policy.requests import Action, DataClass, Request
from policy.rule_files import SCHEMA
from policy.ruleset import load_rules
from tests.policy.builders import ANNA, BEN, NOW, reading, request
from trail.envelope import PrivacyClass
from trail.events.policy import Purpose

TEXT = (files("policy.rules") / SCHEMA).read_text()


def words(declaration: str) -> set[str]:
    found = re.search(rf"{declaration}([^;]*?)(?:\]|appliesTo)", TEXT)
    assert found
    return set(re.findall(r'"([^"]+)"', found.group(1)))


@pytest.mark.parametrize(
    ("declaration", "kind"),
    [
        (r"entity DataClass enum \[", DataClass),
        (r"entity PrivacyClass enum \[", PrivacyClass),
        (r"entity Consent enum \[", Purpose),
        (r"action ", Action),
    ],
)
def test_the_schema_knows_each_word_of_the_requests_and_no_other(
    declaration: str, kind: type[StrEnum]
) -> None:
    assert words(declaration) == {word.value for word in kind}


@pytest.mark.parametrize(
    "asked",
    [
        request(audience=(ANNA, BEN), scopes=("operate",)),
        replace(reading(), situation=replace(reading().situation, session_id=None)),
        replace(reading(), situation=replace(reading().situation, character_id=None)),
    ],
)
def test_what_cedar_is_asked_conforms_to_the_schema(asked: Request) -> None:
    consents = {ANNA: Consents(person=ANNA, until=dict.fromkeys(Purpose))}
    schema = cedarpy.Schema.from_str(TEXT)
    entities = cedarpy.Entities.from_json_str(thing(asked), schema)

    answer = cedarpy.is_authorized(
        question(asked, consents, NOW), load_rules().parsed[asked.action], entities, schema
    )

    assert answer.diagnostics.errors == []
    assert answer.allowed


def test_every_obligation_has_code_that_carries_it_out() -> None:
    named = {name for rule in load_rules().rules for name in rule.obligations}

    assert named <= set(CARRIED_OUT)
    for place in CARRIED_OUT.values():
        module, _, function = place.partition(":")
        assert callable(getattr(importlib.import_module(module), function))
