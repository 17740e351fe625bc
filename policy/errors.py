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


class RulesInvalid(EarwitnessError):
    """A rules file cannot come into force. Nothing of it does; the process must not start.

    Attributes:
        place: The file.
        line: 1-based line where the faulty rule begins; None when the whole file is at fault.
    """

    def __init__(self, place: str, line: int | None, fault: str) -> None:
        where = place if line is None else f"{place}:{line}"
        super().__init__(f"{where}: {fault}")
        self.place = place
        self.line = line
