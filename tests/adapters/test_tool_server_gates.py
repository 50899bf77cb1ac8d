"""What the tool server does not let through: foreign doors, floods, huge and broken calls."""

import asyncio
import json
import re
from dataclasses import replace

import httpx
import pytest

from adapters.tools.catalogue import TOOLS
from adapters.tools.grants import MAX_CALLS
from adapters.tools.server import ToolServer
from domain.agents.agents import SessionRole
from tests.adapters.tool_lab import Door, calling, planner_grant, task_grant, text

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
DECIDING = re.compile(
    r"(?<!\w)(approv|accept|decid|reject|confirm|merge|allow|grant)", re.IGNORECASE
)


@pytest.fixture
def door():
    return Door()


@pytest.fixture
async def server(door):
    async with ToolServer(door) as server:
        yield server


async def post(server, content, **headers):
    async with httpx.AsyncClient(timeout=60) as http:
        return await http.post(server.url, content=content, headers={**HEADERS, **headers})


def test_no_tool_decides_anything():
    """A new tool must be added here, by somebody who has read what it does."""
    assert [tool.name for tool in TOOLS] == [
        "propose_plan",
        "invite_planner",
        "suggest_planning",
        "propose_amendment",
        "report_done",
        "report_blocked",
        "request_port",
        "release_port",
        "list_ports",
        "run_verification",
        "verification_result",
        "terminal_create",
        "terminal_output",
        "terminal_wait",
        "terminal_kill",
        "terminal_release",
        "task_status",
        "list_ports",
        "enrich_task",
        "plan_amendment",
        "recommend",
        "abort_task",
        "record_learning",
        "ask_decision",
        "submit_review",
        "init_plan",
        "read_plan",
        "write_plan",
        "update_plan",
        "clear_plan",
        "list_plans",
        "export_plan",
        "propose_task_plan",
    ]
    for tool in TOOLS:
        assert not DECIDING.search(tool.name)
        first = tool.description.split(". ")[0]
        assert not DECIDING.search(first), f"{tool.name} seems to decide: {first}"


def test_chats_get_no_tool_of_a_task():
    of_tasks = [tool for tool in TOOLS if tool.name.startswith(("report_", "request_"))]
    assert not [tool for tool in of_tasks if SessionRole.CHAT in tool.roles]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Host", "evil.example"),
        ("Host", "evil.example:80"),
        ("Host", "127.0.0.1.evil.example:80"),
        ("Origin", "http://evil.example"),
        ("Origin", "null"),
        ("Origin", "http://127.0.0.1.evil.example"),
    ],
)
async def test_a_web_page_gets_nothing_even_with_a_token(server, name, value):
    token = task_grant(server).token
    headers = {"Authorization": f"Bearer {token}", name: value}
    response = await post(server, json.dumps(LIST), **headers)
    assert response.status_code in {403, 421}
    assert "report_done" not in response.text


@pytest.mark.parametrize("method", ["tools/list", "tools/call", "initialize", "resources/list"])
async def test_nothing_is_answered_without_a_token(server, method):
    task_grant(server)
    response = await post(server, json.dumps({**LIST, "method": method}))
    assert response.status_code == 401
    assert "report_done" not in response.text


async def test_a_token_is_long_and_of_its_session_alone(server):
    one, two = task_grant(server), planner_grant(server)
    again = task_grant(server)
    assert len({one.token, two.token, again.token}) == 3
    assert min(len(grant.token) for grant in (one, two, again)) >= 43  # 256 bits
    response = await post(server, json.dumps(LIST), Authorization=f"Bearer {one.token}")
    assert response.status_code == 401  # the session has a newer one


async def test_a_call_for_another_session_finds_nothing(server, door):
    async with calling(server, task_grant(server).token) as client:
        result = await client.call_tool(
            "report_done", {"summary": "s", "session_id": "thread-x/session-1"}
        )
    assert result.is_error
    assert text(result).startswith("not_found: ")
    assert door.sent == []


async def test_a_call_outside_of_a_turn_is_refused(server, door):
    grant = server.admit(replace(task_grant(server), turn_id=None))
    async with calling(server, grant.token) as client:
        result = await client.call_tool("report_done", {"summary": "s"})
    assert text(result).startswith("wrong_state: ")
    assert door.sent == []


async def test_a_flood_of_calls_ends_at_the_limit_of_a_turn(server, door):
    async with calling(server, task_grant(server).token) as client:
        calls = [
            client.call_tool("report_done", {"summary": f"number {n}"})
            for n in range(MAX_CALLS + 20)
        ]
        results = await asyncio.gather(*calls)
    refused = [text(result) for result in results if result.is_error]
    assert len(refused) == 20
    assert refused[0].startswith("wrong_state: this turn has called more than")
    assert len(door.sent) == MAX_CALLS


async def test_a_huge_plan_is_refused_in_words(server, door):
    tasks = [{"id": f"t{n}", "title": "x" * 1000} for n in range(1000)]
    async with calling(server, planner_grant(server).token) as client:
        result = await client.call_tool("propose_plan", {"plan": {"tasks": tasks}})
    assert re.match(
        r"invalid: the arguments of 'propose_plan' have \d+ bytes, at most", text(result)
    )
    assert door.sent == []


async def test_a_long_report_is_cut_for_the_task_and_whole_for_the_transcript(server, door):
    calls = []
    grant = server.admit(replace(task_grant(server), on_call=calls.append))
    async with calling(server, grant.token) as client:
        await client.call_tool("report_done", {"summary": "ä" * 50_000})
    assert len(door.sent[0][1].summary) < 4100
    assert len(calls[0].arguments["summary"]) == 50_000


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"[1]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"jsonrpc": "2.0", "id": {"a": 1}, "method": "tools/list"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": 5}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 5}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "report_done",'
        b' "arguments": {"summary": "\\ud800"}}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "report_done",'
        b' "arguments": {"summary": NaN}}}',
        b"x" * (5 << 20),
    ],
)
async def test_a_broken_request_breaks_nothing(server, door, body):
    grant = task_grant(server)
    response = await post(server, body, Authorization=f"Bearer {grant.token}")
    assert response.status_code < 500
    assert door.sent == []
    async with calling(server, grant.token) as client:  # still there
        assert not (await client.call_tool("report_done", {"summary": "s"})).is_error
