"""Every setting, with unit, bound and default.

`Settings` itself reads nothing; `config.load` gathers the values at the doors, and nobody else
looks at the environment. The defaults run a private conversation on this machine with no key and
no account.
"""

import ipaddress
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import platformdirs
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    model_validator,
)
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict
from typing_extensions import override

from config.layers import is_several

Tier = Literal["small", "tiny", "off"]


class Group(BaseModel):
    """Base of the nested groups."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


def _as_list(value: Any) -> Any:
    """Let one entry stand for a list of one, and a bare name for an entry."""
    many = value if is_several(value) else [value]
    return [{"provider": item} if isinstance(item, str) else item for item in many]


class ModelChoice(Group):
    """One model that can do a job."""

    provider: str = "local"
    """``local``, ``openai`` (any OpenAI-compatible address), ``deepgram`` or ``plugin``."""
    model: str | None = None
    """Name of the model at the provider; None takes the provider's default."""
    base_url: str | None = None
    """Address of an OpenAI-compatible server (``http://localhost:11434/v1``) or of a Deepgram."""
    api_key: SecretStr | None = None
    """Key at the provider; ``OPENAI_API_KEY`` and ``DEEPGRAM_API_KEY`` count for their own."""
    plugin: str | None = None
    """With ``plugin``: a LiveKit plugin class, such as ``livekit.plugins.cartesia:TTS``."""
    arguments: dict[str, Any] = Field(default_factory=dict)
    """Constructor arguments of the plugin."""
    is_local: bool | None = None
    """Operator's word that payloads stay here; None judges by the address."""


Choices = Annotated[tuple[ModelChoice, ...], BeforeValidator(_as_list), Field(min_length=1)]
"""One model, or several of which the first that works is used."""


class Models(Group):
    """Which models hear, think and speak."""

    tier: Tier = "small"
    """Local models: ``small`` for people, ``tiny`` for tests, ``off``: remote providers only."""
    stt: Choices = (ModelChoice(),)
    """Speech to text: one choice, or a list of which the first that works is used."""
    llm: Choices = (ModelChoice(),)
    """Language model, likewise."""
    tts: Choices = (ModelChoice(),)
    """Text to speech, likewise."""
    vad: Literal["livekit", "silero"] = "livekit"
    """Voice activity detection; both run on this machine."""
    threads: Annotated[int, Field(ge=1, le=64)] = 2
    """Threads that each local model may use."""


class LiveKit(Group):
    """The media server."""

    url: str | None = None
    """``ws://`` or ``wss://`` address; None: ``earwitness up`` starts one on this machine."""
    api_key: SecretStr | None = None
    """Name of the key that signs room tokens; None: the installation's own."""
    api_secret: SecretStr | None = None
    """The key that signs room tokens; None: the installation's own."""
    port: Annotated[int, Field(ge=1, le=65533)] = 7880
    """Signalling port of our own server; media uses the two after it."""
    health_port: Annotated[int, Field(ge=0, le=65535)] = 8081
    """Health page of a worker that runs alone, on this machine only; 0 takes any free port."""
    sessions_at_most: Annotated[int, Field(ge=1, le=1_000)] = 4
    """How many sessions a worker that runs alone takes at once; further ones go to others."""


class Avatar(Group):
    """The face."""

    provider: str = "local"
    """``local`` (drawn on this machine), ``off``, or ``plugin``."""
    plugin: str | None = None
    """Import path of a LiveKit ``AvatarSession`` class."""
    arguments: dict[str, Any] = Field(default_factory=dict)
    """Constructor arguments of the plugin."""
    size_px: Annotated[int, Field(ge=128, le=1080)] = 512
    """Width and height of the picture."""
    fps: Annotated[int, Field(ge=5, le=60)] = 25
    """Frames a second while it speaks."""
    idle_fps: Annotated[int, Field(ge=1, le=60)] = 12
    """Frames a second otherwise."""


class Room(Group):
    """How a room behaves."""

    return_s: Annotated[float, Field(ge=0, le=86_400)] = 60.0
    """A session ends this long after its last person left without saying so."""
    silence_s: Annotated[float, Field(ge=60)] = 3_600.0
    """A session in which nobody says anything ends after this long."""
    people_at_most: Annotated[int, Field(ge=1, le=50)] = 4
    """People in one room, besides the avatar."""
    min_endpointing_s: Annotated[float, Field(ge=0.0, le=5.0)] = 0.3
    """Silence after which a turn that sounds finished ends."""
    max_endpointing_s: Annotated[float, Field(ge=0.1, le=10.0)] = 2.5
    """Silence after which any turn ends."""
    message_chars_at_most: Annotated[int, Field(ge=100)] = 4_000
    """Longer typed messages are refused with a clear answer."""
    framework_transcription: bool = False
    """Also send LiveKit's own transcription topic, which goes to the whole room."""


class Speech(Group):
    """How replies are spoken."""

    reply_tokens_at_most: Annotated[int, Field(ge=16, le=4_096)] = 220
    """What the language model may write in one reply."""
    reply_sentences_at_most: Annotated[int, Field(ge=1, le=100)] = 6
    """What of it is spoken at most."""
    report_timeout_s: Annotated[float, Field(ge=1.0)] = 10.0
    """A segment whose sink reports nothing for this long beyond its audio ends as unknown."""


class Access(Group):
    """Who may ask."""

    mode: Literal["local"] = "local"
    """``local``: whoever sits at this machine; listens on loopback only."""
    allowed_hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "[::1]")
    """Host names under which the page may be asked for; others get 421."""
    policy_profile: Literal["private"] = "private"
    """Which rules apply."""


def _absolute(path: Path) -> Path:
    return path.expanduser().absolute()


Folder = Annotated[Path, AfterValidator(_absolute)]


class Settings(BaseSettings):
    """Everything that can be set."""

    model_config = SettingsConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    data_dir: Folder = Field(default_factory=lambda: Path(platformdirs.user_data_dir("earwitness")))
    """Trail, index, recordings, secrets; default: the platform's folder for a user's data."""
    cache_dir: Folder = Field(
        default_factory=lambda: Path(platformdirs.user_cache_dir("earwitness"))
    )
    """Models and livekit-server, safe to delete; default: the platform's cache folder."""
    database_url: SecretStr | None = None
    """``postgresql://…``; None keeps a SQLite file in the data folder."""
    host: str = "127.0.0.1"
    """Address to listen on; under ``access.mode: local`` a loopback address."""
    port: Annotated[int, Field(ge=1, le=65535)] = 8080
    """Page and API."""
    character: str = "ada"
    """Id of the character that answers."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """What is logged at least."""
    livekit: LiveKit = LiveKit()
    models: Models = Models()
    avatar: Avatar = Avatar()
    room: Room = Room()
    speech: Speech = Speech()
    access: Access = Access()

    @override
    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (init_settings,)  # the other sources are layers of config.load, with their places

    @model_validator(mode="after")
    def _local_means_loopback(self) -> Self:
        if self.access.mode == "local" and not is_loopback(self.host):
            raise ValueError(
                f"host {self.host} is not a loopback address: under access.mode local a name is "
                "enough to sign in, so everybody who reaches the port could be anybody"
            )
        return self


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach ``host``."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
