"""What a conversation asks the boundary before it hears, thinks and speaks."""

from collections.abc import Callable

from agent.conversation.cast import Cast, Engine
from policy.gate import Gate
from policy.requests import HERE, Action, DataClass, Provider, Request, Situation
from trail.envelope import PrivacyClass
from trail.ids import ParticipantId, PersonId

CONVERSATION = "conversation"


class Permission:
    """Asks the gate on behalf of one session. Standing decisions: cheap once taken."""

    def __init__(
        self, gate: Gate, cast: Cast, audience: Callable[[], tuple[ParticipantId, ...]]
    ) -> None:
        self._gate = gate
        self._cast = cast
        self._audience = audience

    def to_hear(self, speaker: ParticipantId) -> None:
        """Raise PolicyDenied unless ``speaker``'s voice may be captured and recognised."""
        self._ask(Action.CAPTURE, DataClass.AUDIO, PrivacyClass.BIOMETRIC, HERE, speaker)
        self._send(DataClass.AUDIO, PrivacyClass.BIOMETRIC, self._cast.hearing, speaker)

    def to_read(self, speaker: ParticipantId) -> None:
        """Raise PolicyDenied unless what ``speaker`` typed may be taken in."""
        self._ask(Action.CAPTURE, DataClass.TRANSCRIPT, PrivacyClass.PERSONAL, HERE, speaker)

    def to_think(self) -> None:
        """Raise PolicyDenied unless the conversation may go to the language model."""
        self._send(DataClass.PROMPT, PrivacyClass.PERSONAL, self._cast.thinking, self._cast.owner)

    def to_speak(self) -> None:
        """Raise PolicyDenied unless the next sentence may go to the voice and the audience."""
        self._send(
            DataClass.SPEECH_TEXT, PrivacyClass.PERSONAL, self._cast.speaking, self._cast.owner
        )

    def turn_is_over(self) -> None:
        """Have the uses of standing decisions counted."""
        self._gate.note_uses()

    def _send(
        self,
        data_class: DataClass,
        privacy_class: PrivacyClass,
        engine: Engine,
        subject: ParticipantId | PersonId,
    ) -> None:
        self._ask(Action.EGRESS, data_class, privacy_class, engine.provider, subject)

    def _ask(
        self,
        action: Action,
        data_class: DataClass,
        privacy_class: PrivacyClass,
        provider: Provider,
        subject: ParticipantId | PersonId,
    ) -> None:
        self._gate.standing(
            Request(
                action=action,
                subject=ParticipantId(subject),
                owner=PersonId(subject),
                data_class=data_class,
                privacy_class=privacy_class,
                purpose=CONVERSATION,
                provider=provider,
                situation=Situation(
                    session_id=self._cast.session_id,
                    character_id=self._cast.character_id,
                    audience=frozenset(self._audience()),
                    profile=self._cast.profile,
                ),
            )
        )
