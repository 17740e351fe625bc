"""What people say and type: words in progress for the page, committed turns for the trail."""

from collections.abc import Callable
from dataclasses import dataclass

from agent.conversation.cast import Cast
from agent.conversation.live import LiveTopic
from agent.conversation.record import Record
from trail.content import content
from trail.events.interaction import Channel, TurnCommitted
from trail.events.perception import Modality, ObservationReceived
from trail.ids import ObservationId, ParticipantId, PersonId, TurnId, uuid7

EXTRACTOR_SCHEMA = 1
"""Version of what recognisers are asked for: words, without times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """When a turn was said and how long it took to understand that it had ended."""

    started_s: float
    """Session time of the onset, seconds."""
    ended_s: float
    end_of_turn_s: float = 0.0
    """End of speech to the decision that the turn is over, seconds."""
    recognition_s: float = 0.0
    """End of speech to the final words, seconds."""


class Listening:
    """Turns the reports of recognisers and text fields into turns. Never waits."""

    def __init__(
        self,
        *,
        cast: Cast,
        record: Record,
        live: LiveTopic,
        now_s: Callable[[], float],
        audience: Callable[[], tuple[ParticipantId, ...]],
        speaking_turn: Callable[[], TurnId | None],
    ) -> None:
        self._cast = cast
        self._record = record
        self._live = live
        self._now_s = now_s
        self._audience = audience
        self._speaking_turn = speaking_turn
        self._utterances: dict[ParticipantId, str] = {}
        self._interrupted: TurnId | None = None
        self._committed: set[str] = set()
        self._timings: dict[TurnId, Timing] = {}
        self.last_turn: TurnId | None = None
        self.last_speaker: ParticipantId | None = None
        self.last_heard_s = now_s()
        """Session time at which somebody last said anything."""

    def onset(self) -> None:
        """Note that somebody begins to speak, perhaps into the avatar's words."""
        self._interrupted = self._speaking_turn() or self._interrupted

    def words_in_progress(self, speaker: ParticipantId, text: str) -> None:
        """Show interim words; they replace the earlier ones of the same utterance."""
        self.last_heard_s = self._now_s()
        utterance = self._utterances.setdefault(speaker, uuid7())
        self._live.say("hearing", utterance_id=utterance, speaker=speaker, text=text)

    def nothing_came(self, speaker: ParticipantId) -> None:
        """Take back interim words that became no turn."""
        if utterance := self._utterances.pop(speaker, None):
            self._live.say("hearing", utterance_id=utterance, speaker=speaker, text="")

    def is_committed(self, item: str) -> bool:
        """Tell whether the framework's message ``item`` is a turn already."""
        return item in self._committed

    def commit(
        self,
        speaker: ParticipantId,
        text: str,
        *,
        channel: Channel,
        item: str,
        timing: Timing,
        language: str,
    ) -> TurnId | None:
        """Make words a turn of the conversation; None if they were one already, or empty.

        Args:
            speaker: Whose words.
            text: What was said or typed.
            channel: How.
            item: The framework's id of the message.
            timing: When.
            language: BCP 47 tag.
        """
        if item in self._committed or not text.strip():
            return None
        self._committed.add(item)
        turn, observation = TurnId(uuid7()), ObservationId(uuid7())
        self._observed(turn, observation, speaker, channel, timing)
        words = content(text, owner=PersonId(speaker))
        self._record.of_turn(
            TurnCommitted(
                turn=turn,
                speaker=speaker,
                addressee=self._cast.scene.avatar,
                audience=self._audience(),
                channel=channel,
                words=words.ref,
                language=language,
                started_s=timing.started_s,
                ended_s=timing.ended_s,
                observations=(observation,),
                interrupts=self._interrupted,
            ),
            turn,
            participant_id=speaker,
            contents=(words,),
        )
        self._timings = {turn: timing}
        self.last_turn, self.last_speaker = turn, speaker
        self.last_heard_s = self._now_s()
        self._interrupted = None
        self._live.say(
            "turn",
            turn_id=turn,
            utterance_id=self._utterances.pop(speaker, None),
            speaker=speaker,
            channel=channel,
            at_s=round(timing.started_s, 3),
            text=text,
        )
        return turn

    def take_timing(self, turn: TurnId) -> Timing | None:
        """Return the timing of a turn that waits for its answer, once."""
        return self._timings.pop(turn, None)

    def _observed(
        self,
        turn: TurnId,
        observation: ObservationId,
        speaker: ParticipantId,
        channel: Channel,
        timing: Timing,
    ) -> None:
        spoken = channel is Channel.SPEECH
        self._record.of_turn(
            ObservationReceived(
                observation_id=observation,
                modality=Modality.SPEECH if spoken else Modality.TEXT,
                participants=(speaker,),
                observed_at_s=timing.started_s,
                until_s=timing.ended_s,
                extractor_provider=self._cast.hearing.provider.name if spoken else "none",
                extractor_model=self._cast.hearing.model if spoken else "none",
                schema=EXTRACTOR_SCHEMA,
                media_retained=False,
            ),
            turn,
            participant_id=speaker,
        )
