import json
from pathlib import Path

from agent.cli.parts import House, children_of, story_of
from agent.cli.prepare import Brains
from agent.local.addresses import Addresses
from agent.local.livekit_server import Binary
from agent.local.model_fetch import Obtained
from agent.local.model_lock import load_lock
from agent.local.secrets import load_secrets
from config.settings import ModelChoice, Models, Settings


def house(folder: Path, *, local: bool = True) -> House:
    entry = load_lock().candidates("llm", "tiny")[0]
    models = Models(tier="tiny") if local else Models(llm=(ModelChoice(provider="openai"),))
    settings = Settings(data_dir=folder, models=models)
    obtained = Obtained(entry=entry, path=folder / "model.gguf")
    return House(
        settings=settings,
        secrets=load_secrets(folder),
        server=Binary(path=Path("/bin/livekit-server"), version="1.13.5") if local else None,
        brains=Brains(obtained=(("llm", obtained),) if local else ()),
        addresses=Addresses(
            page_url="http://localhost:8080",
            livekit_url="ws://127.0.0.1:7880",
            model_server_url=None,
            supervisor_pid=1,
        ),
        model_server_port=1234 if local else None,
        arguments=("--port", "8080"),
        tcp_media=False,
    )


def test_the_parts_start_in_order_and_the_house_waits_for_livekit(tmp_path: Path) -> None:
    children, off = children_of(house(tmp_path))

    assert [child.name for child in children] == ["livekit-server", "model-server", "house"]
    assert children[2].after == ("livekit-server",)
    assert children[2].command[-3:] == ("house", "--port", "8080")
    assert off == ()


def test_given_providers_elsewhere_then_only_the_house_runs_and_the_rest_is_listed_as_off(
    tmp_path: Path,
) -> None:
    children, off = children_of(house(tmp_path, local=False))

    assert [child.name for child in children] == ["house"]
    assert [(part.name, part.state) for part in off] == [
        ("livekit-server", "off"),
        ("model-server", "off"),
    ]


def test_no_key_is_in_a_command_line(tmp_path: Path) -> None:
    built = house(tmp_path)
    children, _ = children_of(built)
    words = " ".join(word for child in children for word in child.command)

    assert built.secrets.livekit_secret not in words
    assert built.secrets.model_server_key not in words
    config = json.loads((tmp_path / "run" / "livekit.yaml").read_text())
    assert config["keys"] == {built.secrets.livekit_key: built.secrets.livekit_secret}


def test_the_story_says_what_runs_on_which_model(tmp_path: Path) -> None:
    story = "\n".join(story_of(house(tmp_path)))

    entry = load_lock().candidates("llm", "tiny")[0]
    assert f"thinks     {entry.name} on this machine" in story
    assert "1.13.5 at ws://127.0.0.1:7880" in story
