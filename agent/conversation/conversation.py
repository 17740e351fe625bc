"""One conversation: the place where hearing, thinking, speaking and the trail meet.

Everything here runs in the session's event loop and never waits, so SDK callbacks may call it.
The deciding is done elsewhere: who is present in `presence`, what was heard in the ledger, what
may be done at the gate, what the model reads in the history.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.conversation.cast import Cast, Engine
from agent.conversation.listening import Listening
from agent.conversation.live import LiveTopic
from agent.conversation.mouth import Mouth
from agent.conversation.permission import Permission
from agent.conversation.presence import Presence
from agent.conversation.record import Record
from agent.conversation.saying import Listeners, Saying
from agent.speech.history import History, Line, prompt_messages, remember
from agent.speech.ledger import Ledger
from policy.gate import Gate
from trail.clock import Clock
from trail.content import Content
from trail.envelope import Fact
from trail.events.generation import Origin, ProviderFailed, Role
from trail.events.interaction import TurnAnswered
from trail.events.session import (
    Departure,
    ParticipantJoined,
    ParticipantLeft,
    SessionEnd,
    SessionEnded,
)
from trail.ids import ParticipantId, TurnId
from trail.journal import Journal


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """What the runtime itself says, in the character's language."""

    apology: str = "Sorry, I lost my thread just now. Could you say that again?"
    refusal: str = "I am not permitted to answer that with the models that are set up here."


class Conversation:
    """The state of one session. Belongs to its event loop."""

    def __init__(
        self,
        *,
        cast: Cast,
        gate: Gate,
        journal: Journal,
        live: LiveTopic,
        clock: Clock,
        instructions: str,
        history: History,
        report_timeout_s: float,
        wording: Wording = Wording(),
    ) -> None:
        self.cast = cast
        self.live = live
        self.presence = Presence()
        self._clock = clock
        self._instructions = instructions
        self._history = history
        self._wording = wording
        self.record = Record(journal, clock, noted=self._remember)
        self.permission = Permission(gate, cast.scene, lambda: self.presence.people)
        self.mouth = Mouth(
            cast=cast,
            ledger=Ledger(cast.scene.avatar),
            record=self.record,
            live=live,
            listeners=self._listeners,
            now_s=clock.session_s,
            on_started=self._answered,
            report_timeout_s=report_timeout_s,
        )
        self.listening = Listening(
            cast=cast,
            record=self.record,
            live=live,
            now_s=clock.session_s,
            audience=lambda: self.presence.people,
            speaking_turn=self.mouth.turn_in_the_air,
        )

    def now_s(self) -> float:
        """Return session time, seconds."""
        return self._clock.session_s()

    # People.

    def begin(self, fact: Fact, contents: Sequence[Content]) -> None:
        """Note the fact that opens or resumes the session, and that the avatar is there."""
        self.record.opened(fact, contents=contents)
        avatar = self.cast.scene.avatar
        self.record.operational(
            ParticipantJoined(participant=avatar, is_avatar=True, audience=self.presence.people),
            participant_id=avatar,
        )

    def joined(self, person: ParticipantId) -> None:
        """Note that somebody entered."""
        if person in self.presence.people:
            return
        self.presence = self.presence.joined(person)
        self.record.operational(
            ParticipantJoined(participant=person, is_avatar=False, audience=self.presence.people),
            participant_id=person,
        )
        self.mouth.repeat()

    def left(self, person: ParticipantId, how: Departure) -> None:
        """Note that somebody is gone."""
        if person not in self.presence.people:
            return
        self.presence = self.presence.departed(
            person, at_s=self.now_s(), by_choice=how is Departure.LEFT
        )
        self.mouth.listener_left(person)
        self.record.operational(
            ParticipantLeft(participant=person, how=how, audience=self.presence.people),
            participant_id=person,
        )

    # Thinking and speaking.

    def prompt(self, said: Sequence[tuple[str, str]]) -> tuple[Line, ...]:
        """Return what the model may read: who it is, what was heard, and what was said just now.

        Args:
            said: Id and text of people's messages as the framework has them, in order. Those
                that are not committed yet are added at the end.
        """
        fresh = [
            Line(role="user", text=text)
            for item, text in said
            if text.strip() and not self.listening.is_committed(item)
        ]
        return (
            Line(role="system", text=self._instructions),
            *prompt_messages(self._history),
            *fresh,
        )

    def prepare(self, speech: str) -> Saying:
        """Begin the reply that the framework prepares under the id ``speech``."""
        return self.mouth.prepare(speech, answers=None, origin=Origin.REPLY, has_model=True)

    def speak(self, speech: str) -> Saying:
        """Let a prepared reply be spoken, or begin a saying of the runtime's own."""
        saying = self.mouth.prepared(speech)
        if saying is None:
            first = not self._history.turns.segments
            origin = Origin.GREETING if first else Origin.NOTICE
            saying = self.mouth.prepare(speech, answers=None, origin=origin, has_model=False)
            self.mouth.speak(saying, answers=None)
        else:
            self.mouth.speak(saying, answers=self.listening.last_turn)
        return saying

    def apology(self) -> str:
        """Return what is said instead of a reply that failed; the page is told too."""
        self.live.say("notice", code="no_answer", values={})
        return self._wording.apology

    def refusal(self) -> str:
        """Return what is said instead of a reply that policy does not permit."""
        return self._wording.refusal

    def provider_failed(self, role: Role, error: Exception, *, recovered: bool) -> None:
        """Note that a model failed; it costs a sentence, not the session."""
        engine = self._engine(role)
        self.record.operational(
            ProviderFailed(
                role=role,
                provider=engine.provider.name,
                model=engine.model,
                error=type(error).__name__,
                recovered=recovered,
            )
        )
        code = "provider_recovered" if recovered else "provider_failed"
        values = {"role": role, "provider": engine.provider.name}
        self.live.say("notice", code=code, values=values)

    # The end.

    def end(self, reason: SessionEnd) -> None:
        """Settle what is open and note the end."""
        self.mouth.settle()
        self.permission.turn_is_over()
        self.record.operational(SessionEnded(reason=reason))
        self.live.say("notice", code="session_ended", values={"reason": reason})

    def _engine(self, role: Role) -> Engine:
        match role:
            case Role.HEARING:
                return self.cast.hearing
            case Role.SPEAKING:
                return self.cast.speaking
            case Role.THINKING | Role.SEEING:
                return self.cast.thinking

    def _listeners(self) -> Listeners:
        speaker = self.listening.last_speaker or ParticipantId(self.cast.scene.owner)
        return Listeners(addressee=speaker, audience=self.presence.people)

    def _remember(self, fact: Fact, at_s: float, contents: Sequence[Content]) -> None:
        self._history = remember(self._history, fact, at_s=at_s, contents=contents)

    def _answered(self, saying: Saying) -> None:
        """Note how long a person waited, when the first sound of their answer leaves."""
        turn = saying.answers
        if turn is None or not (timing := self.listening.take_timing(turn)):
            return
        now_s = self.now_s()
        answer_s = max(0.0, now_s - timing.ended_s)
        self.record.of_turn(
            TurnAnswered(
                turn=TurnId(turn),
                reply=saying.turn,
                answer_s=answer_s,
                end_of_turn_s=timing.end_of_turn_s,
                recognition_s=timing.recognition_s,
                first_token_s=max(0.0, (saying.first_token_s or now_s) - timing.ended_s),
                first_audio_s=max(0.0, (saying.first_audio_s or now_s) - timing.ended_s),
            ),
            saying.turn,
            participant_id=self.cast.scene.avatar,
        )
        self.live.say("answered", turn_id=turn, answer_ms=round(answer_s * 1000))
        self.permission.turn_is_over()
