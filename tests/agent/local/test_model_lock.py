"""The list of models: complete, and each role falls to a lower tier by name."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from agent.local.model_lock import TIERS, Role, Tier, load_lock

ROLES: tuple[Role, ...] = ("stt", "tts", "llm")


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("role", ROLES)
def test_every_tier_fills_every_role_once(tier: Tier, role: Role) -> None:
    assert [e.role for e in load_lock().of_tier(tier)].count(role) == 1


def test_every_file_has_a_size_a_hash_and_its_model_a_licence() -> None:
    for entry in load_lock().model:
        assert entry.licence
        assert entry.sources
        for file in entry.files:
            assert file.size > 0
            assert len(file.sha256) == 64


def test_given_small_when_it_is_gone_then_tiny_is_the_next_by_name() -> None:
    names = [entry.name for entry in load_lock().candidates("llm", "small")]

    assert names == [
        "qwen2.5-coder-1.5b-instruct-q4_k_m",
        "qwen2.5-coder-0.5b-instruct-q4_k_m",
    ]


def test_given_an_unknown_key_when_the_list_is_read_then_it_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "lock.toml"
    path.write_text('[[model]]\nname = "x"\ncolour = "red"\n')

    with pytest.raises(ValidationError):
        load_lock(path)
