"""What turns reserved and nobody settles any more: found by what Temporal and the journal tell of it."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from temporalio.client import WorkflowExecutionStatus
from temporalio.service import RPCError, RPCStatusCode

from adapters.temporal.lost_charges import LostCharges
from domain.agents.agents import TurnResult
from domain.agents.ledger import Reserved
from domain.agents.limits.money import Admission, Limited, LimitScope, SpentLimit
from domain.conversations.events import TurnEnded
from domain.core.event import Event
from domain.core.ids import EventId, RequestId, SessionId, StreamId, TurnId
from domain.core.money import Money
from domain.money.requests import request_of
from domain.money.state import LimitChange
from domain.reading.money import MoneyFold
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
        self.ended = self.is_included = False
        self.reached: tuple[SpentLimit, ...] = ()

    async def reserved(self, older: timedelta) -> list[Reserved]:
        return [Reserved("k", TURN, "thread-a/t1", is_included=self.is_included)]

    async def waits(self, older: timedelta) -> list[Reserved]:
        return [Reserved("w", TURN, "thread-a/t1")]

    async def settle_lost(self, lost: Reserved, money: Money) -> tuple[str, ...]:
        self.settled.append(money)
        return ()

    async def stopped(self, keys: list[str]) -> None:
        self.gone += keys

    async def has_ended(self, waits: Reserved) -> bool:
        return self.ended

    async def held(self) -> dict[str, tuple[str, ...]]:
        return {each.scope.key: ("thread-a",) for each in self.reached}

    async def unmet(self) -> Admission:
        return Admission(is_admitted=False, reached=self.reached)


class Purse:
    """The way to the workflow of limits, which keeps what it was told."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.dropped: list[RequestId] = []

    async def tell(self, admission: Admission) -> None:
        self.told += [each.scope.key for each in admission.reached]

    async def drop(self, idle: tuple[RequestId, ...]) -> None:
        self.dropped += idle


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


def lost(
    client: Told,
    journal: MemoryJournal | None = None,
    *,
    fold: MoneyFold | None = None,
    purse: Purse | None = None,
) -> tuple[OneLedger, LostCharges]:
    ledger = OneLedger()

    async def limits() -> MoneyFold:
        return fold or MoneyFold()

    charges = LostCharges(client, journal or MemoryJournal(), ledger, purse or Purse(), limits)
    return ledger, charges


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

    assert (ledger.settled, ledger.gone) == ([Money(told=5)], ["w"])


async def test_nothing_is_settled_while_temporal_does_not_answer() -> None:
    ledger, charges = lost(Told(AWAY))
    with pytest.raises(RPCError):
        await charges.settle(timedelta())
    assert ledger.settled == []


async def test_what_a_flat_plan_includes_is_not_unknown() -> None:
    ledger, charges = lost(Told(NOBODY))
    ledger.is_included = True
    await charges.settle(timedelta())
    assert ledger.settled == [Money(included_turns=1)]


async def test_an_end_of_unknown_cost_on_a_flat_plan_is_included() -> None:
    journal = MemoryJournal()
    result = TurnResult(turn_id=TURN, money=Money(unknown=1))
    body = TurnEnded(session_id=SessionId("thread-a/t1/session-1"), result=result)
    name, stream = EventId(f"{TURN}:ended"), StreamId("thread-a/t1")
    await journal.append([Event(id=name, stream=stream, at=datetime.now(UTC), body=body)], [])
    ledger, charges = lost(Told(NOBODY), journal)
    ledger.is_included = True
    await charges.settle(timedelta())
    assert ledger.settled == [Money(included_turns=1)]


async def test_a_turn_that_its_task_ended_while_it_waited_waits_no_more() -> None:
    ledger, charges = lost(Told(RUNNING))
    ledger.ended = True
    await charges.settle(timedelta())
    assert ledger.gone == ["w"]


THREAD = SpentLimit(scope=LimitScope(kind=Limited.THREAD, name="thread-a"), limit=2, spent=2)


def asked() -> MoneyFold:
    fold = MoneyFold()
    request = request_of(THREAD, 1, None)
    fold.state = fold.state.model_copy(update={"asked": {THREAD.scope.key: request}})
    return fold


async def test_a_question_for_whose_answer_nothing_waits_is_dropped() -> None:
    """Its thread was cancelled or deleted, so that it would stay in the inbox for ever."""
    purse = Purse()
    ledger, charges = lost(Told(RUNNING, "run_agent_turn"), fold=asked(), purse=purse)
    ledger.reached = (THREAD,)
    await charges.settle(timedelta())
    assert (purse.dropped, purse.told) == ([], [])

    ledger.reached = ()
    await charges.settle(timedelta())
    assert (purse.dropped, purse.told) == (["money/1"], [])


async def test_what_waits_is_asked_for_though_its_question_was_lost() -> None:
    purse = Purse()
    ledger, charges = lost(Told(RUNNING, "run_agent_turn"), purse=purse)
    ledger.reached = (THREAD,)
    await charges.settle(timedelta())
    assert purse.told == [THREAD.scope.key]


async def test_what_a_person_has_just_answered_is_not_asked_again() -> None:
    fold, purse = MoneyFold(), Purse()
    change = LimitChange(number=1, scope=THREAD.scope, is_stopped=True)
    fold.state = fold.state.model_copy(update={"changes": (change,)})
    ledger, charges = lost(Told(RUNNING, "run_agent_turn"), fold=fold, purse=purse)
    ledger.reached = (THREAD,)
    await charges.settle(timedelta())
    assert purse.told == []
