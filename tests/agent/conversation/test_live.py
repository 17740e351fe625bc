"""What the page is told arrives in order, fits a packet, and never keeps anybody waiting."""

import json

from hypothesis import given
from hypothesis import strategies as st

from agent.conversation.live import BYTES_AT_MOST, KEPT, LiveTopic, encoded
from tests.agent.conversation.talks import Heap


async def test_given_messages_then_they_are_sent_in_order_and_numbered() -> None:
    heap = Heap()
    topic = LiveTopic(heap)

    topic.say("state", state="listening")
    topic.say("state", state="thinking")
    await topic.sent()

    assert [(m["seq"], m["state"]) for m in heap.messages] == [(1, "listening"), (2, "thinking")]
    assert {m["v"] for m in heap.messages} == {1}


async def test_given_a_page_that_does_not_read_then_the_oldest_are_dropped_and_counted() -> None:
    heap = Heap()
    topic = LiveTopic(heap)

    for number in range(KEPT + 3):
        topic.say("state", number=number)
    await topic.sent()

    assert topic.dropped == 3
    assert heap.messages[0]["number"] == 3
    assert len(heap.messages) == KEPT


@given(text=st.text(min_size=0, max_size=200).map(lambda text: text * 200))
def test_a_message_with_text_of_any_length_fits_a_packet(text: str) -> None:
    data = encoded({"v": 1, "seq": 1, "kind": "turn", "text": text})

    assert len(data) <= BYTES_AT_MOST
    assert json.loads(data)["kind"] == "turn"
