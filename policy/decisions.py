"""The answer of the boundary, with its reasons."""

from dataclasses import dataclass

from trail.events.policy import Effect
from trail.ids import DecisionId


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One rule that determined the answer."""

    rule_id: str
    text: str
    """The rule's own ``@reason``, for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What may be done, and why. No reasons on a denial means that no rule permits it."""

    decision_id: DecisionId
    effect: Effect
    reasons: tuple[Reason, ...]
    obligations: tuple[str, ...]
    rule_set: str
    """Digest of the rules in force."""

    @property
    def allowed(self) -> bool:
        """Whether it may be done, once the obligations are carried out."""
        return self.effect is Effect.ALLOW
