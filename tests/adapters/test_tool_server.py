"""The tool server over real HTTP, called with the reference MCP client."""

import asyncio
import re
import subprocess
import sys
from urllib.parse import urlsplit

import httpx
import pytest

from adapters.tools.grants import Grant
from adapters.tools.server import ToolServer
from domain.agents.agents import SessionRole
from domain.core.errors import InvalidPlanError
from domain.core.ids import SessionId, TurnId
from domain.tasks.agent_commands import ProposePlan, ReportDone, RequestPort
from tests.adapters.tool_lab import TASK, THREAD, Door, calling, planner_grant, task_grant, text

SAY_WHETHER_LOADED = "import sys, adapters.tools.server; print('mcp' in sys.modules)"
SERVE_ALONE = """
import asyncio, sys
from urllib.parse import urlsplit
from adapters.tools.server import ToolServer
async def main():
    async with ToolServer(None) as server:
        await asyncio.sleep(0)
        before = "mcp" in sys.modules
        reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(server.url).port)
        writer.write(b"GET /mcp HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n\\r\\n")
        status = await reader.readline()
        writer.close()
        print(before, "mcp" in sys.modules, status.split()[1].decode())
asyncio.run(main())
"""
PLANNER_TOOLS = [
    *("propose_plan", "invite_planner", "propose_amendment"),
    *("task_status", "record_learning", "ask_decision"),
]
TASK_TOOLS = [
    *("report_done", "report_blocked", "request_port", "release_port", "list_ports"),
    *("run_verification", "verification_result", "terminal_create", "terminal_output"),
    *("terminal_wait", "terminal_kill", "terminal_release", "record_learning"),
    "ask_decision",
]


@pytest.fixture
def door():
    return Door()


@pytest.fixture
async def server(door):
    async with ToolServer(door, call_limit_seconds=0.3) as server:
        yield server


@pytest.mark.parametrize(
    ("admit", "names"),
    [
        (planner_grant, PLANNER_TOOLS),
        (task_grant, TASK_TOOLS),
    ],
)
async def test_each_role_is_offered_its_own_tools(server, admit, names):
    grant = admit(server)
    assert not grant.listed.is_set()

    async with calling(server, grant.token) as client:
        tools = (await client.list_tools()).tools

    assert [tool.name for tool in tools] == names
    acting = {tool.name for tool in tools if not tool.annotations.read_only_hint}
    assert acting <= {"terminal_create", "terminal_kill", "terminal_release"}
    assert grant.listed.is_set()


async def test_each_list_of_tools_has_an_address_for_agents_that_keep_lists_by_address(server):
    planner, task = planner_grant(server), task_grant(server)
    again = task_grant(server, "turn-2")

    assert server.url_for(planner) != server.url_for(task) == server.url_for(again)
    async with calling(server, planner.token, server.url_for(planner)) as client:
        assert "propose_plan" in [tool.name for tool in (await client.list_tools()).tools]


async def test_a_plan_goes_to_the_thread_as_it_came(server, door):
    plan = {"goal": "g", "tasks": [{"id": "a", "title": "A", "odd": 1}]}

    async with calling(server, planner_grant(server).token) as client:
        result = await client.call_tool("propose_plan", {"plan": plan})

    [(workflow_id, command)] = door.sent
    assert workflow_id == THREAD
    assert isinstance(command, ProposePlan)
    assert command.plan == plan
    assert (result.is_error, text(result)) == (False, "answer 1")


async def test_a_plan_sent_as_text_is_read(server, door):
    async with calling(server, planner_grant(server).token) as client:
        await client.call_tool("propose_plan", {"plan": '{"goal": "g"}'})

    assert door.sent[0][1].plan == {"goal": "g"}


async def test_a_tasks_reports_go_to_the_task(server, door):
    async with calling(server, task_grant(server).token) as client:
        await client.call_tool("report_done", {"summary": "all"})
        await client.call_tool("request_port", {"port_id": "web"})

    assert [w for w, _ in door.sent] == [TASK, TASK]
    assert [type(c) for _, c in door.sent] == [ReportDone, RequestPort]


async def test_the_same_call_again_is_the_same_command(server, door):
    async with calling(server, task_grant(server).token) as client:
        first = await client.call_tool("report_done", {"summary": "all"})
    async with calling(server, task_grant(server).token) as client:  # the agent was restarted
        second = await client.call_tool("report_done", {"summary": "all"})

    assert text(first) == text(second)
    assert len(door.sent) == 1


async def test_the_same_report_in_the_next_turn_is_a_new_command(server, door):
    for turn in ("turn-1", "turn-2"):
        async with calling(server, task_grant(server, turn).token) as client:
            await client.call_tool("report_done", {"summary": "all"})

    assert [command.turn_id for _, command in door.sent] == ["turn-1", "turn-2"]


async def test_a_connection_that_idles_is_kept(server):
    """Agents lose a call that they begin while their connection is closed."""
    host, port = urlsplit(server.url).netloc.split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 401 "), head
    await reader.readexactly(int(re.search(rb"content-length: (\d+)", head)[1]))
    with pytest.raises(TimeoutError):  # the server's library closes after 5 s
        await asyncio.wait_for(reader.read(1), 6)
    writer.close()


async def test_a_refusal_is_an_error_result_that_starts_with_its_type(server, door):
    door.error = InvalidPlanError("the plan has 1 problem")

    async with calling(server, planner_grant(server).token) as client:
        result = await client.call_tool("propose_plan", {"plan": {}})

    assert result.is_error
    assert text(result) == "invalid_plan: the plan has 1 problem"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("propose_plan", {"plan": {}}),  # not a task's tool
        ("report_done", {"summary": 5}),
        ("report_blocked", {}),
        ("approve", {}),
    ],
)
async def test_what_does_not_fit_is_refused_and_sent_nowhere(server, door, tool, arguments):
    async with calling(server, task_grant(server).token) as client:
        result = await client.call_tool(tool, arguments)

    assert result.is_error
    assert text(result).startswith("invalid: ")
    assert door.sent == []


async def test_an_agent_cannot_choose_the_commands_id_or_author(server, door):
    async with calling(server, task_grant(server).token) as client:
        await client.call_tool("report_done", {"summary": "s", "command_id": "x", "by": "boss"})

    command = door.sent[0][1]
    assert command.command_id.startswith("report_done-")
    assert command.by == "thread-x/task-1/session-1"


async def test_a_slow_answer_is_polled_with_the_same_call(server, door):
    door.is_open.clear()
    async with calling(server, task_grant(server).token) as client:
        early = await client.call_tool("report_done", {"summary": "all"})
        door.is_open.set()
        late = await client.call_tool("report_done", {"summary": "all"})

    assert "again with the same arguments" in text(early)
    assert text(late) == "answer 1"


async def test_each_call_is_told_to_the_sessions_owner(server):
    calls = []
    grant = server.admit(
        Grant(SessionId("s"), TASK, THREAD, SessionRole.TASK, calls.append, TurnId("t"))
    )

    async with calling(server, grant.token) as client:
        await client.call_tool("report_done", {"summary": "all"})

    [call] = calls
    assert (call.turn_id, call.tool, call.answer, call.is_refused) == (
        "t",
        "report_done",
        "answer 1",
        False,
    )


async def test_without_a_token_that_is_still_good_nothing_is_answered(server):
    grant = task_grant(server)
    server.revoke(grant.session_id)
    async with httpx.AsyncClient(timeout=60) as http:
        for headers in (
            {},
            {"Authorization": "Bearer x"},
            {"Authorization": f"Bearer {grant.token}"},
        ):
            response = await http.post(server.url, headers=headers, json={})
            assert response.status_code == 401


def test_a_worker_does_not_wait_for_the_library_of_the_protocol():
    program = (sys.executable, "-c", SAY_WHETHER_LOADED)
    told = subprocess.run(program, capture_output=True, text=True, check=True, timeout=60)
    assert told.stdout == "False\n"


def test_the_library_is_loaded_for_the_first_who_connects_and_not_before():
    program = (sys.executable, "-c", SERVE_ALONE)
    told = subprocess.run(program, capture_output=True, text=True, check=True, timeout=60)
    assert told.stdout == "False True 401\n"


async def test_a_server_without_a_session_closes(door):
    async with ToolServer(door) as server:
        url = server.url
    with pytest.raises(httpx.ConnectError):
        await httpx.AsyncClient().get(url)
