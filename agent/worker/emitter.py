"""What LiveKit's sessions and rooms have in common: events. Their own signatures are untyped."""

from collections.abc import Callable
from typing import Any, Protocol


class Emitter(Protocol):
    """Calls back synchronously; a callback hands over and returns."""

    def on(self, event: str, callback: Callable[..., Any]) -> object:
        """Call ``callback`` on every ``event``."""
        ...

    def off(self, event: str, callback: Callable[..., Any]) -> None:
        """Stop calling it."""
        ...
