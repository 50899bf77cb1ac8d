"""What a turn counts for: its task, or the task that several candidates do at once."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import AsyncMock

import pytest
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError, RPCStatusCode
from temporalio.testing import ActivityEnvironment

from activities.breakers import Breakers
from activities.purse import Purse
from activities.spending import prompt_event
from activities.turns import Agents, Turns
from domain.agents.agents import TurnResult, Usage
from domain.agents.limits.money import Admission, Limited, LimitScope, SpentLimit, TurnLimits
from domain.conversations.calls import TurnCall
from domain.conversations.events import PromptSent
from domain.core.errors import RepositoryError
from domain.core.event import Event
from domain.core.ids import StreamId
from domain.core.money import Money
from domain.core.workspaces import WorkspaceSpec
from tests import fakes, played_agents
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


class Gone(fakes.PaperWorkspaces):
    """Worktrees of a repository that is not there."""

    async def prepare(self, spec: WorkspaceSpec) -> Path:
        raise RepositoryError(f"{spec.repository} is gone")


def unpriced(usage: Usage | None, model: str) -> Money:
    """Tell what nobody knows."""
    del usage, model
    return Money(unknown=1)


@pytest.mark.parametrize(
    ("attempt", "was_asked", "cost"),
    [
        (1, False, Money()),
        (2, False, Money()),
        (2, True, Money(unknown=1)),  # by a worker that was killed then
    ],
)
async def test_a_turn_that_fails_for_good_before_its_agent_starts_reserves_nothing_any_more(
    attempt: int, was_asked: bool, cost: Money
) -> None:
    """Else it would hold its part of all limits until the sweep, and count as one of unknown cost."""
    journal, ledger, costs = fakes.MemoryJournal(), AsyncMock(), AsyncMock()
    ledger.reserve.return_value = Admission()
    ledger.settle.return_value = Admission(), ()
    costs.rate_of.return_value = unpriced
    if was_asked:
        sent = PromptSent(turn_id=TURN.turn_id, text="do it")
        stream, now = StreamId(TURN.session_id), datetime.now(UTC)
        await journal.append([Event(id=prompt_event(TURN), stream=stream, at=now, body=sent)])
    agents = Agents(
        played_agents.PlayedRunner(),
        fakes.OneAgent(),
        Breakers(lambda: 0.5),
        max_turns=1,
        costs=costs,
        purse=Purse(ledger, AsyncMock()),
    )
    turns = Turns(journal, Gone(), agents, fakes.PlainTemplates(), fakes.OpenFences())
    environment = ActivityEnvironment()
    environment.info = replace(environment.info, attempt=attempt)

    with pytest.raises(ApplicationError, match="is gone") as failed:
        await environment.run(turns.run_agent_turn, TurnCall(turn=TURN))

    assert failed.value.non_retryable
    ((entry, settled), _) = ledger.settle.await_args
    assert (entry.turn, settled) == (TURN.turn_id, cost)
