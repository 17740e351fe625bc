"""Decides, writes down, and lets through or raises `PolicyDenied`. Nothing goes around it."""

import hashlib
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from datetime import datetime

import structlog

from policy.consent import Consents
from policy.decisions import Decision
from policy.engine import EVALUATION_FAILED, decide, people_of, resource_of
from policy.errors import PolicyDenied
from policy.ports import Recorder
from policy.requests import Action, Request
from policy.ruleset import RuleSet
from trail.clock import Clock
from trail.envelope import PrivacyClass
from trail.errors import ContractError
from trail.events.policy import DecisionsUsed, PolicyDecided
from trail.ids import DecisionId, ParticipantId, PersonId, uuid7

STANDING = frozenset({Action.CAPTURE, Action.IDENTITY, Action.EGRESS, Action.RETRIEVE})
"""Asked so often that one decision holds until what it depends on changes."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    """A decision that holds for as long as audience and consents stay as they were."""

    audience: frozenset[ParticipantId]
    consents: tuple[str, ...]
    decision: Decision


class Gate:
    """The boundary for one stream of the trail. Used from one event loop."""

    def __init__(
        self,
        rules: RuleSet,
        recorder: Recorder,
        *,
        clock: Clock,
        consents: Callable[[PersonId], Consents],
    ) -> None:
        """Create the gate.

        Args:
            rules: In force for as long as this gate lives.
            recorder: Takes the decisions.
            clock: Its UTC judges the ends of consents.
            consents: What a person consents to by the newest facts; asked for the owner and the
                audience of every request, so it must be quick.
        """
        self._rules = rules
        self._recorder = recorder
        self._clock = clock
        self._consents = consents
        self._standing: dict[Hashable, _Standing] = {}
        self._uses: Counter[DecisionId] = Counter()

    async def require(self, request: Request) -> Decision:
        """Decide about this one time; the decision is durable before this returns or raises.

        Raises:
            PolicyDenied: the answer is no; it carries the decision.
            DependencyUnavailable: the decision could not be written down; do not act.
        """
        now = self._clock.utc()
        decision = self._decided(request, self._present(request, now), now, standing=False)
        await self._recorder.flush()
        return _let_through(decision)

    def standing(self, request: Request) -> Decision:
        """Return the decision that holds for requests of this kind; never waits.

        Decided and noted at first use and whenever audience, consents or an end of one changed;
        otherwise remembered and counted. ``resource_id`` is not regarded: a standing decision is
        about a kind of thing.

        Raises:
            PolicyDenied: the answer is no; it carries the decision.
            ContractError: the action is decided each time anew; use `require`.
        """
        if request.action not in STANDING:
            raise ContractError(f"{request.action} has no standing decisions; use require")
        now = self._clock.utc()
        present = self._present(request, now)
        slot = _slot(request)
        held = self._standing.get(slot)
        revisions = tuple([consents.digest for consents in present.values()])
        if (
            held is None
            or held.audience != request.situation.audience
            or held.consents != revisions
        ):
            held = _Standing(
                audience=request.situation.audience,
                consents=revisions,
                decision=self._decided(
                    replace(request, resource_id=""), present, now, standing=True
                ),
            )
            self._standing[slot] = held
        self._uses[held.decision.decision_id] += 1
        return _let_through(held.decision)

    def note_uses(self) -> None:
        """Note how often each standing decision was used since this was last called."""
        for decision_id, count in self._uses.items():
            self._recorder.note(DecisionsUsed(decision_id=decision_id, count=count))
        self._uses.clear()

    def _present(self, request: Request, now: datetime) -> dict[PersonId, Consents]:
        """Return the consents that bear on ``request`` and have not ended, the owner's first."""
        present: dict[PersonId, Consents] = {}
        for person in people_of(request):
            consents = self._consents(person)
            if consents.person != person:
                raise ContractError("asked for one person's consents, got another's")
            present[person] = consents.at(now)
        return present

    def _decided(
        self,
        request: Request,
        present: dict[PersonId, Consents],
        now: datetime,
        *,
        standing: bool,
    ) -> Decision:
        verdict = decide(self._rules, request, present, now)
        if EVALUATION_FAILED in verdict.reasons:
            log.warning(
                "policy_evaluation_failed", action=request.action.value, rules=self._rules.digest
            )
        decision = Decision(
            decision_id=DecisionId(uuid7()),
            effect=verdict.effect,
            reasons=verdict.reasons,
            obligations=verdict.obligations,
            rule_set=self._rules.digest,
        )
        self._recorder.note(
            _fact(request, decision, present, standing=standing),
            privacy_class=PrivacyClass.OPERATIONAL,
            participant_id=ParticipantId(request.owner),
        )
        return decision


def _let_through(decision: Decision) -> Decision:
    if not decision.allowed:
        raise PolicyDenied(decision)
    return decision


def _slot(request: Request) -> Hashable:
    """Return what kind of thing is asked: everything but the thing's id, audience and consents."""
    situation = request.situation
    return (
        request.action,
        request.subject,
        request.owner,
        request.data_class,
        request.privacy_class,
        request.purpose,
        request.provider.name,
        request.provider.is_local,
        request.scopes,
        situation.session_id,
        situation.character_id,
        situation.channel,
        situation.profile,
    )


def _fact(
    request: Request, decision: Decision, present: dict[PersonId, Consents], *, standing: bool
) -> PolicyDecided:
    return PolicyDecided(
        decision_id=decision.decision_id,
        action=request.action.value,
        effect=decision.effect,
        subject=request.subject,
        resource=resource_of(request),
        purpose=request.purpose,
        data_class=request.data_class.value,
        provider=request.provider.name,
        provider_is_local=request.provider.is_local,
        audience=tuple(sorted(request.situation.audience)),
        rules=tuple(reason.rule_id for reason in decision.reasons),
        obligations=decision.obligations,
        rule_set=decision.rule_set,
        consents=_revision(present),
        standing=standing,
    )


def _revision(present: dict[PersonId, Consents]) -> str:
    """Return one digest over the consents that bore on a decision, the owner's first."""
    return hashlib.sha256("".join(c.digest for c in present.values()).encode()).hexdigest()
