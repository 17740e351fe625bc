"""What the avatar says: from the first generated word to the last that was heard.

Every stretch of speech is a `Saying` with one ledger segment. The mouth hands to the ledger what
the model, the voice and the audio output report, records the facts it returns, and tells the
page. It decides nothing itself about what was heard.
"""

from collections.abc import Callable, Sequence

from agent.conversation.cast import Cast
from agent.conversation.live import LiveTopic
from agent.conversation.record import Record
from agent.conversation.saying import Listeners, Saying, Sentence
from agent.speech.alignment import TimedWord
from agent.speech.ledger import Ledger
from agent.speech.phases import FINAL, Phase
from trail.content import Content, content
from trail.envelope import Fact
from trail.events.delivery import DeliveryState, SegmentFinished
from trail.events.generation import Origin
from trail.ids import ParticipantId, SegmentId, TurnId, uuid7


class Mouth:
    """The avatar's sayings. Implements the reports of the audio output."""

    def __init__(
        self,
        *,
        cast: Cast,
        ledger: Ledger,
        record: Record,
        live: LiveTopic,
        listeners: Callable[[], Listeners],
        now_s: Callable[[], float],
        on_started: Callable[["Saying"], None],
        report_timeout_s: float,
    ) -> None:
        self._cast = cast
        self._ledger = ledger
        self._record = record
        self._live = live
        self._listeners = listeners
        self._now_s = now_s
        self._on_started = on_started
        self._report_timeout_s = report_timeout_s
        self._by_speech: dict[str, Saying] = {}
        self._sayings: dict[SegmentId, Saying] = {}
        self._shown: dict[SegmentId, tuple[int, int, bool]] = {}
        self._playing: Callable[[], tuple[SegmentId, float, bool] | None] = lambda: None

    def follow(self, playing: Callable[[], tuple[SegmentId, float, bool] | None]) -> None:
        """Take the place from which the playhead is read, once the audio output exists."""
        self._playing = playing

    # From the model and the voice.

    def prepare(
        self, speech: str, *, answers: TurnId | None, origin: Origin, has_model: bool
    ) -> Saying:
        """Begin a saying that may still be withdrawn; ``speech`` is the framework's id of it."""
        saying = Saying(
            self,
            SegmentId(uuid7()),
            TurnId(uuid7()),
            answers=answers,
            listeners=self._listeners(),
            now_s=self._now_s(),
            has_model=has_model,
        )
        self._ledger.open(
            saying.segment,
            saying.turn,
            answers=answers,
            origin=origin,
            provider=self._cast.thinking.provider.name,
            model=self._cast.thinking.model,
        )
        self._by_speech[speech] = saying
        self._sayings[saying.segment] = saying
        return saying

    def prepared(self, speech: str) -> Saying | None:
        """Return the saying that was prepared for a speech and waits to be spoken."""
        saying = self._by_speech.get(speech)
        return None if saying is None or saying.spoken else saying

    def speak(self, saying: Saying, *, answers: TurnId | None) -> None:
        """Let the page see a saying; it will be spoken now."""
        saying.spoken = True
        saying.answers = saying.answers or answers
        saying.listeners = self._listeners()
        if text := self._ledger.text(saying.segment):
            self._show(saying, 0, text)

    def repeat(self) -> None:
        """Tell the page again what is being said, for somebody who has just come."""
        for segment in self._ledger.unended():
            saying = self._sayings[segment]
            if saying.spoken and (text := self._ledger.text(segment)):
                self._shown.pop(segment, None)
                self._show(saying, 0, text)

    def extended(self, saying: Saying, text: str) -> None:
        """Enter generated text."""
        if self._ledger.phase(saying.segment) in FINAL:
            return
        offset = self._ledger.extend(saying.segment, text)
        if saying.spoken:
            self._show(saying, offset, text)

    def voiced(
        self,
        saying: Saying,
        sentence: Sentence,
        *,
        start_s: float,
        duration_s: float,
        words: Sequence[TimedWord],
        whole: bool,
    ) -> None:
        """Enter a sentence that became sound."""
        facts = self._ledger.voiced(
            saying.segment,
            chars=sentence.chars,
            start_s=start_s,
            duration_s=duration_s,
            words=words,
            whole=whole,
        )
        self._note(saying, facts)

    def completed(self, saying: Saying, *, complete: bool) -> None:
        """Enter the end of the text and record its words."""
        made = self._ledger.complete(saying.segment, complete=complete)
        saying.words = content(made.text, owner=None)
        self._note(
            saying, (made.fact(saying.words.ref, answers=saying.answers),), contents=(saying.words,)
        )

    def closed(self, speech: str) -> None:
        """Judge a saying that the framework is through with and that made no sound.

        One whose sound is with the audio output is judged by the output's report.
        """
        saying = self._by_speech.pop(speech, None)
        if saying is None or self._ledger.phase(saying.segment) is not Phase.GENERATED:
            return
        segment = saying.segment
        if saying.failed:
            self._note(saying, self._ledger.failed(segment))
        elif saying.complete:
            self._note(
                saying,
                self._ledger.finished(segment, 0.0, interrupted=False, listener_present=True),
            )
        else:
            words = saying.words or content(self._ledger.text(segment), owner=None)
            stored = () if saying.words else (words,)
            self._note(saying, self._ledger.withdrawn(segment, words.ref), contents=stored)

    # Reports of the audio output, in the session's loop.

    def queued(self, segment: SegmentId) -> None:
        """The first audio of a segment was handed to the output."""
        if saying := self._heard_of(segment):
            self._note(saying, self._ledger.queued(segment))

    def started(self, segment: SegmentId) -> None:
        """The first sound of a segment left."""
        if saying := self._heard_of(segment):
            saying.listeners = self._listeners()
            saying.listener_stayed = saying.listeners.addressee_present
            self._note(
                saying,
                self._ledger.started(
                    segment,
                    addressee=saying.listeners.addressee,
                    audience=saying.listeners.audience,
                ),
            )
            self._on_started(saying)

    def ran(self, segment: SegmentId, *, offset_s: float, duration_s: float) -> None:
        """A stretch of a segment has played without a gap."""
        if saying := self._heard_of(segment):
            self._note(saying, self._ledger.ran(segment, offset_s, duration_s))

    def finished(self, segment: SegmentId, *, position_s: float, interrupted: bool) -> None:
        """Playing of a segment ended."""
        if saying := self._heard_of(segment):
            saying.generated(complete=False)
            self._note(
                saying,
                self._ledger.finished(
                    segment,
                    position_s,
                    interrupted=interrupted,
                    listener_present=saying.listener_stayed,
                ),
            )

    def turn_in_the_air(self) -> TurnId | None:
        """Return the avatar's turn that can be heard at the moment."""
        playing = self._playing()
        saying = self._sayings.get(playing[0]) if playing is not None else None
        return saying.turn if saying is not None else None

    def listener_left(self, person: ParticipantId) -> None:
        """Mark what is being said: its addressee is not there to the end."""
        for segment in self._ledger.unended():
            saying = self._sayings[segment]
            if saying.listeners.addressee == person:
                saying.listener_stayed = False

    # Time passes.

    def playhead_s(self, segment: SegmentId) -> float | None:
        """Return how many seconds of a segment have left; None before and after."""
        playing = self._playing()
        return playing[1] if playing is not None and playing[0] == segment else None

    def tick(self) -> None:
        """Tell the page how far the voice is, and end what never reports.

        Call it a few times a second.
        """
        playing = self._playing()
        if playing is not None and playing[0] in self._sayings:
            segment, playhead_s, moving = playing
            saying = self._sayings[segment]
            self._note(saying, self._ledger.progressed(segment, playhead_s))
            self._show_progress(saying, playhead_s, moving=moving)
            if not moving:
                saying.news_s = self._now_s()
        for segment in self._ledger.unended():
            saying = self._sayings[segment]
            silent_s = self._now_s() - saying.news_s
            waiting = self._ledger.phase(segment) is not Phase.GENERATED
            if waiting and silent_s > self._ledger.of_s(segment) + self._report_timeout_s:
                self._note(saying, self._ledger.vanished(segment))

    def settle(self) -> None:
        """End what is open when the session closes."""
        for saying in list(self._sayings.values()):
            if not saying.closed and saying.spoken:
                saying.generated(complete=False)
        for fact in self._ledger.settle():
            if isinstance(fact, SegmentFinished):
                self._note(self._sayings[fact.segment], (fact,))

    def _heard_of(self, segment: SegmentId) -> Saying | None:
        saying = self._sayings.get(segment)
        if saying is not None:
            saying.news_s = self._now_s()
        return saying

    def _note(
        self, saying: Saying, facts: Sequence[Fact], *, contents: Sequence[Content] = ()
    ) -> None:
        for index, fact in enumerate(facts):
            self._record.of_turn(
                fact,
                saying.turn,
                participant_id=self._cast.scene.avatar,
                because_of=saying.answers,
                contents=contents if index == 0 else (),
            )
            if isinstance(fact, SegmentFinished):
                self._tell_end(saying, fact)

    def _tell_end(self, saying: Saying, end: SegmentFinished) -> None:
        names = {"turn_id": saying.turn, "segment_id": saying.segment}
        self._shown.pop(saying.segment, None)
        if end.state in (DeliveryState.CANCELED, DeliveryState.SUPERSEDED):
            self._live.say("withdrawn", **names)
            return
        self._live.say(
            "delivered",
            **names,
            state=end.state,
            how=end.how,
            evidence=end.evidence,
            heard_chars=end.heard_chars,
            heard_s=round(end.heard_s, 3),
            of_s=round(end.of_s, 3),
        )

    def _show(self, saying: Saying, offset: int, text: str) -> None:
        self._live.say(
            "generated",
            turn_id=saying.turn,
            segment_id=saying.segment,
            offset=offset,
            text=text,
        )

    def _show_progress(self, saying: Saying, playhead_s: float, *, moving: bool) -> None:
        heard = self._ledger.heard(saying.segment, playhead_s)
        state = (heard.chars, heard.saying_chars, moving)
        if self._shown.get(saying.segment) == state:
            return
        self._shown[saying.segment] = state
        self._live.say(
            "progress",
            turn_id=saying.turn,
            segment_id=saying.segment,
            heard_chars=heard.chars,
            saying_chars=heard.saying_chars,
            playing=moving,
        )
