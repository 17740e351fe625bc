"""The documentation of the rules agrees with the rules."""

import re
from pathlib import Path

from policy.requests import Action
from policy.rules_page import rules_page
from policy.ruleset import load_rules

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_of_rules_is_what_the_rules_say() -> None:
    page = (DOCS / "policy-rules.md").read_text()

    assert page == rules_page(), "run: python -m policy.rules_page > docs/policy-rules.md"


def test_every_rule_and_every_closed_boundary_is_on_the_page() -> None:
    page = rules_page()

    assert all(f"`{rule.rule_id}`" in page for rule in load_rules().rules)
    assert all(re.search(rf"\b{action}\b", page) for action in Action)
