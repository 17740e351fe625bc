"""What the trail of a house says about turns, for figures that only the worker can know."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from agent.cli.options import settings_of
from agent.replay.recorded import whole_stream
from agent.wiring.store import open_trail
from tests.e2e.house import RunningHouse
from trail.events.interaction import TurnAnswered
from trail.ids import session_stream


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """One answer and when its first sound left the worker."""

    at: datetime
    fact: TurnAnswered


async def answers_of(house: RunningHouse, *, sessions: int) -> Sequence[Answered]:
    """Return the answers given in the newest ``sessions`` of a house, oldest first."""
    found: list[Answered] = []
    async with open_trail(settings_of(data_dir=house.data_dir), source="bench") as store:
        for row in await store.sessions_of(None, limit=sessions):
            found += [
                Answered(at=envelope.occurred_at, fact=envelope.fact)
                for envelope in await whole_stream(store, session_stream(row.session_id))
                if isinstance(envelope.fact, TurnAnswered)
            ]
    return sorted(found, key=lambda answered: answered.at)


def within(answers: Sequence[Answered], began: datetime, ended: datetime) -> TurnAnswered | None:
    """Return the first answer between two instants."""
    return next((each.fact for each in answers if began <= each.at <= ended), None)
