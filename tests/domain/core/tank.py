"""An aggregate for tests of the registry of rules: a tank that overflows."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Literal

from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import WrongStateError
from domain.core.event import EventBody
from domain.core.kernel import Rules
from domain.core.wire import Wire

NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)


class Level(Wire):
    """The state: a tank that overflows."""

    litres: int = 0
    overflows: int = 0
    filled_at: datetime | None = None
    is_locked: bool = False


class Fill(Wire):
    """Add litres."""

    litres: int


class FillTwice(Fill):
    """Add them twice."""


class Drain(Wire):
    """Empty it."""


class Lock(Wire):
    """Take no more commands."""


class Filled(EventBody):
    """Litres were added."""

    kind: Literal["filled"] = "filled"
    litres: int
    at: datetime


class Overflowed(EventBody):
    """Ten litres went over."""

    kind: Literal["overflowed"] = "overflowed"


class Locked(EventBody):
    """It is locked."""

    kind: Literal["locked"] = "locked"


class Unknown(EventBody):
    """No rule knows this one."""

    kind: Literal["unknown"] = "unknown"


class Pump(Wire):
    """The pump must run."""

    litres: int


def tank() -> Rules[Level, Pump]:
    rules = Rules[Level, Pump]("a tank")

    @rules.guards
    def refuse_when_locked(state: Level) -> None:
        if state.is_locked:
            raise WrongStateError("locked")

    @rules.handles
    def fill(command: Fill, now: datetime) -> Decided:
        return Decided((Filled(litres=command.litres, at=now),), Answer(message="filled"))

    @rules.handles(Drain)
    def drain(state: Level) -> Decided:
        return Decided((Filled(litres=-state.litres, at=NOW),))

    @rules.handles(Lock)
    def lock() -> Decided:
        return Decided((Locked(),))

    register_changes(rules)
    return rules


def register_changes(rules: Rules[Level, Pump]) -> None:
    @rules.evolves
    def apply_filled(event: Filled, state: Level) -> Level:
        changes = {"litres": state.litres + event.litres, "filled_at": event.at}
        return state.model_copy(update=changes)

    @rules.evolves(Overflowed)
    def apply_overflowed(state: Level) -> Level:
        changes = {"litres": state.litres - 10, "overflows": state.overflows + 1}
        return state.model_copy(update=changes)

    @rules.evolves(Locked)
    def apply_locked(state: Level) -> Level:
        return state.model_copy(update={"is_locked": True})

    @rules.reacts
    def overflow(state: Level) -> Iterable[EventBody]:
        if state.litres > 10:
            yield Overflowed()

    @rules.requires
    def pump(state: Level) -> Iterable[Pump]:
        if state.litres:
            yield Pump(litres=state.litres)


TANK = tank()
