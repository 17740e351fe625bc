"""What the session's events mean for the conversation: hand over and return."""

from collections.abc import Callable
from typing import cast

import structlog
from livekit.agents import (
    AgentSession,
    AgentStateChangedEvent,
    CloseEvent,
    ConversationItemAddedEvent,
    SpeechCreatedEvent,
    UserInputTranscribedEvent,
    UserStateChangedEvent,
    llm,
)

from agent.conversation.conversation import Conversation
from agent.conversation.listening import Timing
from agent.worker.emitter import Emitter
from agent.worker.read_ahead import ReadAhead
from trail.clock import unix_s
from trail.events.interaction import Channel
from trail.ids import ParticipantId

log = structlog.get_logger()


class Ears:
    """Callbacks of one AgentSession. They never await, start nothing and cannot fail."""

    def __init__(
        self,
        conversation: Conversation,
        *,
        speaker: Callable[[], ParticipantId | None],
        language: str,
        closed: Callable[[], None],
        ahead: ReadAhead | None = None,
    ) -> None:
        self._talk = conversation
        self._speaker = speaker
        self._language = language
        self._closed = closed
        self._ahead = ahead

    def attach(self, session: AgentSession[None]) -> None:
        """Listen to a session's events for as long as it lives."""
        events = cast("Emitter", session)
        events.on("user_input_transcribed", self.on_transcribed)
        events.on("conversation_item_added", self.on_item)
        events.on("user_state_changed", self.on_user_state)
        events.on("agent_state_changed", self.on_agent_state)
        events.on("speech_created", self.on_speech)
        events.on("close", self.on_close)

    def on_transcribed(self, event: UserInputTranscribedEvent) -> None:
        """Show words in progress; a recogniser takes them back with an empty text."""
        speaker = self._speaker()
        if speaker is None:
            return
        if event.transcript.strip():
            self._talk.listening.words_in_progress(speaker, event.transcript)
            if self._ahead is not None:
                self._ahead.heard(event.transcript, is_final=event.is_final)
        elif not event.is_final:
            self._talk.listening.nothing_came(speaker)

    def on_item(self, event: ConversationItemAddedEvent) -> None:
        """Commit a person's turn. The framework's idea of the avatar's turns is not used."""
        item = event.item
        speaker = self._speaker()
        if not isinstance(item, llm.ChatMessage) or item.role != "user" or speaker is None:
            return
        self._talk.listening.commit(
            speaker,
            item.text_content or "",
            channel=Channel.SPEECH,
            item=item.id,
            timing=self._timing(item.metrics),
            language=self._language,
        )
        if self._ahead is not None:
            self._ahead.committed()

    def on_user_state(self, event: UserStateChangedEvent) -> None:
        """Remember into which of the avatar's words somebody speaks."""
        if event.new_state == "speaking":
            self._talk.listening.onset()

    def on_agent_state(self, event: AgentStateChangedEvent) -> None:
        """Tell the page whether the avatar listens, thinks or speaks."""
        state = event.new_state if event.new_state != "initializing" else "idle"
        self._talk.live.say("state", state=state)

    def on_speech(self, event: SpeechCreatedEvent) -> None:
        """Have a speech judged when the framework is through with it."""
        handle = event.speech_handle
        handle.add_done_callback(lambda done: self._talk.mouth.closed(done.id))

    def on_close(self, event: CloseEvent) -> None:
        """End the session when the framework has ended its own."""
        log.info("agent_session_closed", reason=str(event.reason))
        self._closed()

    def _timing(self, metrics: llm.MetricsReport) -> Timing:
        now_s, now_unix_s = self._talk.now_s(), unix_s()

        def session_time(unix: float | None) -> float:
            return max(0.0, now_s - (now_unix_s - unix)) if unix else now_s

        return Timing(
            started_s=session_time(metrics.get("started_speaking_at")),
            ended_s=session_time(metrics.get("stopped_speaking_at")),
            end_of_turn_s=float(metrics.get("end_of_turn_delay") or 0.0),
            recognition_s=float(metrics.get("transcription_delay") or 0.0),
        )
