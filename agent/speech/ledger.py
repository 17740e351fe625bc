"""Generated, delivered, heard: what became of every stretch of the avatar's speech.

Pure: it knows neither LiveKit nor the clock. The player feeds it what happened, records the
facts it returns, in order, and believes nothing else about what a person heard. Inputs are
orders of ours (`queued`, `withdrawn`, …), impossible ones are a `ContractError`, and reports
from outside (`started`, `ran`, `finished`, …), which change nothing when they come too late.
"""

from collections.abc import Sequence
from math import inf
from typing import Final

from agent.speech.alignment import TimedWord, speakable, voiced_words
from agent.speech.coverage import NOTHING_PLAYED, Coverage
from agent.speech.judgement import WORD_END_TOLERANCE_S
from agent.speech.phases import FINAL, Input, Phase, advance
from agent.speech.segment import Generated, Heard, Segment
from trail.content import ContentRef
from trail.envelope import Fact
from trail.errors import ContractError
from trail.events.delivery import (
    CutBy,
    DeliveryState,
    Evidence,
    How,
    MessageDisplayed,
    PlaybackEnded,
    SegmentProgressed,
    SegmentRan,
    SegmentStarted,
    SegmentVoiced,
)
from trail.events.generation import Origin, ReplyWithdrawn
from trail.ids import ParticipantId, SegmentId, TurnId

PROGRESS_EVERY_S: Final = 1.0
"""Progress becomes durable at most this often (each commit costs about 4 ms on a disk)."""
CONTRADICTION_S: Final = 0.5
"""When runs and final position differ by more, nobody can tell what was played. A sink counts
both from the same frames; a second output in the chain was seen to be off by a quarter second."""


class Ledger:
    """The segments of one session's avatar. Belongs to one event loop."""

    def __init__(self, avatar: ParticipantId) -> None:
        self.avatar = avatar
        self._segments: dict[SegmentId, Segment] = {}

    # Text and sound come into being.

    def open(
        self,
        segment: SegmentId,
        turn: TurnId,
        *,
        answers: TurnId | None,
        origin: Origin,
        provider: str,
        model: str,
    ) -> None:
        """Begin a segment. Raises ContractError if it exists."""
        if segment in self._segments:
            raise ContractError(f"segment {segment} is open already")
        self._segments[segment] = Segment(
            segment=segment,
            turn=turn,
            answers=answers,
            origin=origin,
            provider=provider,
            model=model,
        )

    def extend(self, segment: SegmentId, text: str) -> int:
        """Append generated text and return the character offset at which it begins."""
        it = self._of(segment)
        if it.complete:
            raise ContractError(f"segment {segment} is complete")
        offset = len(it.text)
        it.text += text
        return offset

    def complete(self, segment: SegmentId, *, complete: bool) -> Generated:
        """End the text; ``complete=False`` when generation was cut off or failed.

        Call it before `finished` wherever generation ended before playback did: a text that may
        still grow is never heard in full.
        """
        it = self._of(segment)
        if it.complete:
            raise ContractError(f"segment {segment} is complete")
        it.complete = True
        return it.generated(complete=complete)

    def voiced(
        self,
        segment: SegmentId,
        *,
        chars: tuple[int, int],
        start_s: float,
        duration_s: float,
        words: Sequence[TimedWord] = (),
        whole: bool = True,
    ) -> tuple[Fact, ...]:
        """Enter one sentence that became sound.

        A sentence may be entered again as its sound grows: one that begins at the same character
        as the last takes its place. Enter what there is before `finished`: sound that nobody
        entered is heard by nobody.

        Args:
            segment: Which segment.
            chars: The stretch of the generated text that was spoken, markup included.
            start_s: Where its sound begins, seconds from the segment's first sample.
            duration_s: Length of its sound.
            words: The voice's times, seconds from the first sample of this *sentence*.
            whole: The sound is of the whole sentence; False while or where it was cut off.

        Raises:
            ContractError: sentences overlap, or the text is not there.
        """
        it = self._of(segment)
        if it.phase in FINAL:
            return ()
        before = it.sentences[:-1] if it.speaks_from(chars[0]) else it.sentences
        reached = before[-1].chars_to if before else 0
        of_s = before[-1].start_s + before[-1].duration_s if before else 0.0
        if not reached <= chars[0] <= chars[1] <= len(it.text):
            raise ContractError(f"sentence {chars} after {reached} in {len(it.text)} characters")
        if duration_s < 0 or start_s < of_s - WORD_END_TOLERANCE_S:
            raise ContractError(f"sentence at {start_s:.3f} s, before the end of the last one")
        sentence = SegmentVoiced(
            segment=segment,
            turn=it.turn,
            chars_from=chars[0],
            chars_to=chars[1],
            start_s=start_s,
            duration_s=duration_s,
            words=voiced_words(
                it.text,
                chars,
                start_s=start_s,
                duration_s=duration_s,
                words=words,
                whole=whole,
            ),
        )
        return self.say(sentence)

    def say(self, sentence: SegmentVoiced) -> tuple[Fact, ...]:
        """Enter a sentence whose words have their places already, as replay reads them."""
        it = self._of(sentence.segment)
        if it.phase in FINAL:
            return ()
        if it.speaks_from(sentence.chars_from):
            it.sentences.pop()
        it.sentences.append(sentence)
        return (sentence,)

    # Orders of ours.

    def queued(self, segment: SegmentId) -> tuple[Fact, ...]:
        """Note that its first audio was handed to the sink."""
        self._move(segment, Input.QUEUED)
        return ()

    def withdrawn(self, segment: SegmentId, words: ContentRef) -> tuple[Fact, ...]:
        """Drop a segment that is not playing; ``words`` refers to what was generated of it."""
        it = self._move(segment, Input.WITHDRAWN)
        canceled = it.phase is Phase.CANCELED
        state = DeliveryState.CANCELED if canceled else DeliveryState.NONE
        dropped = ReplyWithdrawn(segment=segment, words=words)
        return (dropped, it.ended_unheard(state, How.WITHDRAWN))

    def superseded(self, segment: SegmentId, words: ContentRef) -> tuple[Fact, ...]:
        """Drop a segment for another reply before any of it was played."""
        it = self._move(segment, Input.REPLACED)
        dropped = ReplyWithdrawn(segment=segment, words=words)
        return (dropped, it.ended_unheard(DeliveryState.SUPERSEDED, How.WITHDRAWN))

    def displayed(self, segment: SegmentId) -> tuple[Fact, ...]:
        """Note that it was shown as text and will not be spoken."""
        it = self._move(segment, Input.DISPLAYED)
        size = len(it.text)
        it.heard = Heard(chars=size, saying_chars=size, cut_by=CutBy.NOTHING, error_s=0.0)
        return (MessageDisplayed(segment=segment, turn=it.turn),)

    # Reports from outside.

    def started(
        self,
        segment: SegmentId,
        *,
        addressee: ParticipantId,
        audience: tuple[ParticipantId, ...],
    ) -> tuple[Fact, ...]:
        """Note that its first sound left for the listener."""
        it = self._of(segment)
        if it.phase in FINAL:
            return ()
        self._move(segment, Input.STARTED)
        return (
            SegmentStarted(segment=segment, turn=it.turn, addressee=addressee, audience=audience),
        )

    def ran(self, segment: SegmentId, offset_s: float, duration_s: float) -> tuple[Fact, ...]:
        """Enter an unbroken stretch of its audio that left our queue.

        A stretch that does not follow the last one contradicts it, and then nobody can tell.
        """
        it = self._of(segment)
        if it.phase in FINAL:
            return ()
        self._move(segment, Input.RAN)
        end_s = offset_s + duration_s
        if it.covered.follows(offset_s, end_s):
            it.covered = it.covered.extended(offset_s, end_s)
        else:
            it.contradicted = True
        ran = SegmentRan(segment=segment, turn=it.turn, offset_s=offset_s, duration_s=duration_s)
        return (ran, *self._progress(it, it.covered, every_s=0.0))

    def progressed(self, segment: SegmentId, playhead_s: float) -> tuple[Fact, ...]:
        """Return durable progress if it is due, `PROGRESS_EVERY_S` of sound after the last."""
        it = self._of(segment)
        if it.phase is not Phase.PLAYING:
            return ()
        return self._progress(it, _up_to(it.covered, playhead_s), every_s=PROGRESS_EVERY_S)

    def finished(
        self, segment: SegmentId, position_s: float, *, interrupted: bool, listener_present: bool
    ) -> tuple[Fact, ...]:
        """Judge a segment whose sink is through with it.

        Args:
            segment: Which segment.
            position_s: Seconds of it that the sink played, by its own account.
            interrupted: The sink was stopped before it had played everything it had. Says how
                playing ended; how much was heard is judged by what was played.
            listener_present: The addressee was there and subscribed from first to last.
        """
        it = self._of(segment)
        if it.phase in FINAL:
            return ()
        report = PlaybackEnded(
            segment=segment,
            turn=it.turn,
            position_s=position_s,
            interrupted=interrupted,
            listener_present=listener_present,
        )
        if not it.covered.runs and 0 < position_s < inf:
            # A sink that reports no runs plays without a break.
            it.covered = it.covered.extended(0.0, position_s)
        contradictory = (
            it.contradicted
            or not abs(it.covered.total_s - position_s) <= CONTRADICTION_S
            or (it.covered.total_s > 0 and not it.sentences and speakable(it.text))
        )
        how = How.INTERRUPTED if interrupted else How.FINISHED
        if contradictory or (it.covered.runs and not listener_present):
            self._move(segment, Input.LOST)
            unseen = how if contradictory and listener_present else How.VANISHED
            return (report, it.ended_unheard(DeliveryState.UNKNOWN, unseen))
        self._move(segment, Input.ENDED)
        mute = not it.of_s and not it.covered.runs and not interrupted and speakable(it.text)
        return (report, it.ended(How.FAILED if mute else how))

    def vanished(self, segment: SegmentId) -> tuple[Fact, ...]:
        """End a segment of which nobody can tell what was heard."""
        it = self._of(segment)
        if it.phase in FINAL:
            return ()
        self._move(segment, Input.LOST)
        return (it.ended_unheard(DeliveryState.UNKNOWN, How.VANISHED),)

    def failed(self, segment: SegmentId) -> tuple[Fact, ...]:
        """End a segment whose voice or text failed; what was played until then was heard.

        If audio of it is with the sink still, wait for the sink's report and call `finished`.
        """
        it = self._of(segment)
        if it.phase in FINAL:
            return ()
        self._move(segment, Input.FAILED)
        return (it.ended(How.FAILED),)

    def settle(self) -> tuple[Fact, ...]:
        """End what is still open when a session closes: what had begun is unknown."""
        facts: list[Fact] = []
        for it in [it for it in self._segments.values() if it.phase not in FINAL]:
            if it.phase is Phase.GENERATED:
                self._move(it.segment, Input.WITHDRAWN)
                facts.append(it.ended_unheard(DeliveryState.CANCELED, How.WITHDRAWN))
            else:
                facts.extend(self.vanished(it.segment))
        return tuple(facts)

    # Questions.

    def phase(self, segment: SegmentId) -> Phase:
        """Return where a segment is on its way."""
        return self._of(segment).phase

    def text(self, segment: SegmentId) -> str:
        """Return what has been generated of a segment."""
        return self._of(segment).text

    def of_s(self, segment: SegmentId) -> float:
        """Return the seconds of audio made for a segment so far."""
        return self._of(segment).of_s

    def unended(self) -> tuple[SegmentId, ...]:
        """Return the segments that have not ended, oldest first."""
        return tuple(it.segment for it in self._segments.values() if it.phase not in FINAL)

    def heard(self, segment: SegmentId, playhead_s: float | None = None) -> Heard:
        """Return how far a segment has been heard when its sound has got to ``playhead_s``.

        None asks for what is certain: the runs reported so far.
        """
        it = self._of(segment)
        if it.heard is not None:
            return it.heard
        covered = it.covered if playhead_s is None else _up_to(it.covered, playhead_s)
        judged = it.judged(covered if it.phase is Phase.PLAYING else NOTHING_PLAYED)
        return Heard(
            chars=judged.heard_chars,
            saying_chars=judged.saying_chars if it.phase is Phase.PLAYING else 0,
            cut_by=judged.cut_by,
            error_s=judged.error_s,
        )

    def _of(self, segment: SegmentId) -> Segment:
        try:
            return self._segments[segment]
        except KeyError:
            raise ContractError(f"segment {segment} was never opened") from None

    def _move(self, segment: SegmentId, what: Input) -> Segment:
        it = self._of(segment)
        it.phase = advance(it.phase, what)
        return it

    def _progress(self, it: Segment, covered: Coverage, *, every_s: float) -> tuple[Fact, ...]:
        judged = it.judged(covered)
        if judged.heard_s <= it.progress_s or judged.heard_s < it.progress_s + every_s:
            return ()
        it.progress_s = judged.heard_s
        return (
            SegmentProgressed(
                segment=it.segment,
                turn=it.turn,
                heard_s=judged.heard_s,
                heard_chars=judged.heard_chars,
                evidence=Evidence.SERVER,
            ),
        )


def _up_to(covered: Coverage, playhead_s: float) -> Coverage:
    return covered.extended(covered.edge_s, max(playhead_s, covered.edge_s))
