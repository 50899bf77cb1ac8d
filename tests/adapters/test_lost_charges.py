"""What turns reserved and nobody settles any more: found by what Temporal and the journal tell of it."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from temporalio.client import WorkflowExecutionStatus
from temporalio.service import RPCError, RPCStatusCode

from adapters.journal.ledger import Reserved
from adapters.temporal.lost_charges import LostCharges
from domain.agents.agents import TurnResult
from domain.conversations.events import TurnEnded
from domain.core.event import Event
from domain.core.ids import EventId, SessionId, StreamId, TurnId
from domain.core.money import Money
from tests.fakes import MemoryJournal

TURN = TurnId("thread-a/t1/session-1/turn-1")
RUNNING, COMPLETED = WorkflowExecutionStatus.RUNNING, WorkflowExecutionStatus.COMPLETED
NOBODY = RPCError("gone", RPCStatusCode.NOT_FOUND, b"")
AWAY = RPCError("away", RPCStatusCode.UNAVAILABLE, b"")


class OneLedger:
    """A ledger with one reservation, and one turn that waits."""

    def __init__(self) -> None:
        self.settled: list[Money] = []
        self.gone: list[str] = []

    async def reserved(self, older: timedelta) -> list[Reserved]:
        return [Reserved("k", TURN, "thread-a/t1")]

    async def waits(self, older: timedelta) -> list[Reserved]:
        return [Reserved("w", TURN, "thread-a/t1")]

    async def settle_lost(self, lost: Reserved, money: Money) -> tuple[str, ...]:
        self.settled.append(money)
        return ()

    async def stopped(self, owners: list[str]) -> None:
        self.gone += owners


class Told:
    """A client to which one answer is given of every workflow."""

    def __init__(self, answer: object, *activities: str) -> None:
        self.answer = answer
        self.activities = activities

    def get_workflow_handle(self, workflow_id: str) -> "Told":
        return self

    async def describe(self) -> object:
        if isinstance(self.answer, RPCError):
            raise self.answer
        pending = [
            SimpleNamespace(activity_type=SimpleNamespace(name=name)) for name in self.activities
        ]
        raw = SimpleNamespace(pending_activities=pending)
        return SimpleNamespace(status=self.answer, raw_description=raw)


def lost(client: Told, journal: MemoryJournal | None = None) -> tuple[OneLedger, LostCharges]:
    ledger = OneLedger()
    return ledger, LostCharges(client, journal or MemoryJournal(), ledger, None)


async def test_what_a_turn_reserves_that_is_under_way_stays() -> None:
    ledger, charges = lost(Told(RUNNING, "run_agent_turn"))
    assert await charges.settle(timedelta()) == 0
    assert (ledger.settled, ledger.gone) == ([], [])


@pytest.mark.parametrize(
    "client",
    [Told(RUNNING), Told(RUNNING, "close_session"), Told(COMPLETED), Told(NOBODY)],
    ids=["no activity", "another activity", "ended", "unknown"],
)
async def test_what_nobody_settles_any_more_is_of_unknown_cost(client: Told) -> None:
    """A turn that was stopped while its worker was lost leaves a workflow that goes on without it."""
    ledger, charges = lost(client)
    assert await charges.settle(timedelta()) == 1
    assert ledger.settled == [Money(unknown=1)]
    assert bool(ledger.gone) == (client.answer is not RUNNING)


async def test_what_has_ended_is_settled_as_its_end_tells() -> None:
    journal = MemoryJournal()
    result = TurnResult(turn_id=TURN, money=Money(told=5))
    body = TurnEnded(session_id=SessionId("thread-a/t1/session-1"), result=result)
    stream = StreamId("thread-a/t1")
    ended = Event(id=EventId(f"{TURN}:ended"), stream=stream, at=datetime.now(UTC), body=body)
    await journal.append([ended], [])
    ledger, charges = lost(Told(RUNNING, "run_agent_turn"), journal)

    await charges.settle(timedelta())

    assert (ledger.settled, ledger.gone) == ([Money(told=5)], ["thread-a/t1"])


async def test_nothing_is_settled_while_temporal_does_not_answer() -> None:
    ledger, charges = lost(Told(AWAY))
    with pytest.raises(RPCError):
        await charges.settle(timedelta())
    assert ledger.settled == []
