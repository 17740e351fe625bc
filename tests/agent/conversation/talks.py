"""A conversation without a room: real trail, gate and ledger; the tests are model and sink."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from agent.conversation.cast import Cast, Engine, Scene
from agent.conversation.conversation import Conversation
from agent.conversation.live import LiveTopic
from agent.conversation.saying import Saying, Sentence
from agent.speech.history import History
from policy.consent import Consents
from policy.gate import Gate
from policy.requests import HERE
from policy.ruleset import load_rules
from trail.adapters.in_memory import InMemoryStore
from trail.clock import ManualClock
from trail.envelope import Fact
from trail.ids import (
    CharacterId,
    ParticipantId,
    PersonId,
    RoomName,
    SegmentId,
    SessionId,
    session_stream,
)
from trail.journal import Journal

ANNA = ParticipantId("anna")
BEN = ParticipantId("ben")
AVATAR = ParticipantId("avatar-1")
SESSION = SessionId("s1")
LOCAL = Engine(provider=HERE, model="tiny")


@dataclass(slots=True)
class Heap:
    """Keeps the messages for the page."""

    messages: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    async def send(self, payload: bytes) -> None:
        self.messages.append(json.loads(payload))

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.messages if message["kind"] == kind]


class Talk:
    """A conversation with Anna in the room, and hands on everything around it."""

    def __init__(self, *, hearing: Engine = LOCAL, thinking: Engine = LOCAL) -> None:
        self.clock = ManualClock(opened_utc=datetime(2026, 1, 1, tzinfo=UTC))
        self.store = InMemoryStore(now=self.clock.utc)
        self.journal = Journal(
            self.store,
            session_stream(SESSION),
            clock=self.clock,
            head=0,
            session_id=SESSION,
        )
        self.heap = Heap()
        self.live = LiveTopic(self.heap)
        self.playing: tuple[SegmentId, float, bool] | None = None
        self.conversation = Conversation(
            cast=Cast(
                scene=Scene(
                    session_id=SESSION,
                    room=RoomName("r1"),
                    owner=PersonId(ANNA),
                    avatar=AVATAR,
                    character_id=CharacterId("ada"),
                    profile="private",
                ),
                hearing=hearing,
                thinking=thinking,
                speaking=LOCAL,
            ),
            gate=Gate(
                load_rules(),
                self.journal,
                clock=self.clock,
                consents=lambda person: Consents(person=person),
            ),
            journal=self.journal,
            live=self.live,
            clock=self.clock,
            instructions="Be kind.",
            history=History(),
            report_timeout_s=10.0,
        )
        self.conversation.mouth.follow(lambda: self.playing)
        self.conversation.joined(ANNA)

    def reply(self, speech: str, *sentences: str, seconds: float = 1.0) -> Saying:
        """Have the model write and the voice speak a reply, each sentence ``seconds`` long."""
        self.conversation.prepare(speech)
        saying = self.conversation.speak(speech)
        start = 0
        for index, text in enumerate(sentences):
            saying.extend(text)
            sentence = Sentence(index=index, text=text, start=start)
            saying.voiced(sentence, duration_s=seconds, words=(), whole=True)
            start += len(text)
        saying.generated(complete=True)
        self.conversation.mouth.queued(saying.segment)
        self.conversation.mouth.started(saying.segment)
        return saying

    def play(self, saying: Saying, seconds: float, *, interrupted: bool) -> None:
        """Have the audio output play ``seconds`` of a saying and end it."""
        self.clock.advance(seconds)
        mouth = self.conversation.mouth
        mouth.ran(saying.segment, offset_s=0.0, duration_s=seconds)
        mouth.finished(saying.segment, position_s=seconds, interrupted=interrupted)
        mouth.closed(saying.turn)

    async def facts(self) -> list[Fact]:
        """Return everything recorded so far."""
        await self.journal.flush()
        envelopes = await self.store.read(session_stream(SESSION), limit=1000)
        return [envelope.fact for envelope in envelopes]

    async def messages(self, kind: str) -> list[dict[str, Any]]:
        """Return what the page was told of one kind."""
        await self.live.sent()
        return self.heap.of(kind)
