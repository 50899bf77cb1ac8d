"""Spending limits on a real server: turns wait at a limit, a person raises it, and nothing walks through."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from temporalio.testing import WorkflowEnvironment

from adapters.journal import ledger as ledgers
from adapters.journal import open_journal
from domain.agents.agents import AgentAnswer, AgentCall, Usage
from domain.agents.billing import MoneyOptions, MonthlyLimits
from domain.agents.ledger import TurnEntry
from domain.agents.limits import money as limits
from domain.agents.limits.money import HOLDS
from domain.agents.pricing import turn_money
from domain.agents.profiles import Billing
from domain.conversations.commands import SkipWait
from domain.core.approvals import decision_code
from domain.core.errors import (
    AlreadyDecidedError,
    ForbiddenError,
    InvalidError,
    JournalError,
    NotShownError,
)
from domain.core.money import Money
from domain.money.commands import AtLimit, RaiseLimit, SetMonthlyLimits, StopAtLimit
from domain.money.inputs import MONEY
from domain.money.requests import LimitRequest
from tests import played_agents
from tests.workflows.conftest import House, housed

DOLLAR = 1_000_000
PLAN = {"tasks": [{"id": f"task-{n}", "title": f"task {n}"} for n in (1, 2, 3)]}
ONE = {"tasks": [{"id": "task-1", "title": "one"}]}


class ToldCosts:
    """Costs as the agents tell them."""

    async def rate_of(self, agent: str, repository: str | None):
        return lambda usage, _: turn_money(usage, None, Billing.USAGE)


def costing(house: House, usd: float) -> None:
    """Have each turn of a task cost so much, and those of planners nothing."""

    async def play(call: AgentCall) -> AgentAnswer:
        cost = usd if "/task-" in call.turn.owner else 0.0
        usage = Usage(cost=cost, currency="USD")
        return played_agents.done().model_copy(update={"usage": usage})

    house.runner.play = play


@pytest.fixture
async def paying(server: WorkflowEnvironment, tmp_path: Path) -> AsyncIterator[House]:
    """A house with a limit of one dollar a month, where a turn reserves half of it and costs 60 cents."""
    async with open_journal(f"sqlite+aiosqlite:///{tmp_path / 'journal.db'}") as journal:

        def prepare(house: House) -> None:
            house.costs = ToldCosts()
            house.ledger = journal.ledger(MoneyOptions(month_usd=1, turn_usd=0.5))
            costing(house, 0.6)

        async with housed(server.client, tmp_path, prepare=prepare) as house:
            yield house


async def started(house: House, plan: dict[str, object]) -> str:
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, plan))
    return thread.id


async def reached(house: House, number: int = 1) -> LimitRequest:
    event = await house.seen(MONEY, "limit_reached", number=number)
    return LimitRequest.model_validate(event.body.model_dump()["request"])


def coded(command: AtLimit) -> AtLimit:
    code = decision_code(b"test key", MONEY, command.request, command.choice, command.content)
    return command.model_copy(update={"code": code, "by": "tester"})


def raising(request: LimitRequest, usd: float) -> AtLimit:
    shown = {"request_id": request.request_id, "content_hash": request.content_hash}
    return coded(RaiseLimit(**shown, usd=usd))


def calls_of(house: House, thread: str) -> list[str]:
    return [call.turn.turn_id for call in house.runner.calls if "/task-" in call.turn.owner]


async def test_parallel_tasks_stop_at_a_limit_and_go_on_once_it_is_raised(paying: House) -> None:
    thread = await started(paying, PLAN)

    request = await reached(paying)
    assert (request.scope.kind, request.limit, request.spent) == ("month", DOLLAR, 1_200_000)
    assert len(calls_of(paying, thread)) == 2
    delayed = await paying.journal.until(lambda e: e.body.kind == "turn_delayed")
    assert delayed.body.model_dump()["provider"] in HOLDS

    await paying.send(MONEY, raising(request, 5))

    for task in ("task-1", "task-2", "task-3"):
        await paying.seen(f"{thread}/{task}", "gate_opened")
    assert len(calls_of(paying, thread)) == len(set(calls_of(paying, thread))) == 3
    assert (await paying.ledger.threads([thread]))[thread].told == 1_800_000


async def test_a_running_turn_is_not_cut_off_and_the_limit_is_told_when_it_is_near(
    paying: House,
) -> None:
    costing(paying, 0.9)
    thread = await started(paying, ONE)

    await paying.seen(f"{thread}/task-1", "gate_opened")
    near = (await paying.seen(MONEY, "limit_near")).body.model_dump()["near"]

    assert (near["spent"], near["limit"]) == (900_000, DOLLAR)
    assert "limit_reached" not in paying.journal.kinds(MONEY)


async def test_a_wait_that_is_skipped_waits_again(paying: House) -> None:
    await paying.ledger.set_monthly(None)
    costing(paying, 1.5)
    await _spent(paying, 1.5)
    thread = await paying.open(is_planned=False)
    session = f"{thread.id}/session-1"
    await paying.seen(session, "turn_delayed")

    await paying.send(session, SkipWait(command_id="skip-1", by="tester"))

    await paying.seen(session, "turn_delayed", number=2)
    assert paying.runner.calls == []
    assert [e.body.kind for e in paying.journal.events if e.stream == MONEY].count(
        "limit_reached"
    ) == 1


async def _spent(house: House, usd: float) -> None:
    entry = TurnEntry(key="before", turn="before", owner="x", thread="x", project="/repo")
    await house.ledger.settle(entry, Money(told=round(usd * DOLLAR)))


async def test_what_waits_is_stopped_where_a_limit_is_kept(paying: House) -> None:
    await _spent(paying, 1)
    thread = await paying.open(is_planned=False)
    session = f"{thread.id}/session-1"
    request = await reached(paying)
    shown = {"request_id": request.request_id, "content_hash": request.content_hash}

    await paying.send(MONEY, coded(StopAtLimit(**shown)))

    ended = (await paying.seen(session, "turn_ended")).body.model_dump()
    assert ended["result"]["stop_reason"] == "cancelled"
    assert paying.runner.calls == []


async def test_an_answer_is_of_what_was_shown_and_raises(paying: House) -> None:
    await _spent(paying, 1.2)
    await paying.open(is_planned=False)
    request = await reached(paying)
    other = request.model_copy(update={"spent": 1})

    with pytest.raises(NotShownError):
        await paying.send(MONEY, raising(other, 5))
    with pytest.raises(InvalidError, match="higher limit"):
        await paying.send(MONEY, raising(request, 1.2))
    with pytest.raises(ForbiddenError):
        await paying.send(MONEY, raising(request, 5).model_copy(update={"usd": 500.0}))

    answers = [await paying.send(MONEY, raising(request, 5)) for _ in range(2)]
    assert answers[0] == answers[1]
    with pytest.raises(AlreadyDecidedError):
        await paying.send(MONEY, raising(request, 6))


async def test_monthly_limits_of_a_person_free_what_waits(paying: House) -> None:
    await _spent(paying, 1)
    thread = await paying.open(is_planned=False)
    await reached(paying)
    command = SetMonthlyLimits(command_id="set-1", by="tester", limits=MonthlyLimits(month_usd=9))
    code = decision_code(b"test key", MONEY, command.request, command.choice, command.content)

    await paying.send(MONEY, command.model_copy(update={"code": code}))

    await paying.seen(f"{thread.id}/session-1", "turn_ended")
    assert (await paying.seen(MONEY, "limit_lapsed")).body.model_dump()["reason"] != ""


async def test_the_next_month_frees_what_waits_by_itself(
    paying: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _spent(paying, 1)
    begins: list[datetime] = []

    def soon(*_: object) -> datetime:
        begins[:] = begins or [datetime.now(UTC) + timedelta(seconds=1)]
        return begins[0]

    for module in (limits, ledgers):
        monkeypatch.setattr(module, "next_month", soon)
    own = ledgers.month_of
    monkeypatch.setattr(
        ledgers,
        "month_of",
        lambda at, zone: "2099-01" if begins and at >= begins[0] else own(at, zone),
    )
    thread = await paying.open(is_planned=False)
    await reached(paying)

    await paying.seen(f"{thread.id}/session-1", "turn_ended")
    lapsed = (await paying.seen(MONEY, "limit_lapsed")).body.model_dump()
    assert lapsed["reason"] == "the month is over"


async def test_a_turn_that_is_tried_again_is_settled_once(paying: House) -> None:
    settle, fails = paying.ledger.settle, [True]

    async def failing(entry, money):
        found = await settle(entry, money)
        if "/task-" in entry.turn and fails.pop():
            fails.append(False)
            raise JournalError("the disk is full")
        fails[:] = [False]
        return found

    paying.ledger.settle = failing
    thread = await started(paying, ONE)
    await paying.seen(f"{thread}/task-1", "gate_opened")

    assert (await paying.ledger.threads([thread]))[thread].told == 600_000
    ended = [e for e in paying.journal.events if e.id.endswith("/task-1/session-1/turn-1:ended")]
    assert len(ended) == 1
    assert await paying.ledger.reserved(timedelta(seconds=-5)) == []


async def test_a_limit_of_a_task_asks_of_the_task_alone(paying: House) -> None:
    await paying.ledger.set_monthly(None)
    plan = {"tasks": [{"id": "task-1", "title": "one", "maxUsd": 0.5}]}
    answers = iter([played_agents.ended()])

    async def play(call: AgentCall) -> AgentAnswer:
        cost = 0.6 if "/task-" in call.turn.owner else 0.0
        usage = Usage(cost=cost, currency="USD")
        answer = next(answers, played_agents.done()) if cost else played_agents.done()
        return answer.model_copy(update={"usage": usage})

    paying.runner.play = play
    thread = await started(paying, plan)

    request = await reached(paying)
    assert (request.scope.kind, request.scope.name) == ("task", f"{thread}/task-1")
    await paying.send(MONEY, raising(request, 2))
    await paying.seen(f"{thread}/task-1", "gate_opened")


async def test_many_turns_that_find_a_limit_reached_ask_once(paying: House) -> None:
    await _spent(paying, 1)
    threads = await asyncio.gather(*(paying.open(is_planned=False) for _ in range(4)))
    for thread in threads:
        await paying.seen(f"{thread.id}/session-1", "turn_delayed")
    request = await reached(paying)

    await paying.send(MONEY, raising(request, 50))

    for thread in threads:
        await paying.seen(f"{thread.id}/session-1", "turn_ended")
    assert paying.journal.kinds(MONEY).count("limit_reached") == 1
