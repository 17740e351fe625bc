"""Recorded sessions and what they must still mean. Update on purpose: pytest --update-golden."""

import json
from pathlib import Path

import pytest

from agent.replay.lines import from_lines, to_lines
from agent.replay.transcript import transcript
from agent.replay.verify import verify_session
from agent.speech.history import history_from, prompt_messages
from trail.errors import TrailCorrupt
from trail.ids import ContentId

HERE = Path(__file__).parent
SESSIONS = sorted(path.parent for path in HERE.glob("*/trail.jsonl"))
BROKEN = sorted(path.parent for path in HERE.glob("broken/*/trail.jsonl"))


def lines_of(session: Path) -> list[str]:
    return (session / "trail.jsonl").read_text().splitlines()


def texts_of(session: Path) -> dict[ContentId, str]:
    return json.loads((session / "texts.json").read_text())  # type: ignore[no-any-return]


def test_there_are_sessions_to_look_at() -> None:
    assert len(SESSIONS) >= 5
    assert len(BROKEN) >= 3


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: path.name)
def test_a_recorded_session_still_means_the_same(
    session: Path, pytestconfig: pytest.Config
) -> None:
    envelopes = tuple(from_lines(lines_of(session)))
    texts = texts_of(session)
    read = transcript(envelopes, texts, perceiver=None, everything=True)
    prompt = prompt_messages(history_from(envelopes, texts))

    view = {**read.to_json(), "prompt": [[line.role, line.text] for line in prompt]}
    got = json.dumps(view, ensure_ascii=False, indent=2) + "\n"

    agrees(session / "view.json", got, pytestconfig)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: path.name)
def test_a_recorded_session_still_verifies(session: Path) -> None:
    found = verify_session(from_lines(lines_of(session)), texts_of(session))

    assert found.other_logic is None
    assert found.erased == 0


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: path.name)
def test_writing_a_session_down_again_changes_nothing(session: Path) -> None:
    lines = lines_of(session)

    again = list(to_lines(from_lines(lines)))

    assert [json.loads(line) for line in again] == [json.loads(line) for line in lines]


@pytest.mark.parametrize("session", BROKEN, ids=lambda path: path.name)
def test_a_broken_session_gives_the_error_that_says_where(
    session: Path, pytestconfig: pytest.Config
) -> None:
    with pytest.raises(TrailCorrupt) as caught:
        verify_session(from_lines(lines_of(session)), {})

    agrees(session / "error.txt", str(caught.value).partition("\n")[0] + "\n", pytestconfig)


def agrees(expected: Path, got: str, config: pytest.Config) -> None:
    if config.getoption("--update-golden"):
        expected.write_text(got)
    assert got == expected.read_text()
