"""Checks of agents: journaled from beginning to end, kept, and a result in any case."""

import asyncio
import uuid

import pytest
from temporalio.client import WorkflowFailureError

from domain.agents.agents import AgentAnswer, SessionRole, StopReason, Usage
from domain.agents.checks import CheckInput, CheckKind
from domain.agents.errors import InstallError
from domain.agents.offers import OfferedOption, OfferedValue
from domain.agents.past_sessions import PastSession
from domain.core.errors import AgentError, LoginNeededError
from domain.core.ids import SHARED_QUEUE
from workflows.agents import AgentCheckWorkflow


@pytest.fixture
def check(house):
    """Carry out a check with a number that no other test has."""

    async def carry_out(kind, *, host="test", repository=None):
        number = uuid.uuid4().int % 10**9
        who = {"agent": "fake", "by": "me", "repository": repository}
        made = CheckInput(kind=kind, number=number, host=host, **who)
        handle = await house.client.start_workflow(
            AgentCheckWorkflow.run, made, id=made.stream, task_queue=SHARED_QUEUE
        )
        async with asyncio.timeout(60):
            return made, await handle.result()

    return carry_out


def told(house, check):
    return [e.body for e in house.journal.events if e.stream == check.stream]


async def test_a_look_is_journaled_and_kept(house, check):
    made, result = await check(CheckKind.LOOK)

    assert (result.is_well, result.version) == (True, "fake 1.2.3")
    kinds = [body.kind for body in told(house, made)]
    assert kinds == ["agent_check_started", "agent_check_progress", "agent_check_ended"]
    assert told(house, made)[0].by == "me"
    [(name, kept, seen)] = house.bench.kept
    assert (name, kept, seen.needs_login) == (made.agent, result, None)


async def test_sessions_are_listed_and_nothing_is_kept(house, check):
    house.bench.sessions = (PastSession(session_id="one", cwd="/r", title="First"),)
    made, result = await check(CheckKind.SESSIONS, repository="/r")

    assert result.is_well
    assert [each.session_id for each in result.sessions] == ["one"]
    assert told(house, made)[-1].result == result
    assert house.bench.kept == []


async def test_a_try_is_one_turn_of_a_reader_with_its_answer_and_cost(house, check):
    async def answers(call):
        assert call.turn.role is SessionRole.REVIEWER
        assert str(call.directory) == "/scratch"
        return AgentAnswer(
            stop_reason=StopReason.END_TURN,
            agent_session="s",
            text="heron",
            usage=Usage(input_tokens=7),
        )

    house.runner.play = answers
    _, result = await check(CheckKind.TRY, host="")

    assert (result.is_well, result.text, result.usage.input_tokens) == (True, "heron", 7)
    assert house.bench.kept[0][2].needs_login is False


async def test_a_try_keeps_the_models_that_the_agent_told_of(house, check):
    offered = OfferedOption(option_id="m", category="model", values=(OfferedValue(value="big"),))

    house.runner.offered = (offered,)
    await check(CheckKind.TRY)

    assert house.bench.kept[0][2].options == (offered,)


async def test_an_agent_that_wants_a_login_is_known_to_want_one(house, check):
    async def refuses(call):
        raise LoginNeededError("log in with `fake login`")

    house.runner.play = refuses
    made, result = await check(CheckKind.TRY)

    assert (result.is_well, result.failure) == (False, "log in with `fake login`")
    assert house.bench.kept[0][2].needs_login is True
    assert told(house, made)[-1].result == result


@pytest.mark.parametrize(
    ("kind", "failure"),
    [
        (CheckKind.LOOK, AgentError("it does not start")),
        (CheckKind.INSTALL, InstallError("it needs Python >=3.12")),
    ],
)
async def test_what_fails_is_a_result(house, check, kind, failure):
    house.bench.failure = failure
    made, result = await check(kind)

    assert (result.is_well, result.failure) == (False, failure.message)
    assert told(house, made)[-1].result.failure == failure.message


async def test_an_installation_tells_how_far_it_is_and_looks_afterwards(house, check):
    made, result = await check(CheckKind.INSTALL)

    assert result.is_well
    lines = [body.message for body in told(house, made) if body.kind == "agent_check_progress"]
    assert lines == [f"installing {made.agent}", "it starts: fake 1.2.3"]


async def test_a_check_that_treadle_did_not_start_is_refused(house):
    forged = CheckInput(agent="fake", kind=CheckKind.LOOK, number=1)
    handle = await house.client.start_workflow(
        AgentCheckWorkflow.run, forged, id="agents/other/check-9", task_queue=SHARED_QUEUE
    )
    with pytest.raises(WorkflowFailureError):
        await handle.result()
    assert house.bench.kept == []
