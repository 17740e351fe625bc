"""The page that lists the shipped rules, made from them: ``python -m policy.rules_page``."""

import sys
from collections.abc import Iterator
from typing import Final

from policy.requests import Action
from policy.ruleset import Rule, load_rules
from trail.events.policy import Effect

_HEAD: Final = """# Rules

The rules that are shipped, by boundary. Made by `python -m policy.rules_page`; a test holds this
page to `policy/rules`. What they amount to, and how to read a decision, stands in
[policy.md](policy.md).
"""
_EFFECTS: Final = {Effect.ALLOW: "permit", Effect.DENY: "forbid"}


def rules_page() -> str:
    """Return the page as Markdown."""
    return "\n".join(_lines(load_rules().rules)) + "\n"


def _lines(rules: tuple[Rule, ...]) -> Iterator[str]:
    yield _HEAD
    yield "| id | action | effect | reason |"
    yield "|---|---|---|---|"
    for rule in rules:
        actions = ", ".join(sorted(action.value for action in rule.actions))
        yield f"| `{rule.rule_id}` | {actions} | {_EFFECTS[rule.effect]} | {rule.reason} |"
    yield ""
    named = frozenset[Action]().union(*(rule.actions for rule in rules))
    closed = ", ".join(f"`{action.value}`" for action in Action if action not in named)
    yield f"Boundaries that no rule names, and that are therefore closed: {closed}."


if __name__ == "__main__":
    sys.stdout.write(rules_page())
