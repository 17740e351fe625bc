"""The OpenAPI document of the gateway; ``python -m agent.gateway.openapi`` prints it."""

import json
import sys
from importlib.metadata import version
from typing import Any

from agent.gateway.app import bare_app


def document(software: str) -> dict[str, Any]:
    """Return the OpenAPI document, as it is served at ``/api/openapi.json``."""
    return bare_app(software).openapi()


if __name__ == "__main__":
    json.dump(document(version("earwitness")), sys.stdout, indent=2)
    sys.stdout.write("\n")
