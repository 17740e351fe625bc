"""The wheel, built from a copy of the sources, installed in an empty environment."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("agent", "config", "memory", "migrations", "policy", "trail")
BESIDE = ("pyproject.toml", "setup.py", "README.md", "livekit.yaml")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built in a copy, so that the checkout stays as it is."""
    copy = tmp_path_factory.mktemp("sources")
    for name in PACKAGES:
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in BESIDE:
        shutil.copy(ROOT / name, copy / name)
    built = ROOT / "frontend" / "dist"
    if (built / "index.html").is_file():
        shutil.copytree(built, copy / "frontend" / "dist")
    else:
        (copy / "frontend" / "dist").mkdir(parents=True)
        (copy / "frontend" / "dist" / "index.html").write_text("<!doctype html>")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", "out", "."]
    answer = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout[-2000:] + answer.stderr[-2000:]
    (path,) = (copy / "out").glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of a new environment; what Earwitness depends on is borrowed from ours."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    own = Path(
        subprocess.run(
            [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
    )
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install"]
    offline = ["--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
    subprocess.run([*pip, *offline, str(wheel)], check=True)
    borrowed = own / "borrowed"
    borrowed.mkdir()
    ours = Path(sysconfig.get_path("purelib"))
    for each in ours.iterdir():
        if "earwitness" not in each.name.lower() and not each.name.endswith(".pth"):
            (borrowed / each.name).symlink_to(each)
    (own / "borrowed.pth").write_text(str(borrowed))
    return folder / "bin"


def run(command: Path, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": os.defpath, "HOME": str(folder)}
    return subprocess.run(
        [command, *arguments], cwd=folder, env=environ, capture_output=True, text=True, check=False
    )


def test_the_wheel_carries_all_that_is_not_code(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())

    wanted = {
        "agent/gateway/page/index.html",
        "agent/local/models.lock.toml",
        "config/characters/ada.yaml",
        "config/earwitness.yaml",
        "config/livekit.yaml",
        "policy/rules/earwitness.cedarschema",
    }
    assert wanted - names == set()
    assert any(name.startswith("policy/rules/") and name.endswith(".cedar") for name in names)
    assert any(name.startswith("migrations/versions/2") for name in names)
    assert not [name for name in names if name.startswith(("tests/", "scripts/", "frontend/"))]


def test_an_installed_wheel_starts_from_another_folder(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    elsewhere = tmp_path / "elsewhere"

    helped = run(installed / "earwitness", "--help", folder=elsewhere)
    migrated = run(installed / "earwitness", "migrate", "--data-dir", "mine", folder=elsewhere)
    told = run(installed / "earwitness", "doctor", "--json", "--data-dir", "mine", folder=elsewhere)

    assert helped.returncode == 0, helped.stderr
    assert migrated.returncode == 0, migrated.stderr
    findings = {f["part"]: f for f in json.loads(told.stdout)["findings"]}
    assert str(installed.parent) in findings["page"]["said"]
    assert findings["database"]["state"] == "ok"
    assert findings["characters"]["state"] == "ok"
    assert str(ROOT) not in json.dumps(findings["page"])


def test_the_page_needs_to_be_built_first(wheel: Path, tmp_path: Path) -> None:
    copy = tmp_path / "sources"
    shutil.copytree(
        wheel.parents[1], copy, ignore=shutil.ignore_patterns("frontend", "build", "out")
    )
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", "out", "."]

    answer = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)

    assert answer.returncode != 0
    assert "make wheel" in answer.stdout + answer.stderr
