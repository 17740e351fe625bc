"""The door through which every face attaches: drawn here, a LiveKit plugin, or none.

``make_face`` is the only place that knows the kinds. What comes out is started, and closed,
the same way: ``start(session, room)`` and ``aclose()``.
"""

import difflib
import importlib
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, cast

import numpy as np
import structlog
from livekit.agents.voice.avatar import AvatarSession
from typing_extensions import override

from agent.avatar.rig import Rig
from agent.worker.easel import Drawing, Easel
from agent.worker.face_track import LocalFace, VideoTarget
from config.look import Look
from config.settings import Avatar
from trail.errors import EarwitnessError

PROVIDERS = ("local", "off", "plugin")
PLUGINS = (
    "anam",
    "avatario",
    "avatartalk",
    "bey",
    "bithuman",
    "did",
    "keyframe",
    "lemonslice",
    "liveavatar",
    "runway",
    "simli",
    "synthesia",
    "tavus",
    "trugen",
)
"""LiveKit plugins that draw faces, for suggestions; any other importable class works too."""

_DRAWING = "agent.avatar.renderer"
_PACKAGE_OF_LIBRARY = {"libEGL": "libegl1", "libGL": "libgl1", "libfontconfig": "libfontconfig1"}
"""Debian's names for the libraries that Skia needs from the system."""
_SEED = 7
"""Faces blink and look about in the same rhythm each time, which nobody notices."""

Load = Callable[[str], ModuleType]

log: structlog.stdlib.BoundLogger = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceUnavailable:
    """Why no face can be drawn on this machine."""

    library: str
    """What is missing: a system library such as ``libEGL.so.1``, or ``skia``."""
    package: str
    """What to install: a Debian package, or the Python package ``skia-python``."""

    @override
    def __str__(self) -> str:
        kind = "Python package" if self.package == "skia-python" else "system package"
        return f"face off: {self.library} is missing; install the {kind} {self.package}"


class FaceMisconfigured(EarwitnessError):
    """The ``avatar`` settings name a face that cannot be built; the message says what to do."""


def face_available(load: Load = importlib.import_module) -> FaceUnavailable | None:
    """Return None if a face can be drawn here, else what is missing."""
    try:
        load(_DRAWING)
    except ImportError as error:
        return _missing(error)
    return None


def make_face(
    avatar: Avatar, look: Look, *, load: Load = importlib.import_module
) -> LocalFace | AvatarSession[Any] | None:
    """Return the face that the settings ask for, not yet started.

    Args:
        avatar: The settings.
        look: Colours of the character; for a drawn face.
        load: Imports a module by name. The drawing needs system libraries that may be missing,
            and plugins may not be installed, so neither is imported before it is wanted.

    Returns:
        None where the face is off or, with a warning, cannot be drawn here.

    Raises:
        FaceMisconfigured: The provider or its plugin is unknown, or the plugin refused.
    """
    match avatar.provider:
        case "off":
            return None
        case "local":
            return _local(avatar, look, load)
        case "plugin":
            return _plugin(avatar.plugin, avatar.arguments, load)
        case other:
            raise FaceMisconfigured(f"no face provider {other!r}; {_meant_provider(other)}")


def _local(avatar: Avatar, look: Look, load: Load) -> LocalFace | None:
    missing = face_available(load)
    if missing is not None:
        log.warning("face_unavailable", library=missing.library, package=missing.package)
        return None
    renderer = cast("Callable[[Look, int], Drawing]", load(_DRAWING).Renderer)
    target = VideoTarget(avatar.size_px)
    easel = Easel(
        lambda: renderer(look, avatar.size_px), Rig(np.random.default_rng(_SEED)), target.show
    )
    return LocalFace(easel, target, fps=avatar.fps, idle_fps=avatar.idle_fps)


def _plugin(path: str | None, arguments: dict[str, Any], load: Load) -> AvatarSession[Any]:
    if not path:
        raise FaceMisconfigured(
            "provider 'plugin' needs avatar.plugin, such as 'livekit.plugins.tavus:AvatarSession'"
        )
    module_name, _, class_name = path.partition(":")
    if not class_name:
        module_name, _, class_name = path.rpartition(".")
    if not module_name:
        raise FaceMisconfigured(f"avatar.plugin {path!r} is not an import path 'module:Class'")
    try:
        module = load(module_name)
    except ImportError as error:
        raise FaceMisconfigured(
            f"avatar.plugin {module_name!r} cannot be imported; {_meant_plugin(module_name)}"
        ) from error
    kind = getattr(module, class_name, None)
    if kind is None:
        raise FaceMisconfigured(
            f"{module_name} has no {class_name!r}{_did_you_mean(class_name, _sessions_in(module))}"
        )
    if not (inspect.isclass(kind) and issubclass(kind, AvatarSession)):
        raise FaceMisconfigured(f"{path} is not a LiveKit AvatarSession")
    try:
        return cast("Callable[..., AvatarSession[Any]]", kind)(**arguments)
    except (TypeError, ValueError) as error:
        raise FaceMisconfigured(f"{path} refused avatar.arguments: {error}") from error


def _missing(error: ImportError) -> FaceUnavailable:
    """Read the loader's message: ``libEGL.so.1: cannot open shared object file: …``."""
    library = str(error).partition(":")[0] if ".so" in str(error) else (error.name or "skia")
    package = _PACKAGE_OF_LIBRARY.get(library.partition(".")[0], "skia-python")
    return FaceUnavailable(library=library, package=package)


def _meant_provider(wanted: str) -> str:
    if wanted in PLUGINS:
        return f"use provider 'plugin' with plugin 'livekit.plugins.{wanted}:AvatarSession'"
    close = difflib.get_close_matches(wanted, PROVIDERS, n=1)
    return f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(PROVIDERS)}"


def _meant_plugin(module_name: str) -> str:
    wanted = module_name.removeprefix("livekit.plugins.")
    if wanted in PLUGINS:
        return f"install livekit-plugins-{wanted}"
    close = difflib.get_close_matches(wanted, PLUGINS, n=1)
    if close:
        return f"did you mean 'livekit.plugins.{close[0]}'?"
    return "is the plugin installed in this environment?"


def _did_you_mean(wanted: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(wanted, known, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; its faces are: {', '.join(known)}" if known else ""


def _sessions_in(module: ModuleType) -> list[str]:
    return [
        name
        for name, value in vars(module).items()
        if inspect.isclass(value) and issubclass(value, AvatarSession)
    ]
