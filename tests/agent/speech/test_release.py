"""When a sentence may leave."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.speech.release import may_release, playing_index


@pytest.mark.parametrize(
    ("index", "playing", "may"),
    [(0, None, True), (1, None, False), (1, 0, True), (2, 0, False), (2, 1, True)],
)
def test_sentences_leave_one_ahead_of_the_one_being_played(
    index: int,
    playing: int | None,
    may: bool,  # noqa: FBT001 (a table)
) -> None:
    assert may_release(index, playing) is may


@given(playing=st.integers(min_value=0, max_value=50), index=st.integers(0, 60))
def test_never_more_than_one_sentence_waits_in_the_output(playing: int, index: int) -> None:
    assert may_release(index, playing) == (index - playing <= 1)


@pytest.mark.parametrize(
    ("playhead_s", "index"), [(None, None), (0.0, 0), (1.9, 0), (2.0, 1), (9.0, 2)]
)
def test_the_sentence_being_played_is_the_last_that_began(
    playhead_s: float | None, index: int | None
) -> None:
    assert playing_index((0.0, 2.0, 5.0), playhead_s) == index
