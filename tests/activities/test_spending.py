"""A turn's end tells what it took also where its agent did not come to an answer."""

import asyncio
from datetime import UTC, datetime

import pytest
from temporalio.activity import ActivityCancellationDetails
from temporalio.testing import ActivityEnvironment

from activities.breakers import Breakers
from activities.spending import Spending
from activities.turns import Agents, Turns
from domain.agents.agents import Usage
from domain.agents.spending import Taken
from domain.conversations.calls import TurnCall
from domain.conversations.events import TurnUsageUpdated
from domain.core.errors import AgentError, RefusedByProviderError
from domain.core.event import Event
from domain.core.ids import StreamId
from tests import fakes, played_agents
from tests.activities.test_turns import TURN

HALF = Usage(input_tokens=1000, cost=0.5, currency="USD")


class SpendingRunner(played_agents.PlayedRunner):
    """Its agent tells what it took, and then fails as it is told, or works without end."""

    def __init__(self, error=None):
        super().__init__()
        self.error = error
        self.told = asyncio.Event()

    async def run_turn(self, call, record, beat):
        del beat
        await record(
            TurnUsageUpdated(turn_id=call.turn.turn_id, taken=Taken(usage=HALF, tool_calls=3))
        )
        self.told.set()
        if self.error is not None:
            raise self.error
        await asyncio.Event().wait()


async def run(journal, runner, turn=TURN, *, is_stopped=False):
    turns = Turns(
        journal,
        fakes.PaperWorkspaces(),
        Agents(runner, fakes.OneAgent(), Breakers(lambda: 0.5), max_turns=1),
        fakes.PlainTemplates(),
        fakes.OpenFences(),
    )
    environment = ActivityEnvironment()
    running = asyncio.ensure_future(environment.run(turns.run_agent_turn, TurnCall(turn=turn)))
    if is_stopped:
        await runner.told.wait()
        why = ActivityCancellationDetails(cancel_requested=True)
        environment.cancel(cancellation_details=why)
    return await running


@pytest.mark.parametrize(
    ("error", "is_stopped"),
    [
        (None, True),
        (AgentError("it exited with code 3"), False),
        (RefusedByProviderError("too many"), False),
    ],
)
async def test_a_turn_without_an_answer_tells_what_it_took(error, is_stopped):
    result = await run(fakes.MemoryJournal(), SpendingRunner(error), is_stopped=is_stopped)

    assert (result.usage, result.tool_calls) == (HALF, 3)
    assert (result.agent, result.part) == ("fake", 0)


async def test_the_next_attempt_adds_to_what_a_killed_one_told_last():
    journal = fakes.MemoryJournal()
    killed = Spending(journal, TURN, 1)
    for calls in (3, 5):
        told = TurnUsageUpdated(turn_id=TURN.turn_id, taken=Taken(usage=HALF, tool_calls=calls))
        body, event_id = killed.add(told)
        await journal.append(
            [Event(id=event_id, stream=StreamId(TURN.session_id), at=datetime.now(UTC), body=body)]
        )

    after = Spending(journal, TURN, 3)  # the second one told nothing
    await after.recall()
    after.answered(played_agents.ended().model_copy(update={"usage": HALF, "tool_calls": 1}))
    result = after.on(await run(fakes.MemoryJournal(), SpendingRunner(AgentError("no"))))

    assert result.usage is not None
    assert (result.usage.input_tokens, result.usage.cost, result.tool_calls) == (2000, 1.0, 6)
