"""The ledger of what turns cost: a line for each part of a turn, reserved at its start and settled at its end."""

from collections.abc import Collection
from typing import NamedTuple, Protocol

from domain.agents.limits.money import Admission, LimitScope, TurnLimits
from domain.core.ids import RequestId, StreamId, TurnId
from domain.core.money import Money
from domain.core.wire import Wire


class TurnEntry(Wire):
    """A part of a turn, by a key that each attempt at it shares, and whose it is.

    `owner` is the workflow that holds it, `task` the task that it is of, where it is of one. Turns on a flat plan
    reserve nothing, and wait for no limit.
    """

    key: str
    turn: str
    owner: str
    thread: str
    task: str = ""
    project: str = ""
    agent: str = ""
    model: str = ""
    work: str = ""
    limits: TurnLimits = TurnLimits()
    is_included: bool = False


def next_entry(thread: str, project: str, limits: TurnLimits | None) -> TurnEntry:
    """Return what the next turn of a thread would count for."""
    return TurnEntry(
        key="", turn="", owner="", thread=thread, project=project, limits=limits or TurnLimits()
    )


class Reserved(NamedTuple):
    """What is reserved, or waits: by the key of its row, for a turn that a workflow holds."""

    key: str
    turn: TurnId
    owner: str
    is_included: bool = False


class LimitsByPerson(Wire):
    """Monthly limits in millionths as a person set them; None is no limit."""

    project: int | None = None
    month: int | None = None


class Ledger(Protocol):
    """What turns have cost and reserve; all decisions of a moment are made one after the other."""

    async def reserve(self, entry: TurnEntry) -> Admission:
        """Reserve for a part of a turn, or note that it waits; asked again, it is the same."""
        ...

    async def settle(self, entry: TurnEntry, money: Money) -> tuple[Admission, tuple[str, ...]]:
        """Note what a part of a turn cost in the place of what it reserved; again, it is the same.

        Returns which limits are near, or reached while others wait for them, and the owners of turns that wait and
        may have room now.
        """
        ...

    async def raise_limit(self, scope: LimitScope, limit: int) -> tuple[str, ...]:
        """Set the limit of a scope; returns the owners of turns that wait for it."""
        ...

    async def waiting(self, scope: LimitScope) -> tuple[Reserved, ...]:
        """Return what waits for a scope."""
        ...

    async def stopped(self, keys: Collection[str]) -> None:
        """Forget that some turns wait, by the keys of their rows: they were stopped."""
        ...

    async def set_monthly(self, limits: LimitsByPerson | None) -> tuple[str, ...]:
        """Set what a person says over the settings; returns the owners of all turns that wait."""
        ...


class Purses(Protocol):
    """The workflow that warns, asks, and keeps what people say of limits; and those whose turns wait."""

    async def tell(self, admission: Admission) -> None:
        """Tell it of limits that are near or reached."""
        ...

    async def drop(self, idle: tuple[RequestId, ...]) -> None:
        """Tell it of questions for whose answer nothing waits any more."""
        ...

    async def free(self, owner: StreamId) -> None:
        """Let a turn that waits for a limit try again; where none waits any more, that is fine."""
        ...

    async def stop(self, waits: Reserved, by: str) -> None:
        """Stop a turn that waits for a limit, as that person; another one of its owner goes on."""
        ...
