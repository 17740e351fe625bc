"""The shipped rules, loaded once: they never change."""

import pytest

from policy.ruleset import RuleSet, load_rules


@pytest.fixture(scope="session")
def rules() -> RuleSet:
    return load_rules()
