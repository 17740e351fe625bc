"""Which conversation reads in which slot of the model server."""

from agent.local.seats import Seats


def test_given_two_conversations_when_they_ask_then_each_has_a_slot_of_its_own() -> None:
    seats = Seats(slots=2)
    ada, bob = seats.take(), seats.take()

    slots = [seats.slot_of(ada), seats.slot_of(bob), seats.slot_of(ada), seats.slot_of(bob)]

    assert slots == [0, 1, 0, 1]


def test_given_a_third_conversation_when_it_asks_then_nobody_names_a_slot() -> None:
    seats = Seats(slots=2)
    three = [seats.take() for _ in range(3)]

    assert [seats.slot_of(seat) for seat in three] == [None, None, None]


def test_given_one_of_three_leaves_when_the_others_ask_then_they_have_slots_again() -> None:
    seats = Seats(slots=2)
    ada, bob, eve = seats.take(), seats.take(), seats.take()
    seats.slot_of(ada)
    eve.leave()

    assert {seats.slot_of(ada), seats.slot_of(bob)} == {0, 1}


def test_given_a_conversation_nobody_refers_to_when_another_comes_then_its_slot_is_free() -> None:
    seats = Seats(slots=1)
    seats.slot_of(seats.take())
    ada = seats.take()

    assert seats.slot_of(ada) == 0


def test_given_a_slot_somebody_else_read_in_when_asked_first_then_nothing_is_moved_there() -> None:
    seats = Seats(slots=1)
    ada = seats.take()

    first, second = ada.request_fields(32), ada.request_fields(32)

    assert "n_cache_reuse" not in first
    assert second["n_cache_reuse"] == 32
