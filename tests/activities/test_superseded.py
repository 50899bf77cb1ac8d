"""An attempt that lost its workspace to a newer one ends without a result of its own."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.breakers import Breakers
from activities.turns import Agents, Turns
from activities.verification import Verification
from domain.agents.agents import AgentAnswer, AgentCall, TurnResult
from domain.conversations.calls import TurnCall
from domain.conversations.events import TurnEnded
from domain.core.errors import AgentError, SupersededError
from domain.core.event import Event
from domain.core.ids import EventId, StreamId
from domain.core.workspaces import Claim
from domain.tasks.events import TaskEnd, TaskEnded
from domain.verification.calls import StepCall
from domain.verification.steps import StepResult, StepType, VerificationStep
from tests import fakes, played_agents, step_fakes
from tests.activities.test_turns import ENDED, TURN

STEP = StepCall(
    key=EventId("task:step:1:make"),
    stream=StreamId("task"),
    attempt=1,
    step=VerificationStep(id="make", type=StepType.COMMAND, command="make"),
    workspace=TURN.workspace,
)


class TakenOver(fakes.OpenFences):
    """A fence that a newer attempt takes over while this one is at work."""

    @asynccontextmanager
    async def held(self, workspace_id: str, claim: Claim) -> AsyncGenerator["TakenOver"]:
        yield self

    def refuse_stale(self) -> None:
        raise SupersededError("a newer attempt took this workspace over")


def turns(journal: fakes.MemoryJournal, runner: played_agents.PlayedRunner, fences) -> Turns:
    agents = Agents(runner, fakes.OneAgent(), Breakers(lambda: 0.5), max_turns=1)
    return Turns(journal, fakes.PaperWorkspaces(), agents, fakes.PlainTemplates(), fences)


async def fail(call: AgentCall) -> AgentAnswer:
    raise AgentError("it was killed by SIGKILL")


@pytest.mark.parametrize("play", [None, fail], ids=["done", "its agent was ended"])
async def test_a_turn_that_lost_its_workspace_has_no_result(play) -> None:
    journal, runner = fakes.MemoryJournal(), played_agents.PlayedRunner()
    runner.play = play

    with pytest.raises(ApplicationError) as caught:
        await ActivityEnvironment().run(
            turns(journal, runner, TakenOver()).run_agent_turn, TurnCall(turn=TURN)
        )

    assert caught.value.type == "superseded"
    assert not caught.value.non_retryable
    assert await journal.event(ENDED) is None


async def test_a_turn_that_ended_in_another_attempt_ends_as_that_did() -> None:
    journal, runner = fakes.MemoryJournal(), played_agents.PlayedRunner()
    first = TurnResult(turn_id=TURN.turn_id, text="the first")

    async def play(call: AgentCall) -> AgentAnswer:
        ended = TurnEnded(session_id="s", result=first)
        stream = StreamId(TURN.session_id)
        await journal.append([Event(id=ENDED, stream=stream, at=datetime.now(UTC), body=ended)])
        return played_agents.done("the second")

    runner.play = play
    result = await ActivityEnvironment().run(
        turns(journal, runner, fakes.OpenFences()).run_agent_turn, TurnCall(turn=TURN)
    )

    assert result == first


async def test_a_step_that_lost_its_workspace_has_no_result() -> None:
    class Failing(step_fakes.ScriptedVerifier):
        async def run_step(self, step, place, beat) -> tuple[StepResult, str]:
            result = StepResult(step_id="make", label="make", passed=False, output="signal 9")
            return result, "signal 9"

    journal = fakes.MemoryJournal()
    verification = Verification(journal, fakes.PaperWorkspaces(), Failing(), TakenOver())

    with pytest.raises(ApplicationError) as caught:
        await ActivityEnvironment().run(verification.run_verification_step, STEP)

    assert caught.value.type == "superseded"
    assert journal.events == []


async def test_a_step_whose_run_was_ended_meanwhile_has_no_result() -> None:
    journal = fakes.MemoryJournal()
    ended = TaskEnded(end=TaskEnd.CANCELLED)
    event = Event(id=EventId("task.9"), stream=STEP.stream, at=datetime.now(UTC), body=ended)

    class Ending(step_fakes.ScriptedVerifier):
        async def run_step(self, step, place, beat) -> tuple[StepResult, str]:
            await journal.append([event])
            return StepResult(step_id="make", label="make", passed=True), ""

    verification = Verification(journal, fakes.PaperWorkspaces(), Ending(), fakes.OpenFences())
    await ActivityEnvironment().run(verification.run_verification_step, STEP)

    assert journal.events == [event]
