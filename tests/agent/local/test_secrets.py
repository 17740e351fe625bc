import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from agent.local.secrets import load_secrets
from trail.errors import DependencyUnavailable


def test_given_an_empty_folder_when_secrets_are_loaded_twice_then_they_stay(tmp_path: Path) -> None:
    first = load_secrets(tmp_path / "a folder with spaces")

    again = load_secrets(tmp_path / "a folder with spaces")

    assert again == first
    assert len(first.livekit_secret) >= 32


def test_the_file_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    load_secrets(tmp_path)
    (tmp_path / "secrets.json").chmod(0o644)

    load_secrets(tmp_path)

    assert stat.S_IMODE((tmp_path / "secrets.json").stat().st_mode) == 0o600


def test_given_many_starts_at_once_then_all_have_the_same_secrets(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        loaded = list(pool.map(load_secrets, [tmp_path] * 16))

    assert len({s.livekit_secret for s in loaded}) == 1
    assert [p.name for p in tmp_path.iterdir()] == ["secrets.json"]


def test_given_a_file_of_an_older_version_then_only_what_is_missing_is_made(
    tmp_path: Path,
) -> None:
    (tmp_path / "secrets.json").write_text(json.dumps({"cookie_key": "kept"}))

    secrets = load_secrets(tmp_path)

    assert secrets.cookie_key == "kept"
    assert load_secrets(tmp_path) == secrets


def test_given_a_damaged_file_then_the_error_names_it(tmp_path: Path) -> None:
    (tmp_path / "secrets.json").write_text("{")

    with pytest.raises(DependencyUnavailable, match=r"secrets\.json is damaged"):
        load_secrets(tmp_path)


def test_values_are_not_printed(tmp_path: Path) -> None:
    secrets = load_secrets(tmp_path)

    assert secrets.operator_token not in repr(secrets)
