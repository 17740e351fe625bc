"""One finding of ``earwitness doctor``, and how findings are printed."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal

State = Literal["ok", "note", "fault"]
"""``note``: works, but worth knowing; ``fault``: something will not work."""
_MARKS: dict[State, str] = {"ok": "ok  ", "note": "note", "fault": "FAULT"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What was looked at, how it is, and how to mend it."""

    part: str
    state: State
    said: str
    mend: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the finding as JSON holds it."""
        return asdict(self)


def lines_of(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield the findings as a person reads them."""
    for each in findings:
        yield f"{_MARKS[each.state]:<5} {each.part:<16} {each.said}"
        if each.mend:
            yield f"{'':<22} → {each.mend}"


def any_fault(findings: Iterable[Finding]) -> bool:
    """Tell whether something will not work."""
    return any(each.state == "fault" for each in findings)
