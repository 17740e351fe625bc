"""What a conversation asks the boundary before it hears, thinks and speaks."""

from collections.abc import Callable

from agent.conversation.cast import Engine, Scene
from policy.errors import PolicyDenied
from policy.gate import Gate
from policy.requests import HERE, Action, DataClass, Provider, Request, Situation
from trail.envelope import PrivacyClass
from trail.ids import ParticipantId, PersonId

CONVERSATION = "conversation"


class Permission:
    """Asks the gate on behalf of one session. Standing decisions: cheap once taken."""

    def __init__(
        self, gate: Gate, scene: Scene, audience: Callable[[], tuple[ParticipantId, ...]]
    ) -> None:
        self._gate = gate
        self._scene = scene
        self._audience = audience

    def to_hear(self, speaker: ParticipantId, engine: Engine) -> None:
        """Raise PolicyDenied unless ``speaker``'s voice may be captured and recognised."""
        audience = self._audience()
        self._ask(Action.CAPTURE, DataClass.AUDIO, HERE, speaker, audience)
        self._send(DataClass.AUDIO, engine, speaker, audience)

    def to_read(self, speaker: ParticipantId) -> None:
        """Raise PolicyDenied unless what ``speaker`` typed may be taken in."""
        self._ask(Action.CAPTURE, DataClass.TRANSCRIPT, HERE, speaker, self._audience())

    def to_think(self, answering: ParticipantId, engine: Engine) -> None:
        """Raise PolicyDenied unless the conversation may go to the language model.

        Args:
            answering: Whose turn is being answered.
            engine: Which model.
        """
        self._send(DataClass.PROMPT, engine, answering, self._audience())

    def to_speak(self, addressee: ParticipantId, engine: Engine) -> None:
        """Raise PolicyDenied unless the next sentence may go to the voice and the audience.

        Args:
            addressee: Who is spoken to.
            engine: Which voice.
        """
        self._send(DataClass.SPEECH_TEXT, engine, addressee, self._audience())

    def may_receive(self, engine: Engine, data_class: DataClass) -> bool:
        """Tell whether ``engine`` may be used for the owner's payloads of a kind, alone."""
        owner = ParticipantId(self._scene.owner)
        try:
            self._send(data_class, engine, owner, (owner,))
        except PolicyDenied:
            return False
        return True

    def turn_is_over(self) -> None:
        """Have the uses of standing decisions counted."""
        self._gate.note_uses()

    def _send(
        self,
        data_class: DataClass,
        engine: Engine,
        subject: ParticipantId,
        audience: tuple[ParticipantId, ...],
    ) -> None:
        for provider in (engine.provider, *engine.fallbacks):
            self._ask(Action.EGRESS, data_class, provider, subject, audience)

    def _ask(
        self,
        action: Action,
        data_class: DataClass,
        provider: Provider,
        subject: ParticipantId,
        audience: tuple[ParticipantId, ...],
    ) -> None:
        audio = data_class is DataClass.AUDIO
        self._gate.standing(
            Request(
                action=action,
                subject=subject,
                owner=PersonId(subject),
                data_class=data_class,
                privacy_class=PrivacyClass.BIOMETRIC if audio else PrivacyClass.PERSONAL,
                purpose=CONVERSATION,
                provider=provider,
                situation=Situation(
                    session_id=self._scene.session_id,
                    character_id=self._scene.character_id,
                    audience=frozenset(audience),
                    profile=self._scene.profile,
                ),
            )
        )
