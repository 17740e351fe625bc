"""Laws that hold whatever is reported in whatever order."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from agent.replay.verify import verify_session
from agent.speech.ledger import Ledger
from agent.speech.phases import FINAL, TRANSITIONS, Input, Phase
from tests.agent.replay.tale import Tale
from tests.agent.speech.saying import ANNA, S, ledger_with, some_words
from trail.envelope import Fact
from trail.errors import ContractError
from trail.events.delivery import DeliveryState, SegmentFinished, SegmentProgressed, SegmentRan
from trail.events.generation import SegmentGenerated

TEXTS = st.lists(
    st.sampled_from(["a", "bb", "**c**", "d.", "😀", "5", "Lisbon,", "\n"]), max_size=20
).map(" ".join)
SECONDS = st.floats(min_value=0, max_value=30, allow_nan=False)
Step = Callable[[Ledger], tuple[Fact, ...]]


@st.composite
def steps(draw: st.DrawFn) -> Step:
    """One input, with everything that belongs to it."""
    one, other = draw(SECONDS), draw(SECONDS)
    interrupted, present = draw(st.booleans()), draw(st.booleans())
    words = some_words()

    def finished(ledger: Ledger) -> tuple[Fact, ...]:
        return ledger.finished(S, one, interrupted=interrupted, listener_present=present)

    def extended(ledger: Ledger) -> tuple[Fact, ...]:
        ledger.extend(S, " more words")
        return ()

    def completed(ledger: Ledger) -> tuple[Fact, ...]:
        made = ledger.complete(S, complete=interrupted)
        return (made.fact(some_words(made.text)),)

    def voiced(ledger: Ledger) -> tuple[Fact, ...]:
        size = len(ledger.text(S))
        begin = min(round(one), size)
        return ledger.voiced(
            S, chars=(begin, size), start_s=ledger.of_s(S), duration_s=other, whole=present
        )

    every: list[Step] = [
        extended,
        completed,
        voiced,
        finished,
        lambda ledger: ledger.queued(S),
        lambda ledger: ledger.started(S, addressee=ANNA, audience=(ANNA,)),
        lambda ledger: ledger.ran(S, one, other),
        lambda ledger: ledger.progressed(S, one),
        lambda ledger: ledger.vanished(S),
        lambda ledger: ledger.failed(S),
        lambda ledger: ledger.withdrawn(S, words),
        lambda ledger: ledger.superseded(S, words),
        lambda ledger: ledger.displayed(S),
    ]
    return draw(st.sampled_from(every))


def playing(ledger: Ledger) -> tuple[Fact, ...]:
    """Bring it under way at once, where that is possible."""
    size = len(ledger.text(S))
    return (
        *ledger.voiced(S, chars=(0, size), start_s=0.0, duration_s=10.0),
        *ledger.queued(S),
        *ledger.started(S, addressee=ANNA, audience=(ANNA,)),
        *ledger.ran(S, 0.0, 3.0),
    )


INPUTS = st.tuples(st.lists(st.just(playing), max_size=1), st.lists(steps(), max_size=20)).map(
    lambda both: [*both[0], *both[1]]
)


def lived(text: str, inputs: list[Step]) -> tuple[Ledger, list[Fact], list[Phase]]:
    """Feed ``inputs`` and an end; what is impossible is refused and changes nothing."""
    ledger = ledger_with(text, complete=False)
    facts: list[Fact] = []
    if len(inputs) % 2 == 0:
        made = ledger.complete(S, complete=True)
        facts.append(made.fact(some_words(made.text)))
    phases = [ledger.phase(S)]
    for step in inputs:
        before = ledger.phase(S)
        try:
            facts.extend(step(ledger))
        except ContractError:
            assert ledger.phase(S) is before
        phases.append(ledger.phase(S))
    if len(inputs) % 3:
        played_s = sum(fact.duration_s for fact in facts if isinstance(fact, SegmentRan))
        facts.extend(
            ledger.finished(S, played_s, interrupted=len(inputs) % 3 == 1, listener_present=True)
        )
    facts.extend(ledger.settle())
    phases.append(ledger.phase(S))
    return ledger, facts, phases


@given(text=TEXTS, inputs=INPUTS)
def test_any_order_of_inputs_ends_once_and_in_a_final_phase(text: str, inputs: list[Step]) -> None:
    _, facts, phases = lived(text, inputs)

    ends = [fact for fact in facts if isinstance(fact, SegmentFinished)]
    assert phases[-1] in FINAL
    assert len(ends) <= 1


@given(text=TEXTS, inputs=INPUTS)
def test_a_segment_never_goes_back(text: str, inputs: list[Step]) -> None:
    _, _, phases = lived(text, inputs)

    order = [Phase.GENERATED, Phase.QUEUED, Phase.PLAYING]
    ranks = [order.index(phase) if phase in order else len(order) for phase in phases]
    assert ranks == sorted(ranks)
    assert len({phase for phase in phases if phase in FINAL}) == 1


@given(text=TEXTS, inputs=INPUTS)
def test_what_was_heard_is_a_prefix_of_what_was_generated(text: str, inputs: list[Step]) -> None:
    ledger, facts, _ = lived(text, inputs)

    generated = ledger.text(S)
    for fact in facts:
        if isinstance(fact, SegmentFinished | SegmentProgressed):
            heard = generated[: fact.heard_chars]
            assert fact.heard_chars == len(heard)
            assert not heard or len(heard) == len(generated) or not heard[-1].isspace()
            assert fact.heard_s >= 0


@given(text=TEXTS, inputs=INPUTS)
def test_unknown_and_dropped_never_yield_a_word(text: str, inputs: list[Step]) -> None:
    _, facts, _ = lived(text, inputs)

    silent = set(DeliveryState) - {DeliveryState.FULL, DeliveryState.PARTIAL}
    for fact in facts:
        if isinstance(fact, SegmentFinished) and fact.state in silent:
            assert fact.heard_chars == 0
            assert fact.state is not DeliveryState.UNKNOWN or fact.heard_s == 0.0


@given(text=TEXTS, cuts=st.lists(SECONDS, min_size=2, max_size=2).map(sorted))
def test_more_sound_never_means_less_heard(text: str, cuts: list[float]) -> None:
    ledger = ledger_with(text)
    ledger.voiced(S, chars=(0, len(text)), start_s=0.0, duration_s=20.0)
    ledger.queued(S)
    ledger.started(S, addressee=ANNA, audience=(ANNA,))

    sooner, later = (ledger.heard(S, cut) for cut in cuts)

    assert sooner.chars <= later.chars
    assert sooner.chars <= sooner.saying_chars <= len(text)


@given(text=TEXTS, inputs=INPUTS)
def test_what_was_recorded_leads_to_the_same_end_when_lived_again(
    text: str, inputs: list[Step]
) -> None:
    ledger, facts, _ = lived(text, inputs)
    generated = [fact.words for fact in facts if isinstance(fact, SegmentGenerated)]
    tale = Tale()
    tale.record(facts)

    found = verify_session(
        tale.envelopes(), {words.content_id: ledger.text(S) for words in generated}
    )

    assert found.deliveries + found.erased == sum(isinstance(f, SegmentFinished) for f in facts)


def test_every_phase_has_a_way_out_until_the_last() -> None:
    leaving = {phase for (phase, _), into in TRANSITIONS.items() if into is not phase}

    assert leaving == set(Phase) - FINAL


def test_every_input_is_possible_somewhere() -> None:
    assert {what for _, what in TRANSITIONS} == set(Input)
