"""The stdio bridge with the real tool server: called with the reference MCP client, over pipes."""

import asyncio
import json
import os
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from adapters.tools.bridge import TOKEN_VARIABLE
from adapters.tools.server import ToolServer
from tests.adapters.tool_lab import Door, task_grant, text

MAIN = str(Path(__file__).resolve().parents[2] / "treadle" / "__main__.py")


@pytest.fixture
def door():
    return Door()


@pytest.fixture
async def server(door):
    async with ToolServer(door, call_limit_seconds=60) as server:
        yield server


def environment(token):
    return {"PATH": os.environ["PATH"], TOKEN_VARIABLE: token}


@asynccontextmanager
async def started(server, token):
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, MAIN, "tool-bridge", server.url),
        env=environment(token),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )

    async def hear():
        return json.loads(await asyncio.wait_for(process.stdout.readline(), 60))

    def say(**message):
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    try:
        yield say, hear
    finally:
        process.stdin.close()
        assert await asyncio.wait_for(process.wait(), 60) == 0


def call(number, **arguments):
    params = {"name": "request_port", "arguments": arguments}
    return {"id": number, "method": "tools/call", "params": params}


async def test_tools_are_listed_and_called(server, door):
    grant = task_grant(server)
    bridge = StdioServerParameters(
        command=sys.executable,
        args=[MAIN, "tool-bridge", server.url],
        env=environment(grant.token),
    )

    async with Client(stdio_client(bridge)) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        result = await client.call_tool("request_port", {"port_id": "web"})

    assert "report_done" in names
    assert grant.listed.is_set()
    assert text(result) == "answer 1"
    assert [command.port_id for _, command in door.sent] == ["web"]


async def test_a_slow_call_does_not_hold_up_others(server, door):
    grant = task_grant(server)
    door.is_open.clear()

    async with started(server, grant.token) as (say, hear):
        say(**call(1, port_id="web"))
        say(id=2, method="tools/list")
        assert (await hear())["id"] == 2
        door.is_open.set()
        assert (await hear())["result"]["content"][0]["text"] == "answer 1"


async def test_a_session_that_has_ended_is_reported(server):
    grant = task_grant(server)
    server.revoke(grant.session_id)

    async with started(server, grant.token) as (say, hear):
        say(method="notifications/initialized")
        say(id="a", method="tools/list")
        answer = await hear()

    assert (answer["id"], answer["error"]["code"]) == ("a", -32603)
    assert answer["error"]["message"].startswith("the tool server answered 401")


async def test_a_server_that_is_gone_is_reported(server):
    grant = task_grant(server)
    async with started(server, grant.token) as (say, hear):
        await server.close()
        say(id=1, method="tools/list")
        assert "can't be reached" in (await hear())["error"]["message"]


async def test_it_says_how_to_start_it():
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, MAIN, "tool-bridge"), stderr=asyncio.subprocess.PIPE
    )
    _, said = await asyncio.wait_for(process.communicate(), 60)
    assert said.startswith(b"usage: TREADLE_TOOL_TOKEN=")
