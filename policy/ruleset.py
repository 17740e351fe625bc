"""The rules in force: read once at start, checked against the schema, parsed, split by action.

Either every rule of every file is sound or none comes into force. A `RuleSet` never changes and may
be shared between threads.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

import cedarpy
from cedarpy import pst

from policy.errors import RulesInvalid
from policy.obligations import CARRIED_OUT
from policy.requests import Action
from policy.rule_files import SCHEMA, RulesFile, added, schema, shipped
from policy.rule_text import CHARS_AT_MOST, MARKS_AT_MOST, RuleText, rule_texts
from trail.events.policy import Effect

REASON_CHARS_AT_MOST: Final = 200
RESERVED: Final = "policy."
"""Ids beginning so are the engine's own."""

_ANNOTATIONS = frozenset({"id", "reason", "obligation"})
_ID = re.compile(r"[a-z0-9]+([.-][a-z0-9]+)+")
_ID_CHARS_AT_MOST = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule in force."""

    rule_id: str
    effect: Effect
    actions: frozenset[Action]
    reason: str
    """For people; one line."""
    obligations: tuple[str, ...]
    place: str
    """File and line."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """All rules in force, under one digest."""

    rules: tuple[Rule, ...]
    digest: str
    """SHA-256 in hex over the names and texts of all files."""
    texts: Mapping[str, str]
    """Schema and rules files as read, comments included; what `digest` was taken over."""
    by_id: Mapping[str, Rule]
    parsed: Mapping[Action, cedarpy.PolicySet]
    """What Cedar evaluates; only `policy.engine` uses it."""


def load_rules(extra: Path | None = None, *, obligations: Iterable[str] = CARRIED_OUT) -> RuleSet:
    """Read the shipped rules and those of the operator.

    Args:
        extra: A rules file, or a folder whose ``*.cedar`` files are read in order of their names.
            They add to the shipped rules and cannot replace one; a shipped ``forbid`` outweighs
            whatever they permit.
        obligations: Names that ``@obligation`` may carry.

    Raises:
        RulesInvalid: names file, line and remedy. Nothing has come into force.
    """
    vocabulary = schema()
    sources = [*shipped(), *added(extra)]
    reader = _Reader(
        schema=cedarpy.Schema.from_str(vocabulary.text), obligations=frozenset(obligations)
    )
    by_id: dict[str, Rule] = {}
    for file in sources:
        for cut in rule_texts(file.text):
            rule = reader.rule(cut, place=file.place)
            if (taken := by_id.get(rule.rule_id)) is not None:
                fault = f'@id("{rule.rule_id}") is taken by {taken.place}; choose another id'
                raise RulesInvalid(file.place, cut.line, fault)
            by_id[rule.rule_id] = rule
    rules = tuple(by_id.values())
    return RuleSet(
        rules=rules,
        digest=_digest([vocabulary, *sources]),
        texts=MappingProxyType({file.name: file.text for file in (vocabulary, *sources)}),
        by_id=MappingProxyType(by_id),
        parsed=MappingProxyType({action: _parsed(rules, action) for action in Action}),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reader:
    """Turns the text of a rule into a `Rule`, or says what is wrong with it."""

    schema: cedarpy.Schema
    obligations: frozenset[str]

    def rule(self, cut: RuleText, *, place: str) -> Rule:
        """Return the rule. Raises `RulesInvalid` at its line."""
        try:
            node = _node(cut)
            _check_annotations(node)
            obligations = self._obligations(node)
            self._check_vocabulary(cut)
        except _Fault as fault:
            raise RulesInvalid(place, cut.line, str(fault)) from fault.__cause__
        return Rule(
            rule_id=node.annotations["id"],
            effect=Effect.ALLOW if node.effect == "permit" else Effect.DENY,
            actions=_actions(node.action),
            reason=node.annotations["reason"],
            obligations=obligations,
            place=f"{place}:{cut.line}",
            text=cut.text,
        )

    def _obligations(self, node: pst.Template) -> tuple[str, ...]:
        stated = node.annotations.get("obligation")
        if stated is None:
            return ()
        if node.effect == "forbid":
            raise _Fault("a forbid owes nothing; remove its @obligation")
        names = tuple(name.strip() for name in stated.split(","))
        for name in names:
            if name not in self.obligations:
                known = ", ".join(sorted(self.obligations)) or "none so far"
                raise _Fault(f'nothing carries out @obligation("{name}"); known are: {known}')
        return names

    def _check_vocabulary(self, cut: RuleText) -> None:
        checked = cedarpy.validate_policies(  # pyright: ignore[reportUnknownMemberType]  # bare dict
            cut.text, self.schema
        )
        if not checked.validation_passed:
            faults = "; ".join(fault.error.split(", ", 1)[-1] for fault in checked.errors)
            raise _Fault(f"{faults} (what a rule may speak of stands in {SCHEMA})")


class _Fault(Exception):
    """What is wrong with one rule, before anybody knows where it stands."""


def _node(cut: RuleText) -> pst.Template:
    """Return the parsed rule; refuses what would overflow the parser's stack before parsing."""
    if cut.is_too_large:
        raise _Fault(
            f"a rule of more than {CHARS_AT_MOST} characters, or {MARKS_AT_MOST} brackets and"
            " operators; split it"
        )
    try:
        parsed = cedarpy.policies_to_pst(cut.text)
    except ValueError as error:
        raise _Fault(f"not a Cedar rule: {error}") from error
    if len(parsed.static_policies) != 1:
        raise _Fault("a template decides nothing; write out ?principal and ?resource")
    return next(iter(parsed.static_policies.values()))


def _check_annotations(node: pst.Template) -> None:
    unknown = sorted(set(node.annotations) - _ANNOTATIONS)
    if unknown:
        known = ", ".join(f"@{name}" for name in sorted(_ANNOTATIONS))
        raise _Fault(f"unknown annotation @{unknown[0]}; known are {known}")
    rule_id = node.annotations.get("id", "")
    if not _ID.fullmatch(rule_id) or len(rule_id) > _ID_CHARS_AT_MOST:
        raise _Fault(
            'needs an @id of lower-case words, such as @id("capture.not-in-company"), of at most'
            f" {_ID_CHARS_AT_MOST} characters"
        )
    if rule_id.startswith(RESERVED):
        raise _Fault(f"an @id must not begin with {RESERVED!r}; choose another")
    reason = node.annotations.get("reason", "")
    if not 0 < len(reason.strip()) <= REASON_CHARS_AT_MOST or not reason.isprintable():
        raise _Fault(
            f"needs a @reason for people, one line of at most {REASON_CHARS_AT_MOST} characters"
        )


def _actions(constraint: pst.ActionConstraint) -> frozenset[Action]:
    match constraint:
        case pst.ScopeAny():
            return frozenset(Action)
        case pst.ActionEq(entity=entity):
            return frozenset({Action(entity.id)})
        case pst.ActionIn(entities=entities):
            return frozenset(Action(entity.id) for entity in entities)


def _parsed(rules: Sequence[Rule], action: Action) -> cedarpy.PolicySet:
    return cedarpy.PolicySet.from_str(
        "\n".join(rule.text for rule in rules if action in rule.actions)
    )


def _digest(sources: Sequence[RulesFile]) -> str:
    """Return a digest that no shifting of text between files can repeat."""
    digest = hashlib.sha256()
    for part in (text for file in sources for text in (file.name, file.text)):
        data = part.encode()
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()
