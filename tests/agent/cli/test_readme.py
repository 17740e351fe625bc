import re
from pathlib import Path

from agent.cli.main import COMMANDS

ROOT = Path(__file__).parents[3]


def test_commands_in_the_readme_exist_and_visible_commands_are_in_it() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    named = set(re.findall(r"`earwitness ([a-z]+)", text)) | {"gateway"}

    assert named - set(COMMANDS) == set()
    assert {"up", "doctor", "sessions", "replay", "models", "migrate", "worker"} <= named


def test_make_targets_in_the_documents_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for name in ("README.md", "CONTRIBUTING.md"):
        named = set(re.findall(r"`make ([a-z]+)", (ROOT / name).read_text("utf-8")))
        assert named - targets == set()
