import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from config.logging import configure_logging

CANARY = "marzipan"


@pytest.fixture
def out() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before = (root.handlers[:], root.level)
    stream = io.StringIO()
    configure_logging(level="debug", json=True, stream=stream)
    yield stream
    structlog.reset_defaults()
    root.handlers[:], root.level = before


def _fail(heard: str) -> None:
    raise ValueError(f"cannot parse {heard}")


def _fail_because_of(heard: str) -> None:
    try:
        _fail(heard)
    except ValueError as error:
        raise OSError("disk full") from error


def lines(out: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_content_is_replaced_by_its_length(out: io.StringIO) -> None:
    structlog.get_logger().info(
        "turn_committed", text=CANARY, user_transcript=CANARY, api_key=CANARY, turn_id="t1", words=3
    )

    (line,) = lines(out)
    assert line["text_len"] == line["user_transcript_len"] == len(CANARY)
    assert (line["turn_id"], line["words"]) == ("t1", 3)
    assert CANARY not in out.getvalue()


def test_tracebacks_hold_places_but_neither_locals_nor_foreign_messages(out: io.StringIO) -> None:
    try:
        _fail(CANARY)
    except ValueError:
        structlog.get_logger().exception("turn_failed")

    (line,) = lines(out)
    assert "ValueError: <21 characters>" in str(line["exception"])
    assert "test_logging.py" in str(line["exception"])
    assert CANARY not in out.getvalue()


def test_causes_are_told_too(out: io.StringIO) -> None:
    try:
        _fail_because_of(CANARY)
    except OSError:
        logging.getLogger("somebody").exception("failed")

    (line,) = lines(out)
    assert "OSError: disk full" in str(line["exception"])
    assert "ValueError" in str(line["exception"])
    assert CANARY not in out.getvalue()


def test_livekit_is_heard_at_info_but_never_at_debug(out: io.StringIO) -> None:
    logging.getLogger("livekit.agents").debug("received user transcript %s", CANARY)
    logging.getLogger("livekit.agents").info(
        "job started", extra={"job_id": "j1", "user_transcript": CANARY, "pushed_text": CANARY}
    )

    (line,) = lines(out)
    assert (line["event"], line["job_id"], line["level"]) == ("job started", "j1", "info")
    assert CANARY not in out.getvalue()


def test_access_lines_have_no_query(out: io.StringIO) -> None:
    logging.getLogger("uvicorn.access").info(
        '%s - "%s %s HTTP/%s" %d', "127.0.0.1:1", "GET", f"/api?invitation={CANARY}", "1.1", 200
    )

    (line,) = lines(out)
    assert line["event"] == '127.0.0.1:1 - "GET /api HTTP/1.1" 200'


def test_addresses_asked_by_clients_are_not_logged(out: io.StringIO) -> None:
    logging.getLogger("httpx").info("HTTP Request: GET https://x/?q=%s", CANARY)

    assert out.getvalue() == ""


def test_bound_ids_are_in_every_line(out: io.StringIO) -> None:
    with structlog.contextvars.bound_contextvars(session_id="s1"):
        structlog.get_logger().info("one")
        logging.getLogger("livekit.agents").info("two")

    assert [line["session_id"] for line in lines(out)] == ["s1", "s1"]


def test_a_console_shows_plain_lines() -> None:
    stream = io.StringIO()
    configure_logging(json=False, stream=stream)

    structlog.get_logger().warning("model_slow", waited_s=3.0)
    structlog.reset_defaults()

    assert "model_slow" in stream.getvalue()
    assert "{" not in stream.getvalue()
