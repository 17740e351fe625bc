"""Every setting, with unit, bound and default. Read once at the doors; nobody else looks.

Order of precedence: flag (constructor argument), environment (``EARWITNESS_…``, nested with
``__``), ``.env``, configuration file, default. The defaults run a private conversation on this
machine with no key and no account.
"""

from pathlib import Path
from typing import Annotated, Any, Literal, cast

import platformdirs
from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

Tier = Literal["small", "tiny", "off"]


class Group(BaseModel):
    """Base of the nested groups."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def _as_list(value: Any) -> Any:
    """Let one entry stand for a list of one, and a bare name for an entry."""
    items = cast("list[Any]", [*value] if isinstance(value, list | tuple) else [value])
    return [{"provider": item} if isinstance(item, str) else item for item in items]


class ModelChoice(Group):
    """One model that can do a job."""

    provider: str = "local"
    """``local``, ``openai`` (any OpenAI-compatible address), ``deepgram`` or ``plugin``."""
    model: str | None = None
    base_url: str | None = None
    api_key: SecretStr | None = None
    plugin: str | None = None
    """With ``plugin``: a LiveKit plugin class, such as ``livekit.plugins.cartesia:TTS``."""
    arguments: dict[str, Any] = Field(default_factory=dict)
    """Constructor arguments of the plugin."""
    is_local: bool | None = None
    """Operator's word that payloads stay here; None judges by the address."""
    context_tokens: Annotated[int, Field(ge=512)] | None = None
    """How much the model can read; None takes the provider's own word."""


Choices = Annotated[tuple[ModelChoice, ...], BeforeValidator(_as_list), Field(min_length=1)]
"""One model, or several of which the first that works is used."""


class Models(Group):
    """Which models hear, think and speak."""

    tier: Tier = "small"
    """Local models: ``small`` for people, ``tiny`` for tests, ``off``: remote providers only."""
    stt: Choices = (ModelChoice(),)
    llm: Choices = (ModelChoice(),)
    tts: Choices = (ModelChoice(),)
    vad: Literal["livekit", "silero"] = "livekit"
    threads: Annotated[int, Field(ge=1, le=64)] = 2


class LiveKit(Group):
    """The media server."""

    url: str | None = Field(default=None, validation_alias=AliasChoices("url", "LIVEKIT_URL"))
    """None: ``earwitness up`` starts one on this machine."""
    api_key: SecretStr | None = None
    api_secret: SecretStr | None = None
    port: Annotated[int, Field(ge=1, le=65533)] = 7880
    """Signalling port of our own server; media uses the two after it."""


class Avatar(Group):
    """The face."""

    provider: str = "local"
    """``local`` (drawn on this machine), ``off``, or ``plugin``."""
    plugin: str | None = None
    """Import path of a LiveKit ``AvatarSession`` class."""
    arguments: dict[str, Any] = Field(default_factory=dict)
    size_px: Annotated[int, Field(ge=128, le=1080)] = 512
    fps: Annotated[int, Field(ge=5, le=60)] = 25
    idle_fps: Annotated[int, Field(ge=1, le=60)] = 12


class Room(Group):
    """How a room behaves."""

    return_s: Annotated[float, Field(ge=0, le=86_400)] = 60.0
    """A session ends this long after its last person left without saying so."""
    silence_s: Annotated[float, Field(ge=60)] = 3_600.0
    """A session in which nobody says anything ends after this long."""
    people_at_most: Annotated[int, Field(ge=1, le=50)] = 4
    min_endpointing_s: Annotated[float, Field(ge=0.0, le=5.0)] = 0.3
    max_endpointing_s: Annotated[float, Field(ge=0.1, le=10.0)] = 2.5
    message_chars_at_most: Annotated[int, Field(ge=100)] = 4_000
    """Longer typed messages are refused with a clear answer."""
    framework_transcription: bool = False
    """Also send LiveKit's own transcription topic, which goes to the whole room."""


class Speech(Group):
    """How replies are spoken."""

    reply_tokens_at_most: Annotated[int, Field(ge=16, le=4_096)] = 220
    reply_sentences_at_most: Annotated[int, Field(ge=1, le=100)] = 6
    report_timeout_s: Annotated[float, Field(ge=1.0)] = 10.0
    """A segment whose sink reports nothing for this long beyond its audio ends as unknown."""


class Access(Group):
    """Who may ask."""

    mode: Literal["local"] = "local"
    allowed_hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "[::1]")
    policy_profile: str = "private"


class Settings(BaseSettings):
    """Everything that can be set."""

    model_config = SettingsConfigDict(
        env_prefix="EARWITNESS_",
        env_nested_delimiter="__",
        env_file=".env",
        env_file_encoding="utf-8",
        extra="forbid",
        frozen=True,
    )

    data_dir: Path = Field(default_factory=lambda: Path(platformdirs.user_data_dir("earwitness")))
    """Trail, index, recordings, secrets."""
    cache_dir: Path = Field(default_factory=lambda: Path(platformdirs.user_cache_dir("earwitness")))
    """Models and livekit-server; safe to delete."""
    database_url: SecretStr | None = None
    """``postgresql://…``; None keeps a SQLite file in the data folder."""
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=1, le=65535)] = 8080
    character: str = "ada"
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    livekit: LiveKit = LiveKit()
    models: Models = Models()
    avatar: Avatar = Avatar()
    room: Room = Room()
    speech: Speech = Speech()
    access: Access = Access()
