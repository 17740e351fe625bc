"""Character files: the packaged ones, an operator's own, and what is said of mistakes."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.character import CharacterFileWrong, choose, load_characters, read_character

SMALLEST = "id: bo\nname: Bo\ndisplay_name: Bo\nprompt: You are Bo.\n"


def test_the_packaged_character_is_complete() -> None:
    ada = load_characters(None)["ada"]

    assert (ada.name, ada.voice.name) == ("Ada", "heart")
    assert ada.greeting
    assert ada.tools == ()


def test_the_packaged_prompt_is_short_enough_for_a_small_model() -> None:
    prompt = load_characters(None)["ada"].prompt

    assert prompt.startswith("You are Ada")
    assert len(prompt.split()) < 180
    assert not set("*#`•") & set(prompt)


def test_given_no_folder_when_loading_then_the_packaged_characters_are_there(
    tmp_path: Path,
) -> None:
    assert load_characters(tmp_path / "missing").keys() == load_characters(None).keys()


def test_given_a_file_in_the_folder_when_loading_then_it_is_added(tmp_path: Path) -> None:
    (tmp_path / "bo.yaml").write_text(SMALLEST)

    characters = load_characters(tmp_path)

    assert {"ada", "bo"} <= characters.keys()


def test_given_a_file_with_a_packaged_id_when_loading_then_it_replaces(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(SMALLEST.replace("id: bo", "id: ada"))

    assert load_characters(tmp_path)["ada"].name == "Bo"


def test_given_two_files_with_one_id_when_loading_then_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(SMALLEST)
    (tmp_path / "b.yaml").write_text(SMALLEST)

    with pytest.raises(CharacterFileWrong, match=r"b\.yaml.*'bo' too"):
        load_characters(tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SMALLEST + "grreting: Hi\n", r"line 5: unknown entry 'grreting'; did you mean 'greeting'"),
        (SMALLEST + "look:\n  hairr: x\n", r"line 6: unknown entry 'look.hairr'; did you mean 'h"),
        (SMALLEST + "look:\n  hair: brown\n", r"line 6: 'look.hair' must be a colour such as"),
        (SMALLEST + "voice:\n\n  speed: 9\n", r"line 7: 'voice.speed': .*less than or equal to 2"),
        (SMALLEST + "tags: [a, b, '']\n", r"line 5: 'tags.2'"),
        (SMALLEST + "name: Bob\n", r"line 5: 'name' is given twice"),
        (SMALLEST.replace("prompt: You are Bo.\n", ""), r"line 1: 'prompt' is missing"),
        (SMALLEST.replace("id: bo", "id: '../bo'"), r"line 1: 'id'"),
        (SMALLEST + "tags: [2001-99-99]\n", r"line 1: not valid YAML"),
        ("id: [", r"line 1: not valid YAML"),
        ("- just\n- a list\n", r"line 1: a character is a list of"),
        ("", r"line 1: a character is a list of"),
    ],
)
def test_given_a_mistake_when_reading_then_line_and_remedy_are_said(text: str, said: str) -> None:
    with pytest.raises(CharacterFileWrong, match=said):
        read_character(text, file="bo.yaml")


def test_given_bytes_that_are_not_text_when_loading_then_the_line_is_said(tmp_path: Path) -> None:
    (tmp_path / "bo.yaml").write_bytes(b"id: bo\nname: \xff\xfe\n")

    with pytest.raises(CharacterFileWrong, match=r"bo\.yaml, line 2: not UTF-8"):
        load_characters(tmp_path)


def test_given_a_huge_file_when_loading_then_it_is_refused_unread(tmp_path: Path) -> None:
    (tmp_path / "bo.yaml").write_bytes(b"#" * 1_000_000)

    with pytest.raises(CharacterFileWrong, match="too large"):
        load_characters(tmp_path)


def test_given_an_unknown_character_when_choosing_then_the_nearest_is_offered() -> None:
    with pytest.raises(LookupError, match="did you mean 'ada'"):
        choose(load_characters(None), "adda")


@given(text=st.text(max_size=200))
def test_any_text_is_a_character_or_a_named_mistake(text: str) -> None:
    try:
        character = read_character(text, file="any.yaml")
    except CharacterFileWrong:
        return
    assert character.id


@given(pitch=st.floats(0.5, 2.0), speed=st.floats(0.5, 2.0))
def test_a_voice_within_bounds_is_accepted(pitch: float, speed: float) -> None:
    character = read_character(
        f"{SMALLEST}voice: {{pitch: {pitch!r}, speed: {speed!r}}}\n", file="bo.yaml"
    )

    assert (character.voice.pitch, character.voice.speed) == (pitch, speed)
