"""Who is in the room, and when nobody is left to wait for."""

from hypothesis import given
from hypothesis import strategies as st

from agent.conversation.presence import Presence
from trail.ids import ParticipantId

ANNA, BEN = ParticipantId("anna"), ParticipantId("ben")


def test_given_the_last_one_pressed_leave_then_it_is_over_at_once() -> None:
    room = Presence().joined(ANNA).departed(ANNA, at_s=10.0, by_choice=True)

    assert room.is_over(at_s=10.0, return_s=60.0)


def test_given_the_last_one_vanished_then_it_is_over_when_they_do_not_return() -> None:
    room = Presence().joined(ANNA).departed(ANNA, at_s=10.0, by_choice=False)

    assert not room.is_over(at_s=69.9, return_s=60.0)
    assert room.is_over(at_s=70.0, return_s=60.0)


def test_given_somebody_is_still_here_then_it_is_not_over() -> None:
    room = Presence().joined(ANNA).joined(BEN).departed(ANNA, at_s=1.0, by_choice=True)

    assert not room.is_over(at_s=1_000.0, return_s=60.0)
    assert room.people == (BEN,)


def test_given_a_return_then_the_waiting_ends() -> None:
    room = Presence().joined(ANNA).departed(ANNA, at_s=1.0, by_choice=True).joined(ANNA)

    assert not room.is_over(at_s=1_000.0, return_s=0.0)


def test_given_a_stranger_leaves_an_empty_room_then_its_wait_is_not_begun_anew() -> None:
    room = Presence(empty_since_s=5.0)

    assert room.departed(BEN, at_s=50.0, by_choice=True).empty_since_s == 5.0


@given(moves=st.lists(st.tuples(st.sampled_from([ANNA, BEN]), st.booleans())))
def test_a_room_is_empty_exactly_when_nobody_is_in_it(
    moves: list[tuple[ParticipantId, bool]],
) -> None:
    room = Presence()
    for at_s, (person, comes) in enumerate(moves):
        room = room.joined(person) if comes else room.departed(person, at_s=at_s, by_choice=False)

    assert (room.empty_since_s is not None) == (room.people == ())
    assert len(set(room.people)) == len(room.people)
