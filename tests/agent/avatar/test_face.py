"""The door: which settings give which face, and what is said when they cannot."""

import asyncio
import importlib
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from livekit import rtc
from livekit.agents import AgentSession
from livekit.agents.inference import AvatarSession as InferenceAvatar
from livekit.agents.voice.avatar import AvatarSession
from typing_extensions import override

from agent.worker.face import FaceMisconfigured, FaceUnavailable, face_available, make_face
from agent.worker.face_track import LocalFace
from config.look import Look
from config.settings import Avatar
from tests.agent.avatar.fakes import FakeRoom, ManualSink, Wrapper

HERE = __name__


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, object]]:
    """Real threads draw here, so time must be real too."""
    return "asyncio", {"debug": False}


class CloudFace(AvatarSession[str]):
    """A plugin as they come."""

    def __init__(self, *, replica: str, api_key: str) -> None:
        super().__init__()
        if not api_key:
            raise ValueError("api_key is required")
        self.replica = replica

    @property
    @override
    def avatar_identity(self) -> str:
        return "cloud-face"

    @override
    async def start(self, agent_session: AgentSession[Any], room: rtc.Room) -> None:
        await super().start(agent_session, room)


class NotAFace:
    pass


def plugin(path: str, **arguments: Any) -> Avatar:
    return Avatar(provider="plugin", plugin=path, arguments=arguments)


def load_without(library: str) -> Any:
    def load(name: str) -> ModuleType:
        if name == "agent.avatar.renderer":
            reason = f"{library}: cannot open shared object file: No such file or directory"
            raise ImportError(reason)
        return importlib.import_module(name)

    return load


def test_off_gives_no_face() -> None:
    assert make_face(Avatar(provider="off"), Look()) is None


async def test_local_gives_a_face_that_is_drawn_here() -> None:
    face = make_face(Avatar(size_px=128), Look())

    assert isinstance(face, LocalFace)
    await face.aclose()


async def test_a_real_face_is_drawn_in_its_own_thread_and_leaves_none_behind() -> None:
    session: AgentSession[None] = AgentSession()
    session.output.audio = Wrapper(ManualSink())
    face = make_face(Avatar(size_px=128), Look())
    assert isinstance(face, LocalFace)
    await face.start(session, room=FakeRoom())

    async with asyncio.TaskGroup() as group:
        group.create_task(face.run())
        while face.figures.drawn < 5:  # noqa: ASYNC110  a drawn frame sets no event
            await asyncio.sleep(0.01)
        drawing = [t.name for t in threading.enumerate() if t.name.startswith("face")]
        await face.aclose()

    assert len(drawing) == 1
    assert not [t for t in threading.enumerate() if t.name.startswith("face")]


def test_given_a_broken_skia_then_a_whole_process_says_so_and_goes_on(tmp_path: Path) -> None:
    (tmp_path / "skia.py").write_text(
        "raise ImportError('libEGL.so.1: cannot open shared object file: No such file')\n"
    )
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from agent.worker.face import face_available, make_face\n"
        "from config.look import Look\n"
        "from config.settings import Avatar\n"
        "sys.stdout.write(f'{face_available()} / {make_face(Avatar(), Look())}')\n"
    )

    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert "face off: libEGL.so.1 is missing; install the system package libegl1" in ran.stdout
    assert ran.stdout.endswith("/ None")


@pytest.mark.parametrize(
    ("library", "package"),
    [("libEGL.so.1", "libegl1"), ("libGL.so.1", "libgl1"), ("libfoo.so.3", "skia-python")],
)
def test_given_a_missing_library_then_the_face_is_off_by_name(library: str, package: str) -> None:
    load = load_without(library)

    assert make_face(Avatar(), Look(), load=load) is None
    assert face_available(load) == FaceUnavailable(library=library, package=package)
    assert package in str(face_available(load))


def test_given_no_skia_then_the_python_package_is_named() -> None:
    def load(_name: str) -> ModuleType:
        raise ModuleNotFoundError("No module named 'skia'", name="skia")

    assert face_available(load) == FaceUnavailable(library="skia", package="skia-python")


def test_the_door_itself_needs_no_drawing_library() -> None:
    door = importlib.import_module("agent.worker.face")

    assert not {"skia", "renderer"} & vars(door).keys()
    assert sys.modules["agent.worker.face_track"].__dict__.get("skia") is None


@pytest.mark.parametrize("separator", [":", "."])
def test_a_plugin_is_constructed_with_its_arguments(separator: str) -> None:
    face = make_face(plugin(f"{HERE}{separator}CloudFace", replica="r1", api_key="k"), Look())

    assert isinstance(face, CloudFace)
    assert face.replica == "r1"


def test_a_cloud_face_of_the_framework_is_constructed() -> None:
    settings = plugin(
        "livekit.agents.inference:AvatarSession",
        model="lemonslice/agent_abc",
        base_url="http://127.0.0.1:1",
        api_key="key",
        api_secret="secret",
    )

    face = make_face(settings, Look())

    assert isinstance(face, InferenceAvatar)
    assert face.avatar_identity == "lemonslice-inference-avatar"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (Avatar(provider="locl"), r"no face provider 'locl'; did you mean 'local'"),
        (Avatar(provider="tavus"), r"plugin 'livekit.plugins.tavus:AvatarSession'"),
        (Avatar(provider="zzz"), r"there are: local, off, plugin"),
        (Avatar(provider="plugin"), r"needs avatar.plugin"),
        (plugin("AvatarSession"), r"not an import path"),
        (plugin("livekit.plugins.tavs:AvatarSession"), r"did you mean 'livekit.plugins.tavus'"),
        (plugin("livekit.plugins.tavus:AvatarSession"), r"install livekit-plugins-tavus"),
        (plugin("no_such_module:Face"), r"'no_such_module' cannot be imported; is the plugin"),
        (plugin(f"{HERE}:CloudFase"), r"did you mean 'CloudFace'"),
        (plugin(f"{HERE}:NotAFace"), r"is not a LiveKit AvatarSession"),
        (plugin(f"{HERE}:HERE"), r"is not a LiveKit AvatarSession"),
        (plugin(f"{HERE}:CloudFace", replica="r1"), r"refused avatar.arguments: .*api_key"),
        (plugin(f"{HERE}:CloudFace", replica="r1", api_key=""), r"api_key is required"),
    ],
)
def test_given_a_wrong_setting_then_it_is_said_what_to_do(settings: Avatar, said: str) -> None:
    with pytest.raises(FaceMisconfigured, match=said):
        make_face(settings, Look())
