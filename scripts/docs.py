"""Writes the files that are generated from declarations. ``--check`` only compares."""

import sys
from pathlib import Path

from config.describe import as_markdown, as_schema, as_yaml
from policy.rules_page import rules_page

ROOT = Path(__file__).parents[1]
GENERATED = {
    "config/earwitness.yaml": as_yaml,
    "config/earwitness.schema.json": as_schema,
    "docs/policy-rules.md": rules_page,
    "docs/settings.md": as_markdown,
}


def main() -> int:
    """Write or compare; 1 says that a file is not what its declarations say."""
    stale: list[str] = []
    for name, text in GENERATED.items():
        path = ROOT / name
        if not path.exists() or path.read_text("utf-8") != text():
            stale.append(name)
            if "--check" not in sys.argv:
                path.write_text(text(), "utf-8")
    for name in stale:
        print(f"{name}: {'stale, run make docs' if '--check' in sys.argv else 'written'}")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
