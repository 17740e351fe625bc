"""Rules of the house that a type checker cannot see. Each failure names file and line."""

import ast
from pathlib import Path

import pytest

FLOORS = ("agent", "memory", "policy", "trail", "config", "migrations")
ROOT = Path(__file__).parents[2]
FILES = [path for floor in FLOORS for path in sorted((ROOT / floor).rglob("*.py"))]
LINES_AT_MOST = 400
BANNED_WORDS = {
    "manager",
    "helper",
    "helpers",
    "utils",
    "common",
    "base",
    "core",
    "misc",
    "handler",
    "service",
}
WORDLESS = ("Ref", "Id", "Name")


def everywhere(pattern: str) -> list[Path]:
    return [p for p in sorted(ROOT.glob(pattern)) if "node_modules" not in p.parts]


def test_no_file_grows_into_a_village() -> None:
    files = [*FILES, *everywhere("tests/**/*.py"), *everywhere("frontend/src/**/*.ts*")]
    big = {
        str(p.relative_to(ROOT)): n
        for p in files
        if (n := p.read_text().count("\n")) > LINES_AT_MOST
    }
    big = {p: n for p, n in big.items() if "/contracts/" not in p or not p.startswith("frontend")}

    assert big == {}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module_states_its_idea(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text()))


@pytest.mark.parametrize(
    "path",
    [p for p in FILES if p.name == "__init__.py"],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_a_package_file_holds_one_docstring(path: Path) -> None:
    assert len(ast.parse(path.read_text()).body) == 1


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_names_say_what_a_thing_is(path: Path) -> None:
    tree = ast.parse(path.read_text())
    names = [path.stem, *(n.name for n in ast.walk(tree) if isinstance(n, ast.ClassDef))]
    weak = [name for name in names if set(_parts(name)) & BANNED_WORDS]

    assert weak == []


def _parts(name: str) -> list[str]:
    spaced = "".join(f"_{c.lower()}" if c.isupper() else c for c in name)
    return [part for part in spaced.split("_") if part]
