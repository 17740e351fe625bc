"""The sound of one sentence on its way out: one rate, one clock, every frame under its segment."""

from collections.abc import Iterator

from livekit import rtc
from livekit.agents.types import USERDATA_TIMED_TRANSCRIPT, TimedString

from agent.speech.alignment import TimedWord
from agent.worker.face_tap import PHONEMES
from agent.worker.plugins.speaking import SpokenWord
from agent.worker.voice import SEGMENT_KEY
from trail.ids import SegmentId


class SentenceAudio:
    """Turns the frames of a voice into frames of the room, and keeps its word times."""

    def __init__(self, segment: SegmentId, *, start_s: float, rate_hz: int) -> None:
        self._segment = segment
        self._start_s = start_s
        self._rate_hz = rate_hz
        self._resampler: rtc.AudioResampler | None = None
        self._words: list[TimedWord] = []
        self._held_back: dict[str, object] = {}
        self.duration_s = 0.0

    @property
    def words(self) -> tuple[TimedWord, ...]:
        """Times from the sentence's first sample; empty when the voice gives none."""
        return tuple(self._words)

    def frames(self, frame: rtc.AudioFrame) -> Iterator[rtc.AudioFrame]:
        """Yield what ``frame`` becomes. LiveKit resamples too, but drops ``userdata`` then."""
        userdata = {**self._held_back, **self._userdata(frame)}
        self._held_back = {}
        if frame.sample_rate != self._rate_hz:
            if self._resampler is None:
                self._resampler = rtc.AudioResampler(frame.sample_rate, self._rate_hz)
            parts = self._resampler.push(frame)
        else:
            parts = [frame]
        for part in parts:
            yield self._labelled(part, userdata)
            userdata = {}
        self._held_back = userdata

    def rest(self) -> Iterator[rtc.AudioFrame]:
        """Yield what a resampler still holds."""
        if self._resampler is not None:
            for part in self._resampler.flush():
                yield self._labelled(part, self._held_back)
                self._held_back = {}

    def _labelled(self, frame: rtc.AudioFrame, userdata: dict[str, object]) -> rtc.AudioFrame:
        self.duration_s += frame.samples_per_channel / frame.sample_rate
        frame.userdata.update({**userdata, SEGMENT_KEY: self._segment})
        return frame

    def _userdata(self, frame: rtc.AudioFrame) -> dict[str, object]:
        timed = [
            text
            for text in frame.userdata.get(USERDATA_TIMED_TRANSCRIPT, [])
            if isinstance(text, TimedString)
        ]
        phonemes: list[tuple[str, float, float]] = []
        shifted: list[TimedString] = []
        for word in timed:
            start_s, end_s = word.start_time, word.end_time
            if not isinstance(start_s, float) or not isinstance(end_s, float):
                continue
            self._words.append(TimedWord(text=str(word).strip(), start_s=start_s, end_s=end_s))
            at_s = self._start_s
            shifted.append(TimedString(str(word), start_time=at_s + start_s, end_time=at_s + end_s))
            if isinstance(word, SpokenWord):
                phonemes += [(p, at_s + begin, at_s + end) for p, begin, end in word.phonemes]
        found: dict[str, object] = {}
        if shifted:
            found[USERDATA_TIMED_TRANSCRIPT] = shifted
        if phonemes:
            found[PHONEMES] = tuple(phonemes)
        return found
