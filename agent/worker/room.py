"""The room as the session sees it: who is here, what is typed, what is sent to the page."""

from collections.abc import Awaitable, Callable, Mapping

import structlog
from livekit import rtc
from livekit.rtc.participant import PublishDataError
from pydantic import TypeAdapter, ValidationError

from agent.conversation.live import TOPIC
from trail.ids import ParticipantId

log = structlog.get_logger()

CHAT_TOPIC = "lk.chat"

_OBJECT = TypeAdapter(dict[str, object])

RpcAnswer = Callable[[ParticipantId, str], Awaitable[str]]


class RoomSender:
    """Sends live messages to everybody in the audience, reliably, and to nobody else."""

    def __init__(self, room: rtc.Room, audience: Callable[[], tuple[ParticipantId, ...]]) -> None:
        self._room = room
        self._audience = audience

    async def send(self, payload: bytes) -> None:
        here = self._room.remote_participants
        listeners = [str(person) for person in self._audience() if person in here]
        if not listeners or not self._room.isconnected():
            return
        try:
            await self._room.local_participant.publish_data(
                payload, reliable=True, destination_identities=listeners, topic=TOPIC
            )
        except PublishDataError:
            log.warning("live_message_lost", size_bytes=len(payload))


def is_person(participant: rtc.RemoteParticipant) -> bool:
    """Tell whether a participant is somebody who listens, not a program."""
    return participant.kind in (
        rtc.ParticipantKind.PARTICIPANT_KIND_STANDARD,
        rtc.ParticipantKind.PARTICIPANT_KIND_SIP,
        rtc.ParticipantKind.PARTICIPANT_KIND_CONNECTOR,
    )


async def typed_text(reader: rtc.TextStreamReader, *, chars_at_most: int) -> str | None:
    """Return a typed message, or None as soon as it proves longer than ``chars_at_most``.

    The rest of a longer one is read away unkept, so that the sender's stream ends well.
    """
    parts: list[str] = []
    size = 0
    async for part in reader:
        size += len(part)
        if size <= chars_at_most:
            parts.append(part)
    return "".join(parts) if size <= chars_at_most else None


def listen_to_chat(
    room: rtc.Room, typed: Callable[[rtc.TextStreamReader, ParticipantId], None]
) -> None:
    """Hand every typed message to ``typed``, with who sent it."""
    room.register_text_stream_handler(
        CHAT_TOPIC, lambda reader, identity: typed(reader, ParticipantId(identity))
    )


def answer_calls(room: rtc.Room, answers: Mapping[str, RpcAnswer]) -> None:
    """Register the methods that a page may call."""

    def registered(answer: RpcAnswer) -> Callable[[rtc.RpcInvocationData], Awaitable[str]]:
        async def call(data: rtc.RpcInvocationData) -> str:
            return await answer(ParticipantId(data.caller_identity), data.payload)

        return call

    for method, answer in answers.items():
        room.local_participant.register_rpc_method(method, registered(answer))


def call_payload(payload: str) -> dict[str, object]:
    """Return the JSON object that a page sent with a call.

    Raises:
        rtc.RpcError: it is not an object.
    """
    try:
        return _OBJECT.validate_json(payload)
    except ValidationError as error:
        raise rtc.RpcError(1400, "the payload must be a JSON object") from error
