"""No fact holds words: what was said can be erased, a fact cannot."""

import importlib
import pkgutil
import types
import typing
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import pytest

from trail import events, ids
from trail.catalogue import NAMES
from trail.content import ContentRef
from trail.envelope import Fact

NUMBERS = {int, float, bool, datetime, type(None)}
IDS = {kind for kind in vars(ids).values() if isinstance(kind, typing.NewType)}
TEXT_ALLOWED = {
    # Closed sets that live on a floor above, so that no StrEnum can be named here.
    "PolicyDecided.action": "one of the nine boundaries",
    "PolicyDecided.purpose": "one of the purposes of the schema of rules",
    "PolicyDecided.data_class": "one of the data classes of the schema of rules",
    "PolicyDecided.rules": "ids of rules, written by the operator",
    "PolicyDecided.obligations": "names of obligations, written by the operator",
    "PolicyDecided.resource": "type and id of a thing",
    # Names of software and of its parts.
    "PolicyDecided.provider": "id of a provider",
    "SegmentGenerated.provider": "id of a provider",
    "SegmentGenerated.model": "id of a model",
    "ProviderFailed.provider": "id of a provider",
    "ProviderFailed.model": "id of a model",
    "ProviderFailed.error": "class name of an error, never its message",
    "ObservationReceived.extractor_provider": "id of a provider",
    "ObservationReceived.extractor_model": "id of a model",
    "SessionOpened.software": "version of this program",
    "SessionResumed.software": "version of this program",
    "HouseStarted.software": "version of this program",
    "HouseStarted.part": "name of a process of ours",
    "HouseStopped.part": "name of a process of ours",
    # Names from public registries.
    "SessionOpened.time_zone": "IANA name of a time zone",
    "SessionOpened.language": "BCP 47 language tag",
    "TurnCommitted.language": "BCP 47 language tag",
    # Digests over what can be read elsewhere and is not secret.
    "PolicyDecided.rule_set": "digest of the rules in force",
    "PolicyDecided.consents": "digest of the consents in force",
    "RuleSetLoaded.digest": "digest of the rules in force",
}
"""Every plain text field, and why it cannot hold what somebody said. Think before adding one."""


def _wordy(kind: type[Any], hint: Any, name: str) -> Iterator[str]:
    """Yield the fields of ``kind`` that could hold words."""
    if hint in NUMBERS or hint in IDS or hint is ContentRef:
        return
    if typing.get_origin(hint) in (tuple, types.UnionType, typing.Union):
        for argument in typing.get_args(hint):
            if argument is not Ellipsis:
                yield from _wordy(kind, argument, name)
    elif isinstance(hint, type) and issubclass(hint, StrEnum):
        return
    elif is_dataclass(hint):
        yield from _wordy_fields(typing.cast("type[Any]", hint))
    else:
        yield f"{kind.__name__}.{name}"


def _wordy_fields(kind: type[Any]) -> Iterator[str]:
    hints = typing.get_type_hints(kind)
    for field in fields(kind):
        yield from _wordy(kind, hints[field.name], field.name)


@pytest.mark.parametrize("kind", [kind for kind, _ in NAMES.values()], ids=lambda k: k.__name__)
def test_a_fact_holds_only_ids_closed_sets_numbers_and_references(kind: type[Fact]) -> None:
    assert [field for field in _wordy_fields(kind) if field not in TEXT_ALLOWED] == []


def test_every_exception_is_still_needed() -> None:
    needed = {field for kind, _ in NAMES.values() for field in _wordy_fields(kind)}

    assert TEXT_ALLOWED.keys() - needed == set()


def test_every_fact_declared_is_in_the_catalogue() -> None:
    modules = [importlib.import_module(f"{events.__name__}.{m.name}") for m in _files()]
    declared = {
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Fact) and kind is not Fact
    }

    assert declared == {kind for kind, _ in NAMES.values()}


def _files() -> Iterator[pkgutil.ModuleInfo]:
    return pkgutil.iter_modules(events.__path__)
