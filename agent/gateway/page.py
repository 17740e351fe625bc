"""The built front end: files with a hash in their name never change, the page itself is asked
for anew each time, and addresses of the page's own routes get the page.
"""

import hashlib
import mimetypes
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send
from typing_extensions import override

_INDEX: Final = "index.html"
_HASHED_FOLDER: Final = "assets/"
_FOREVER: Final = "public, max-age=31536000, immutable"
_NOT_FOUND: Final = 404
_NOT_BUILT: Final = (
    "<!doctype html><html lang=en><title>Earwitness</title><p>The page has not been built. "
    "Run <code>make up</code> in the checkout, which builds it, then reload.</p></html>"
)


def built_page() -> Path | None:
    """Return the folder of the built page: the wheel's, else the checkout's; None without."""
    here = Path(__file__).resolve()
    candidates = (here.parent / "page", here.parents[2] / "frontend" / "dist")
    return next((folder for folder in candidates if (folder / _INDEX).is_file()), None)


def build_id(software: str, page_folder: Path | None) -> str:
    """Return a short name of this program with this page, so that an old page can be noticed."""
    if page_folder is None or not (page_folder / _INDEX).is_file():
        return software
    digest = hashlib.sha256((page_folder / _INDEX).read_bytes()).hexdigest()
    return f"{software}-{digest[:10]}"


class BuiltPage(StaticFiles):
    """Serves one folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder)
        # A machine's own table may call scripts plain text, and then browsers refuse to run them.
        mimetypes.add_type("text/javascript", ".js")

    @override
    async def get_response(self, path: str, scope: Scope) -> Response:
        wanted = _INDEX if path in {"", "."} else path
        try:
            response = await super().get_response(wanted, scope)
        except HTTPException as error:
            if error.status_code != _NOT_FOUND or not _is_page_route(wanted):
                raise
            response = await super().get_response(_INDEX, scope)
        forever = wanted.startswith(_HASHED_FOLDER)
        response.headers["Cache-Control"] = _FOREVER if forever else "no-cache"
        return response


def _is_page_route(path: str) -> bool:
    """Tell whether ``path`` may be one of the page's own addresses; files have a suffix."""
    return not f"{path}/".startswith(_HASHED_FOLDER) and "." not in path.rpartition("/")[2]


async def not_built(scope: Scope, receive: Receive, send: Send) -> None:
    """ASGI application in place of a page that was not built."""
    response = HTMLResponse(_NOT_BUILT, status_code=503, headers={"Cache-Control": "no-cache"})
    await response(scope, receive, send)
