"""A turn that is cancelled: by a person it has ended, by a lost heartbeat it goes on elsewhere."""

import asyncio
from datetime import UTC, datetime, timedelta
from unittest.mock import AsyncMock

import pytest
from temporalio.activity import ActivityCancellationDetails
from temporalio.testing import ActivityEnvironment

from activities.breakers import Breakers
from activities.turns import Agents, Turns
from domain.agents.agents import (
    AgentAnswer,
    AgentCall,
    Prompt,
    SessionRole,
    StopReason,
    TurnInput,
    TurnResult,
)
from domain.agents.limits.money import OVER_LIMIT
from domain.agents.limits.rate_limits import Breaker
from domain.conversations.calls import TurnCall
from domain.core.ids import EventId, SessionId, StreamId, ThreadId, TurnId
from domain.core.workspaces import WorkspaceKind, WorkspaceSpec
from tests import fakes, played_agents

THREAD = ThreadId("thread-x")
TURN = TurnInput(
    turn_id=TurnId("thread-x/session-1/turn-1"),
    session_id=SessionId("thread-x/session-1"),
    owner=StreamId(THREAD),
    thread_id=THREAD,
    role=SessionRole.CHAT,
    agent="fake",
    prompt=Prompt(),
    workspace=WorkspaceSpec(
        workspace_id="w", kind=WorkspaceKind.CHAT, repository="/repo", thread_id=THREAD, base="main"
    ),
)
ENDED = EventId("thread-x/session-1/turn-1:ended")


async def cancelled(journal: fakes.MemoryJournal, why: ActivityCancellationDetails) -> object:
    """Run a turn whose agent works without end, and cancel it."""
    at_work = asyncio.Event()

    async def play(call: AgentCall) -> AgentAnswer:
        at_work.set()
        await asyncio.Event().wait()
        return played_agents.ended()

    runner = played_agents.PlayedRunner()
    runner.play = play
    turns = Turns(
        journal,
        fakes.PaperWorkspaces(),
        Agents(runner, fakes.OneAgent(), Breakers(lambda: 0.5), max_turns=1),
        fakes.PlainTemplates(),
        fakes.OpenFences(),
    )
    environment = ActivityEnvironment()
    running = asyncio.ensure_future(environment.run(turns.run_agent_turn, TurnCall(turn=TURN)))
    await at_work.wait()
    environment.cancel(cancellation_details=why)
    return await running


async def test_a_turn_that_a_person_stopped_has_ended() -> None:
    journal = fakes.MemoryJournal()
    result = await cancelled(journal, ActivityCancellationDetails(cancel_requested=True))

    assert getattr(result, "stop_reason", None) is StopReason.CANCELLED
    assert await journal.event(ENDED) is not None


@pytest.mark.parametrize("reason", ["timed_out", "not_found", "worker_shutdown"])
async def test_a_turn_whose_attempt_was_lost_has_not_ended(reason: str) -> None:
    journal = fakes.MemoryJournal()
    with pytest.raises(asyncio.CancelledError):
        await cancelled(journal, ActivityCancellationDetails(**{reason: True}))

    assert await journal.event(ENDED) is None


class Nobody:
    def why_not(self, repository: str | None, agent: str, model: str | None) -> str:
        return f"no {agent}" if agent == "ghost" else ""


async def test_the_agents_of_a_plan_in_a_planner_s_reply_are_looked_at() -> None:
    plan = '{"summary": "x", "tasks": [{"id": "a", "title": "A", "agent": "ghost"}]}'

    async def play(call: AgentCall) -> AgentAnswer:
        del call
        return played_agents.ended().model_copy(update={"text": f"```json\n{plan}\n```"})

    runner = played_agents.PlayedRunner()
    runner.play = play
    agents = Agents(runner, fakes.OneAgent(), Breakers(lambda: 0.5), max_turns=1, named=Nobody())
    turns = Turns(
        fakes.MemoryJournal(),
        fakes.PaperWorkspaces(),
        agents,
        fakes.PlainTemplates(),
        fakes.OpenFences(),
    )
    turn = TURN.model_copy(update={"role": SessionRole.PLANNER})
    result = await ActivityEnvironment().run(turns.run_agent_turn, TurnCall(turn=turn))

    assert result.doubts == ("task 'a': no ghost",)


async def test_a_turn_that_a_limit_of_money_holds_lets_others_try_their_provider() -> None:
    """Else they would wait for it, which has not even asked whether the provider is back."""
    past = datetime.now(UTC) - timedelta(hours=1)
    breakers, purse = Breakers(lambda: 0.5), AsyncMock()
    turns = Turns(
        fakes.MemoryJournal(),
        fakes.PaperWorkspaces(),
        Agents(played_agents.PlayedRunner(), fakes.OneAgent(), breakers, max_turns=1, purse=purse),
        fakes.PlainTemplates(),
        fakes.OpenFences(),
    )
    provider = turns._provider(TURN)
    breakers._breakers[provider.key] = Breaker(refusals=1, open_until=past)
    purse.enter.return_value = TurnResult(
        turn_id=TURN.turn_id, provider=OVER_LIMIT, retry_at=past + timedelta(days=1)
    )

    held = await ActivityEnvironment().run(turns.run_agent_turn, TurnCall(turn=TURN))

    assert held.provider == OVER_LIMIT
    other = TURN.model_copy(update={"turn_id": TurnId("thread-y/session-1/turn-1")})
    assert breakers.enter(other, provider) is None
