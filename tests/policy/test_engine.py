"""Laws of the engine: forbid wins, errors deny, hostile ids never widen, the default is no."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.consent import Consents
from policy.engine import EVALUATION_FAILED, Verdict, decide
from policy.requests import Action, DataClass, Provider, Request
from policy.ruleset import RuleSet, load_rules
from tests.policy.builders import ANNA, BEN, ELSEWHERE, NOW, reading, request
from trail.envelope import PrivacyClass
from trail.events.policy import Effect, Purpose
from trail.ids import ParticipantId, PersonId

ALL_CONSENT = {who: Consents(person=who, until=dict.fromkeys(Purpose)) for who in (ANNA, BEN)}
IDS = st.one_of(
    st.text(st.characters(), max_size=20),
    st.sampled_from(
        [
            ANNA,
            'anna"',
            'x" || true || "',
            'anna"}}, {"__entity": {"type": "Participant", "id": "anna',
            "anna\n",
            "anna\x00",
            "\ud800",
            'Participant::"anna"',
            "ANNA",
            " anna",
            "",
        ]
    ),
)
REQUESTS = st.builds(
    request,
    st.sampled_from(Action),
    subject=IDS,
    owner=IDS,
    data_class=st.sampled_from(DataClass),
    privacy_class=st.sampled_from(PrivacyClass),
    purpose=st.sampled_from(["conversation", "recording", "reading"]) | IDS,
    audience=st.lists(IDS, max_size=3).map(tuple),
    provider=st.builds(Provider, name=IDS, is_local=st.booleans()),
    scopes=st.lists(st.sampled_from(["talk", "operate"]) | IDS, max_size=2).map(tuple),
    resource_id=IDS,
    profile=st.just("private") | IDS,
)


def added(folder: Path, text: str) -> RuleSet:
    path = folder / "own.cedar"
    path.write_text(text)
    return load_rules(path)


def asked(
    rules: RuleSet, question: Request, consents: Mapping[PersonId, Consents] | None = None
) -> Verdict:
    return decide(rules, question, consents or {}, NOW)


@given(REQUESTS)
def test_what_is_permitted_is_permitted_to_the_owner_in_the_audience(
    rules: RuleSet, question: Request
) -> None:
    verdict = asked(rules, question, ALL_CONSENT)

    if verdict.effect is Effect.ALLOW and question.action is not Action.AUDIT:
        assert question.subject == ParticipantId(question.owner)
        assert question.subject in question.situation.audience
        assert question.situation.profile == "private"
        assert question.purpose in {"conversation", "recording"}


@given(REQUESTS)
def test_what_may_be_read_belongs_to_the_asker_or_the_asker_operates(
    rules: RuleSet, question: Request
) -> None:
    verdict = asked(rules, question)

    if verdict.effect is Effect.ALLOW and question.action is Action.AUDIT:
        belongs = {question.owner, *question.situation.audience}
        assert question.subject in belongs or "operate" in question.scopes


@given(REQUESTS.filter(lambda question: not question.provider.is_local))
def test_nothing_goes_elsewhere_without_consent(rules: RuleSet, question: Request) -> None:
    assert asked(rules, question).effect is Effect.DENY


@given(REQUESTS.filter(lambda question: not question.provider.is_local))
def test_no_rule_of_an_operator_sends_anything_elsewhere_without_consent(
    permissive: RuleSet, question: Request
) -> None:
    verdict = asked(permissive, question)

    assert question.action is not Action.EGRESS or verdict.effect is Effect.DENY


@given(REQUESTS)
def test_a_forbid_outweighs_every_permit(forbidding: RuleSet, question: Request) -> None:
    verdict = asked(forbidding, question, ALL_CONSENT)

    assert verdict.effect is Effect.DENY
    assert verdict.reasons


@given(REQUESTS)
def test_a_denial_owes_nothing_and_a_permission_has_a_reason(
    rules: RuleSet, question: Request
) -> None:
    verdict = asked(rules, question, ALL_CONSENT)

    assert verdict.obligations == ()
    assert verdict.effect is Effect.DENY or verdict.reasons


@given(REQUESTS)
def test_the_same_question_has_the_same_answer(rules: RuleSet, question: Request) -> None:
    assert asked(rules, question) == asked(rules, question)


@pytest.fixture(scope="session")
def permissive(tmp_path_factory: pytest.TempPathFactory) -> RuleSet:
    text = '@id("operator.all") @reason("everything") permit (principal, action, resource);'
    return added(tmp_path_factory.mktemp("permissive"), text)


@pytest.fixture(scope="session")
def forbidding(tmp_path_factory: pytest.TempPathFactory) -> RuleSet:
    permit = '@id("operator.all") @reason("everything") permit (principal, action, resource);'
    forbid = '@id("operator.none") @reason("nothing") forbid (principal, action, resource);'
    return added(tmp_path_factory.mktemp("forbidding"), permit + forbid)


@pytest.mark.parametrize(
    "hostile",
    [
        'anna" || true || "',
        'anna"}, {"type": "Participant", "id": "anna',
        "anna\n",
        "anna\\",
        "anna\x00",
        "\ud800",
        'Participant::"anna"',
    ],
)
def test_given_a_hostile_id_when_its_bearer_reads_then_it_is_nobody_elses(
    rules: RuleSet, hostile: str
) -> None:
    assert asked(rules, reading(subject=hostile)).effect is Effect.DENY
    assert asked(rules, reading(subject="carl", audience=(hostile,))).effect is Effect.DENY


@pytest.mark.parametrize("name", ['o"hara', "two\nlines", "back\\slash", "アンナ", "\u202eanna"])
def test_given_an_odd_but_honest_id_when_its_bearer_reads_then_it_is_theirs(
    rules: RuleSet, name: str
) -> None:
    assert asked(rules, reading(subject=name, audience=(name,))).effect is Effect.ALLOW


def test_given_an_id_that_cannot_be_written_when_asked_then_the_failure_is_the_reason(
    rules: RuleSet,
) -> None:
    broken = "\ud800"

    verdict = asked(rules, reading(subject=broken, audience=(broken,)))

    assert verdict == Verdict(effect=Effect.DENY, reasons=(EVALUATION_FAILED,))


def test_given_a_rule_that_fails_when_asked_then_the_answer_is_no_and_says_so(
    tmp_path: Path,
) -> None:
    overflow = "context.others_present + 9223372036854775807 > 0"
    rules = added(
        tmp_path,
        '@id("operator.overflow") @reason("r") forbid (principal, action, resource)'
        f" when {{ {overflow} }};",
    )

    verdict = asked(rules, request(audience=(ANNA, BEN)))

    assert verdict == Verdict(effect=Effect.DENY, reasons=(EVALUATION_FAILED,))


@pytest.mark.parametrize(
    ("audience", "others"), [((ANNA,), 0), ((ANNA, BEN), 1), ((BEN,), 1), ((), 0)]
)
def test_given_company_when_asked_then_the_others_are_counted_without_the_owner(
    tmp_path: Path, audience: tuple[str, ...], others: int
) -> None:
    rules = added(
        tmp_path,
        '@id("operator.count") @reason("r") permit (principal, action, resource)'
        f" when {{ context.others_present == {others} }};",
    )

    verdict = asked(rules, request(Action.COMMIT, audience=audience))

    assert verdict.effect is Effect.ALLOW


def test_given_several_rules_when_they_agree_then_all_are_named_and_what_they_oblige_to(
    tmp_path: Path,
) -> None:
    path = tmp_path / "own.cedar"
    path.write_text(
        '@id("a.one") @reason("1") @obligation("tell") permit (principal, action, resource);'
        '@id("a.two") @reason("2") @obligation("redact, tell") permit (principal, action,'
        " resource);"
        '@id("a.three") @reason("3") @obligation("wait") permit (principal, action, resource)'
        " when { context.others_present > 5 };"
    )

    verdict = asked(load_rules(path, obligations=("tell", "redact", "wait")), request())

    assert [r.rule_id for r in verdict.reasons] == ["a.one", "a.two", "egress.local-conversation"]
    assert verdict.obligations == ("redact", "tell")


def test_given_a_consent_with_an_end_when_time_passes_then_the_answer_changes(
    rules: RuleSet,
) -> None:
    end = NOW + timedelta(hours=1)
    consents = {ANNA: Consents(person=ANNA, until={Purpose.REMOTE_MODELS: end})}
    question = request(provider=ELSEWHERE)

    before = decide(rules, question, consents, end - timedelta(seconds=1))
    after = decide(rules, question, consents, end)

    assert (before.effect, after.effect) == (Effect.ALLOW, Effect.DENY)


def test_given_many_threads_when_they_share_the_rules_then_all_get_the_same_answer(
    rules: RuleSet,
) -> None:
    with ThreadPoolExecutor(8) as pool:
        verdicts = set(pool.map(lambda _: asked(rules, request()), range(200)))

    assert len(verdicts) == 1
