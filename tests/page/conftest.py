"""The gallery of the page's states, built and served with the product's strict policy."""

import shutil
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright
from typing_extensions import override

from agent.gateway.front_door import security_headers

FRONTEND = Path(__file__).resolve().parents[2] / "frontend"
CHROMIUM = "/usr/bin/chromium"


class _Strict(SimpleHTTPRequestHandler):
    @override
    def end_headers(self) -> None:
        for name, value in security_headers("ws://127.0.0.1:7880").items():
            self.send_header(name, value)
        super().end_headers()

    @override
    def log_message(self, format: str, *args: object) -> None:
        """Keep the output of the tests quiet."""


@pytest.fixture(scope="session")
def front_end() -> Path:
    """The folder of the front end, with what it needs to be built."""
    if shutil.which("npm") is None or not (FRONTEND / "node_modules").is_dir():
        pytest.skip("the front end is not set up; `make test` does it")
    return FRONTEND


@pytest.fixture(scope="session")
def gallery(front_end: Path) -> Iterator[str]:
    """Address of a page that shows each state."""
    subprocess.run(["npm", "run", "--silent", "gallery"], cwd=front_end, check=True, timeout=120)
    handler = partial(_Strict, directory=str(front_end / "build" / "gallery"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/gallery.html"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One headless browser, gone with the module: while it runs, no other loop can."""
    if not Path(CHROMIUM).exists():
        pytest.fail(f"{CHROMIUM} is missing; `make test` installs it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()
