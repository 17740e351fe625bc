"""The model server as a process: who may ask what, and what it says of a broken file."""

import json
from pathlib import Path

import httpx
import pytest

from tests.models import KEY, ModelServer, start_model_server, tiny_model

AUTHORISED = {"Authorization": f"Bearer {KEY}"}


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/models"),
        ("GET", "/models"),
        ("GET", "/props"),
        ("GET", "/slots"),
        ("GET", "/metrics"),
        ("POST", "/tokenize"),
        ("POST", "/v1/chat/completions"),
        ("POST", "/completion"),
        ("POST", "/slots/0?action=save"),
    ],
)
@pytest.mark.parametrize("key", ["", "Bearer wrong"])
def test_given_no_key_when_asked_then_the_answer_is_401(
    method: str, path: str, key: str, model_server: ModelServer
) -> None:
    headers = {"Authorization": key} if key else {}

    answer = httpx.request(method, model_server.root + path, headers=headers, timeout=30)

    assert answer.status_code == httpx.codes.UNAUTHORIZED


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/slots"), ("GET", "/metrics"), ("POST", "/props"), ("POST", "/slots/0?action=save")],
)
def test_given_the_key_when_slots_or_metrics_are_asked_for_then_they_are_off(
    method: str, path: str, model_server: ModelServer
) -> None:
    answer = httpx.request(method, model_server.root + path, headers=AUTHORISED, timeout=30)

    assert answer.status_code == httpx.codes.NOT_IMPLEMENTED


def test_without_a_key_health_says_ok_and_nothing_else(model_server: ModelServer) -> None:
    assert httpx.get(f"{model_server.root}/health").json() == {"status": "ok"}


def test_given_a_page_of_another_origin_when_it_asks_then_its_browser_is_not_allowed_to_read(
    model_server: ModelServer,
) -> None:
    answer = httpx.options(
        f"{model_server.base_url}/models",
        headers={"Origin": "https://example.com", "Access-Control-Request-Method": "GET"},
    )

    assert answer.headers.get("Access-Control-Allow-Origin") not in {"*", "https://example.com"}


def test_given_the_key_when_asked_then_the_model_answers(model_server: ModelServer) -> None:
    question = {"role": "user", "content": "What is the capital of France? One word."}

    answer = httpx.post(
        f"{model_server.base_url}/chat/completions",
        headers=AUTHORISED,
        json={"messages": [question], "max_tokens": 8, "temperature": 0},
        timeout=120,
    )

    assert "Paris" in answer.json()["choices"][0]["message"]["content"]


def broken(name: str, folder: Path) -> Path:
    path = folder / name
    if name == "missing.gguf":
        return path
    path.write_bytes(b"GGUF" + bytes(1_000) if name != "other.gguf" else b"hello")
    return path


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("qwen2.5-coder-0.5b-instruct-q4_k_m.gguf", "is cut short: 1004 of 491400064 bytes"),
        ("missing.gguf", "cannot be read"),
        ("other.gguf", "is no GGUF model"),
        ("truncated.gguf", "cannot be loaded"),
    ],
)
def test_given_a_broken_model_file_when_started_then_the_error_says_what_it_is(
    name: str, words: str, tmp_path: Path
) -> None:
    process = start_model_server(broken(name, tmp_path))

    _, errors = process.communicate(timeout=120)

    assert process.returncode == 2
    assert words in errors.splitlines()[-1]
    assert name in errors


def test_given_no_key_when_started_then_it_refuses() -> None:
    process = start_model_server(Path("x.gguf"), "--key-file", "/dev/null")

    _, errors = process.communicate(timeout=60)

    assert process.returncode == 2
    assert "no key" in errors


def test_given_a_stop_signal_when_serving_then_it_ends_at_once_and_well() -> None:
    process = start_model_server(tiny_model("llm"), "--context-tokens", "256", "--slots", "1")
    assert process.stdout is not None
    process.stdout.readline()
    assert json.loads(process.stdout.readline())["state"] == "ready"

    process.terminate()
    process.communicate(timeout=30)

    assert process.returncode == 0
