from pathlib import Path

import pytest

from config.layers import SettingsError
from config.load import Origin, known_names, load_settings, provenance
from config.settings import ModelChoice, Settings


def file(folder: Path, text: str) -> Path:
    path = folder / "my.yaml"
    path.write_text(text)
    return path


def origin(name: str, *, config: Path | None = None, **flags: object) -> Origin:
    return next(o for o in provenance(config=config, **flags) if o.name == name)


def test_given_nothing_then_the_defaults_hold() -> None:
    assert load_settings() == Settings()


def test_the_nearer_place_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = file(tmp_path, "port: 1001\nhost: 127.0.0.2\ncharacter: a\nlog_level: debug\n")
    (tmp_path / ".env").write_text(
        "# mine\nEARWITNESS_PORT=1002\nEARWITNESS_HOST=127.0.0.3\nEARWITNESS_CHARACTER=b\n"
    )
    monkeypatch.setenv("EARWITNESS_PORT", "1003")
    monkeypatch.setenv("EARWITNESS_HOST", "127.0.0.4")

    settings = load_settings(config=config, port=1004, host=None)

    assert settings.port == 1004
    assert settings.host == "127.0.0.4"
    assert settings.character == "b"
    assert settings.log_level == "debug"


def test_every_value_names_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = file(tmp_path, "character: a\nmodels:\n  threads: 3\n")
    (tmp_path / ".env").write_text("\nEARWITNESS_LOG_LEVEL=debug\n")
    monkeypatch.setenv("LIVEKIT_URL", "ws://there:7880")

    assert origin("port", port=1004).place == "--port"
    assert origin("livekit.port", livekit__port=1004).place == "--port"
    assert origin("livekit.url").place == "LIVEKIT_URL"
    assert origin("log_level").place == ".env, line 2: EARWITNESS_LOG_LEVEL"
    assert origin("models.threads", config=config).place == f"{config}, line 3"
    assert origin("models.vad", config=config).place == "default"


def test_given_a_file_named_by_the_environment_then_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EARWITNESS_CONFIG", str(file(tmp_path, "port: 1001")))

    assert load_settings().port == 1001


def test_given_a_file_that_is_missing_then_it_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"nowhere\.yaml"):
        load_settings(config=tmp_path / "nowhere.yaml")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("prot: 1\n", "my.yaml, line 1: prot is not a setting; did you mean port?"),
        (
            "port: 1\nmodels:\n  teir: tiny\n",
            "my.yaml, line 3: models.teir is not a setting; did you mean models.tier?",
        ),
        (
            "models:\n  llm:\n    - provider: openai\n      base_uri: x\n",
            "my.yaml, line 4: models.llm[0].base_uri is not a setting; did you mean "
            "models.llm.base_url?",
        ),
        ("port: 1\nport: 2\n", "my.yaml, line 2: port is set twice"),
        ("port: 99999\n", "my.yaml, line 1: port: Input should be less than or equal to 65535"),
        ("models: {tier: huge}\n", "my.yaml, line 1: models.tier: Input should be"),
        ("port: [1\n", "my.yaml, line 2: "),
        ("- port\n", "my.yaml, line 1: expected settings"),
        ("host: 0.0.0.0\n", "host 0.0.0.0 is not a loopback address"),
    ],
)
def test_given_a_faulty_file_then_the_complaint_says_where_and_what(
    tmp_path: Path, text: str, complaint: str
) -> None:
    with pytest.raises(SettingsError) as raised:
        load_settings(config=file(tmp_path, text))

    assert complaint in str(raised.value)


def test_given_two_faults_then_both_are_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as raised:
        load_settings(config=file(tmp_path, "prot: 1\nhots: 2\n"))

    assert len(str(raised.value).splitlines()) == 2


def test_given_a_misspelt_variable_then_the_right_one_is_offered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("EARWITNESS_MODELS__TEIR", "tiny")

    with pytest.raises(SettingsError, match="did you mean EARWITNESS_MODELS__TIER"):
        load_settings()


def test_given_a_line_in_env_that_cannot_be_read_then_it_is_named(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("OTHER=1\n\nEARWITNESS PORT 3\n")

    with pytest.raises(SettingsError, match=r"\.env, line 3"):
        load_settings()


def test_variables_may_hold_lists_and_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EARWITNESS_MODELS__STT", "[deepgram, {provider: local}]")
    monkeypatch.setenv("EARWITNESS_MODELS__LLM__PROVIDER", "openai")
    monkeypatch.setenv("EARWITNESS_MODELS__LLM__BASE_URL", "http://localhost:11434/v1")
    monkeypatch.setenv("EARWITNESS_MODELS__TTS", "local")

    models = load_settings().models

    assert [c.provider for c in models.stt] == ["deepgram", "local"]
    assert models.llm[0].base_url == "http://localhost:11434/v1"
    assert models.tts[0].provider == "local"


def test_an_empty_variable_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EARWITNESS_PORT", "")

    assert load_settings().port == 8080


def test_a_provider_gets_its_key_but_a_look_alike_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    config = file(
        tmp_path,
        "models:\n  llm:\n    - openai\n    - {provider: openai, base_url: 'http://other/v1'}\n"
        "    - {provider: openai, api_key: own}\n",
    )

    keys = [c.api_key.get_secret_value() if c.api_key else "" for c in _llm(config)]

    assert keys == ["sk-canary", "", "own"]
    assert origin("models.llm[0].api_key", config=config).place == "OPENAI_API_KEY"


def _llm(config: Path) -> tuple[ModelChoice, ...]:
    return load_settings(config=config).models.llm


def test_secrets_are_masked_and_never_in_complaints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIVEKIT_API_SECRET", "canary")
    monkeypatch.setenv("EARWITNESS_DATABASE_URL", "postgresql://u:canary@h/d")
    tts = "{provider: plugin, plugin: 'a:B', arguments: {api_key: canary, speed: 1}}"
    config = file(tmp_path, f"models:\n  tts: {tts}\n")

    told = str(provenance(config=config))
    monkeypatch.setenv("EARWITNESS_LIVEKIT__API_KEY", "[canary]")
    with pytest.raises(SettingsError) as raised:
        load_settings(config=config)

    assert "canary" not in told
    assert "canary" not in str(raised.value)


def test_folders_are_absolute_and_know_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EARWITNESS_DATA_DIR", "~/my data")
    monkeypatch.setenv("HOME", "/home/someone")

    assert load_settings().data_dir == Path("/home/someone/my data")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "localhost", "::1", "[::1]"])
def test_loopback_is_welcome(host: str) -> None:
    assert Settings(host=host).host == host


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.2", "example.org"])
def test_anything_else_is_refused_under_local(host: str) -> None:
    with pytest.raises(ValueError, match="not a loopback address"):
        Settings(host=host)


def test_given_a_variable_of_a_group_that_the_file_gave_one_value_then_the_variable_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = file(tmp_path, "models:\n  llm: local\n")
    monkeypatch.setenv("EARWITNESS_MODELS__LLM__PROVIDER", "openai")
    monkeypatch.setenv("EARWITNESS_MODELS__LLM__BASE_URL", "http://localhost:1/v1")

    assert load_settings(config=config).models.llm[0].provider == "openai"


def test_names_of_all_settings_are_known() -> None:
    assert {"port", "models.tier", "models.llm.base_url", "room.return_s"} <= set(known_names())
