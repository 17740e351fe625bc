"""What the boundary raises."""

from policy.decisions import Decision
from trail.errors import EarwitnessError


class PolicyDenied(EarwitnessError):
    """Policy said no.

    Attributes:
        decision: The recorded decision with its reasons.
    """

    def __init__(self, decision: Decision) -> None:
        because = "; ".join(reason.text for reason in decision.reasons) or "no rule permits it"
        super().__init__(f"not permitted: {because}")
        self.decision = decision
