"""One stretch of the avatar's speech while it is made and played."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from agent.speech.alignment import TimedWord
from agent.speech.release import playing_index
from trail.content import Content
from trail.ids import ParticipantId, SegmentId, TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence on its way to the voice."""

    index: int
    """0-based within its segment."""
    text: str
    start: int
    """Where it begins in the generated text, in characters."""

    @property
    def chars(self) -> tuple[int, int]:
        """Its range in the generated text."""
        return self.start, self.start + len(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listeners:
    """Who hears the avatar now."""

    addressee: ParticipantId
    audience: tuple[ParticipantId, ...]

    @property
    def addressee_present(self) -> bool:
        """Whether the person spoken to is in the room."""
        return self.addressee in self.audience


class Enters(Protocol):
    """Where a saying's progress is entered: the mouth, which holds the ledger."""

    def extended(self, saying: "Saying", text: str) -> None:
        """More text was generated."""
        ...

    def voiced(
        self,
        saying: "Saying",
        sentence: Sentence,
        *,
        start_s: float,
        duration_s: float,
        words: Sequence[TimedWord],
        whole: bool,
    ) -> None:
        """A sentence became sound."""
        ...

    def completed(self, saying: "Saying", *, complete: bool) -> None:
        """No more text will come."""
        ...

    def playhead_s(self, segment: SegmentId) -> float | None:
        """Return how many seconds of a segment have left; None before and after."""
        ...


class Saying:
    """One stretch of speech. Belongs to the session's loop."""

    def __init__(
        self,
        mouth: Enters,
        segment: SegmentId,
        turn: TurnId,
        *,
        answers: TurnId | None,
        listeners: Listeners,
        now_s: float,
        has_model: bool,
    ) -> None:
        self.segment = segment
        self.turn = turn
        self.answers = answers
        self.has_model = has_model
        """Whether a model writes it; otherwise its text is first known to the voice."""
        self.spoken = False
        """Whether the framework let it speak; before, it may be withdrawn."""
        self.listeners = listeners
        self.listener_stayed = True
        self.voiced_s = 0.0
        """Seconds of audio made so far."""
        self.first_token_s: float | None = None
        """Session time at which the model's first word came."""
        self.first_audio_s: float | None = None
        """Session time at which the voice's first sound was made."""
        self.words: Content | None = None
        """What was generated, once it is complete and recorded."""
        self.complete = False
        self.failed = False
        self.closed = False
        """No more text will come."""
        self.news_s = now_s
        """Session time of the last report on it."""
        self._mouth = mouth
        self._starts_s: list[float] = []

    def extend(self, text: str) -> None:
        """Add generated text."""
        if not self.closed:
            self._mouth.extended(self, text)

    def voiced(
        self, sentence: Sentence, *, duration_s: float, words: Sequence[TimedWord], whole: bool
    ) -> None:
        """Note that a sentence became sound; again, as long as its sound grows.

        Args:
            sentence: Which.
            duration_s: Length of its sound so far.
            words: The voice's times from the sentence's first sample; empty if it gives none.
            whole: Whether no more sound of it will come.
        """
        if sentence.index == len(self._starts_s):
            self._starts_s.append(self.voiced_s)
        start_s = self._starts_s[sentence.index]
        self._mouth.voiced(
            self, sentence, start_s=start_s, duration_s=duration_s, words=words, whole=whole
        )
        self.voiced_s = start_s + duration_s

    def generated(self, *, complete: bool) -> None:
        """Note that no more text will come. A second time changes nothing."""
        if not self.closed:
            self.closed = True
            self.complete = complete
            self._mouth.completed(self, complete=complete)

    def fail(self) -> None:
        """Note that the voice or policy ended it early; what was queued still plays."""
        self.failed = True
        self.generated(complete=False)

    def playing_index(self) -> int | None:
        """Return the index of the sentence being played; None before the first."""
        return playing_index(self._starts_s, self._mouth.playhead_s(self.segment))
