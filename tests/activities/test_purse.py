"""What a turn counts for: its task, or the task that several candidates do at once."""

from unittest.mock import AsyncMock

import pytest
from temporalio.testing import ActivityEnvironment

from activities.purse import Purse
from domain.agents.limits.money import Admission, TurnLimits
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
