"""What people said of limits reaches the ledger, and the turns that wait for them."""

from unittest.mock import AsyncMock

from temporalio.testing import ActivityEnvironment

from activities.limits import LimitChanges
from domain.agents.ledger import Reserved
from domain.agents.limits.money import Limited, LimitScope
from domain.core.ids import TurnId
from domain.money.inputs import ApplyCall
from domain.money.state import LimitChange


async def test_the_turns_that_wait_are_stopped_by_name() -> None:
    """Their owners may have begun others meanwhile."""
    ledger, purses = AsyncMock(), AsyncMock()
    scope = LimitScope(kind=Limited.THREAD, name="thread-a")
    waits = [Reserved(f"key-{n}", TurnId(f"turn-{n}"), "thread-a/session-1") for n in (1, 2)]
    ledger.waiting.return_value = tuple(waits)
    change = LimitChange(number=1, scope=scope, is_stopped=True, by="anna")

    await ActivityEnvironment().run(
        LimitChanges(ledger, purses).apply_limit_change, ApplyCall(change=change)
    )

    assert [call.args for call in purses.stop.await_args_list] == [(one, "anna") for one in waits]
    ledger.stopped.assert_awaited_once_with(["key-1", "key-2"])
