from pathlib import Path

import yaml

from config.describe import as_markdown, as_schema, as_yaml, described
from config.load import PACKAGED_FILE, known_names
from config.settings import Settings

ROOT = Path(__file__).parents[2]


def test_the_generated_files_are_what_the_declarations_say() -> None:
    assert PACKAGED_FILE.read_text("utf-8") == as_yaml()
    assert PACKAGED_FILE.with_name("earwitness.schema.json").read_text("utf-8") == as_schema()
    assert (ROOT / "docs" / "settings.md").read_text("utf-8") == as_markdown()


def test_the_packaged_file_equals_the_defaults() -> None:
    packaged = Settings(**yaml.safe_load(PACKAGED_FILE.read_text("utf-8")))

    assert packaged == Settings()


def test_every_setting_is_in_the_documentation_and_says_what_it_means() -> None:
    text = as_markdown()

    assert [name for name in known_names() if f"| `{name}` |" not in text] in ([], _members())
    assert [each.name for each in described() if not each.text] == []


def _members() -> list[str]:
    """Members of a choice are documented once, under the first role."""
    return [n for n in known_names() if n.startswith(("models.llm.", "models.tts."))]
