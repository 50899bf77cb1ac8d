"""A report that was not taken: the agent reads why, and the same words are another report then."""

import pytest

from adapters.tools.server import ToolServer
from domain.core.command import Answer
from tests.adapters.tool_lab import Door, calling, task_grant, text

DONE = {"summary": "all"}
WHICH = {"question": "Which?", "options": ["A", "B"]}


class RefusingDoor(Door):
    """Takes no report at first, and has one answer for each id, as Temporal's updates do."""

    async def send(self, workflow_id, command):
        if not self.answers:
            refused = Answer(message="B was decided", data={"is_refused": True})
            self.answers[command.command_id] = refused
        return await super().send(workflow_id, command)


@pytest.fixture
def door():
    return RefusingDoor()


@pytest.fixture
async def server(door):
    async with ToolServer(door) as server:
        yield server


async def test_a_report_that_was_not_taken_may_come_again_in_the_same_words(server, door):
    grant, calls = task_grant(server), []
    grant.on_call = calls.append
    async with calling(server, grant.token) as client:
        refused = await client.call_tool("report_done", DONE)
        taken = await client.call_tool("report_done", DONE)
        again = await client.call_tool("report_done", DONE)

    assert (refused.is_error, text(refused)) == (True, "wrong_state: B was decided")
    assert (taken.is_error, text(taken)) == (False, "answer 1")
    assert text(again) == text(taken)
    assert [call.is_refused for call in calls] == [True, False, False]


async def test_an_agent_whose_worker_died_is_refused_once_more_and_reads_why(server, door):
    for _ in range(2):  # each grant is that of another worker
        async with calling(server, task_grant(server).token) as client:
            refused = await client.call_tool("report_done", DONE)
            assert text(refused) == "wrong_state: B was decided"
    async with calling(server, task_grant(server).token) as client:
        await client.call_tool("report_done", DONE)
        taken = await client.call_tool("report_done", DONE)

    assert not taken.is_error


@pytest.mark.parametrize(
    ("tool", "said"), [("report_done", DONE), ("report_blocked", {"reason": "no access"})]
)
async def test_no_agent_reports_past_answers_that_it_has_not_read(server, door, tool, said):
    door.answers[""] = Answer(message="met")
    async with calling(server, task_grant(server).token) as client:
        await client.call_tool(tool, {**said, "reads_answers": False})

    assert door.sent[0][1].reads_answers is True
