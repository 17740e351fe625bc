"""One segment of speech: its text, its sentences as sound, and what of them was played."""

from dataclasses import dataclass, field

from agent.speech.coverage import NOTHING_PLAYED, Coverage
from agent.speech.judgement import Judgement, judge
from agent.speech.phases import Phase
from trail.content import ContentRef
from trail.events.delivery import (
    CutBy,
    DeliveryState,
    Evidence,
    How,
    SegmentFinished,
    SegmentVoiced,
)
from trail.events.generation import Origin, SegmentGenerated
from trail.ids import SegmentId, TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """How far a segment has been heard, for showing it live."""

    chars: int
    """Length of the heard prefix of the generated text, in characters."""
    saying_chars: int
    """End of the word being said; never below ``chars``."""
    cut_by: CutBy
    error_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """A segment's text, which will not grow any more."""

    segment: SegmentId
    turn: TurnId
    answers: TurnId | None
    origin: Origin
    provider: str
    model: str
    text: str
    complete: bool

    def fact(self, words: ContentRef, *, answers: TurnId | None = None) -> SegmentGenerated:
        """Return the fact to record, once ``text`` has become content.

        ``answers`` is for a reply that was prepared before it was known what it would answer.
        """
        return SegmentGenerated(
            segment=self.segment,
            turn=self.turn,
            answers=self.answers or answers,
            origin=self.origin,
            words=words,
            provider=self.provider,
            model=self.model,
            complete=self.complete,
        )


@dataclass(slots=True, kw_only=True)
class Segment:
    """What the ledger keeps of one segment while it lives. Only the ledger changes it."""

    segment: SegmentId
    turn: TurnId
    answers: TurnId | None
    origin: Origin
    provider: str
    model: str
    phase: Phase = Phase.GENERATED
    text: str = ""
    complete: bool = False
    sentences: list[SegmentVoiced] = field(default_factory=list[SegmentVoiced])
    covered: Coverage = NOTHING_PLAYED
    contradicted: bool = False
    """The sink's reports cannot all be true."""
    progress_s: float = 0.0
    heard: Heard | None = None
    """Set once, when the segment has ended."""

    def generated(self, *, complete: bool) -> Generated:
        """Return its text as it stands."""
        return Generated(
            segment=self.segment,
            turn=self.turn,
            answers=self.answers,
            origin=self.origin,
            provider=self.provider,
            model=self.model,
            text=self.text,
            complete=complete,
        )

    @property
    def of_s(self) -> float:
        """Seconds of audio made for it."""
        last = self.sentences[-1] if self.sentences else None
        return last.start_s + last.duration_s if last else 0.0

    def speaks_from(self, chars_from: int) -> bool:
        """Tell whether its last sentence begins at this character."""
        return bool(self.sentences) and self.sentences[-1].chars_from == chars_from

    def judged(self, covered: Coverage) -> Judgement:
        """Return what was heard of it if ``covered`` was played."""
        return judge(self.text, self.sentences, covered, complete=self.complete)

    def ended(self, how: How) -> SegmentFinished:
        """End it as its reports say and return the fact of it."""
        judged = self.judged(self.covered)
        self.heard = Heard(
            chars=judged.heard_chars,
            saying_chars=judged.heard_chars,
            cut_by=judged.cut_by,
            error_s=judged.error_s,
        )
        return SegmentFinished(
            segment=self.segment,
            turn=self.turn,
            state=judged.state,
            how=how,
            evidence=Evidence.SERVER,
            heard_s=judged.heard_s,
            of_s=self.of_s,
            heard_chars=judged.heard_chars,
            cut_by=judged.cut_by,
            error_s=judged.error_s,
        )

    def ended_unheard(self, state: DeliveryState, how: How) -> SegmentFinished:
        """End it without a word heard and return the fact of it."""
        self.heard = Heard(chars=0, saying_chars=0, cut_by=CutBy.NOTHING, error_s=0.0)
        unknown = state is DeliveryState.UNKNOWN
        return SegmentFinished(
            segment=self.segment,
            turn=self.turn,
            state=state,
            how=how,
            evidence=Evidence.UNKNOWN if unknown else Evidence.SERVER,
            heard_s=0.0,
            of_s=self.of_s,
            heard_chars=0,
            cut_by=CutBy.NOTHING,
            error_s=0.0,
        )
