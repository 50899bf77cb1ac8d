"""What a turn counts for: its task, or the task that several candidates do at once."""

from unittest.mock import AsyncMock

import pytest
from temporalio.service import RPCError, RPCStatusCode
from temporalio.testing import ActivityEnvironment

from activities.purse import Purse
from domain.agents.agents import TurnResult
from domain.agents.limits.money import Admission, Limited, LimitScope, SpentLimit, TurnLimits
from domain.core.money import Money
from tests.activities.test_turns import TURN

THREAD = TURN.thread_id


@pytest.mark.parametrize(
    ("owner", "of", "task"),
    [
        (THREAD, "", ""),
        (f"{THREAD}/app", "", f"{THREAD}/app"),
        (f"{THREAD}/app.a", "app", f"{THREAD}/app"),
        (f"{THREAD}/app.b", "app", f"{THREAD}/app"),
    ],
)
async def test_candidates_count_for_the_task_that_they_do(owner: str, of: str, task: str) -> None:
    ledger = AsyncMock()
    ledger.reserve.return_value = Admission()
    turn = TURN.model_copy(update={"owner": owner, "money": TurnLimits(task=of, task_usd=1)})

    await ActivityEnvironment().run(Purse(ledger, AsyncMock()).enter, turn, None)

    (entry,) = ledger.reserve.await_args.args
    assert (entry.task, entry.limits.task_usd) == (task, 1)


async def test_a_turn_that_is_paid_has_ended_though_nobody_can_be_told() -> None:
    """Else the activity would be tried again, and the agent asked and paid a second time."""
    ledger, purses = AsyncMock(), AsyncMock()
    near = SpentLimit(scope=LimitScope(kind=Limited.MONTH, name="2026-11"), limit=2, spent=2)
    ledger.settle.return_value = Admission(near=(near,)), ("thread-b",)
    purses.tell.side_effect = RPCError("away", RPCStatusCode.UNAVAILABLE, b"")
    result = TurnResult(turn_id=TURN.turn_id, money=Money(told=1))

    await ActivityEnvironment().run(Purse(ledger, purses).leave, TURN, result, None)

    ledger.settle.assert_awaited_once()
