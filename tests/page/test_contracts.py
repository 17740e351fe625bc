"""The page's types of the API are those of the gateway's document."""

import json
import subprocess
from pathlib import Path

from agent.gateway.openapi import document


def test_given_the_document_when_types_are_made_from_it_then_they_are_the_kept_ones(
    front_end: Path,
) -> None:
    made = subprocess.run(
        ["node", "scripts/contracts.mjs"],
        cwd=front_end,
        input=json.dumps(document("0.0.0")),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout

    kept = (front_end / "src" / "contracts" / "gateway.ts").read_text(encoding="utf-8")
    assert made == kept, "run `npm run contracts` in frontend/"
