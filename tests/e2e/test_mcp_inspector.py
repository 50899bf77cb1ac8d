"""A client that others wrote drives a whole thread: the MCP Inspector's command line."""

import asyncio
import json
import os
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from settings import user_name
from tests.agents.installation import npm_command, packages
from tests.e2e.engine import PROGRAM, Engine
from tests.e2e.job import GOAL, Job
from tests.e2e.mcp_lab import approve, http_server, stdio
from tests.free_ports import free_ports

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]

INSPECTOR = Path("@modelcontextprotocol/inspector/clients/launcher/build/index.js")
LOCK = Path(__file__).parent.parent / "inspector"
WAYS = ("stdio", "http")


class Inspector:
    """The Inspector's command line at one server: each call is a process and a connection of its own."""

    def __init__(self, home: Path, *target: str) -> None:
        self._command = [npm_command()[0], packages(LOCK) / INSPECTOR, "--cli"]
        self._environment = {**os.environ, "HOME": str(home)}
        self._target = target

    async def ask(self, method: str, *options: str) -> Any:
        """Send a request, and return what came back."""
        process = await asyncio.create_subprocess_exec(
            *self._command,
            *(*self._target, "--method", method, *options),
            env=self._environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, errors = await process.communicate()
        assert process.returncode == 0, (out.decode()[-2000:], errors.decode()[-2000:])
        return json.loads(out)

    async def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool, and return what it gives."""
        pairs = [f"{name}={_typed(value)}" for name, value in arguments.items()]
        given = [word for pair in pairs for word in ("--tool-arg", pair)]
        answer = await self.ask("tools/call", "--tool-name", tool, *given)
        assert not answer.get("isError"), answer
        return answer["structuredContent"]

    async def waited(self, thread: str, **how: Any) -> Any:
        """Wait as a client does: again after each timeout."""
        while True:
            answer = await self.call("wait_for_thread", thread=thread, timeout_seconds=15, **how)
            if answer["reason"] != "timeout":
                return answer


def _typed(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


@pytest.fixture(params=WAYS)
async def inspector(
    request: pytest.FixtureRequest, engine: Engine, job: Job, tmp_path: Path
) -> AsyncIterator[Inspector]:
    if request.param == "stdio":
        wanted = {k: v for k, v in engine.environment.items() if k.startswith("TREADLE_")}
        variables = [word for name, value in wanted.items() for word in ("-e", f"{name}={value}")]
        yield Inspector(tmp_path, *variables, "--cwd", str(job.repository), PROGRAM, "mcp")
        return
    async with http_server(engine, free_ports(1)[0]) as url:
        token = (engine.settings.data_dir / "mcp-token").read_text().strip()
        yield Inspector(tmp_path, url, "--header", f"Authorization: Bearer {token}")


async def test_it_finds_nothing_wrong_with_the_tools(inspector: Inspector) -> None:
    listed = (await inspector.ask("tools/list", "--strict"))["tools"]
    assert {"propose_thread", "wait_for_thread"} < {tool["name"] for tool in listed}
    assert all(tool["annotations"]["destructiveHint"] is False for tool in listed)
    resources = (await inspector.ask("resources/list"))["resources"]
    assert resources[0]["uri"] == "treadle://threads"
    assert (await inspector.ask("prompts/list"))["prompts"]


async def test_it_drives_a_whole_thread(engine: Engine, job: Job, inspector: Inspector) -> None:
    wanted = {"goal": GOAL, "repository": str(job.repository), "agent": "scripted"}
    key = {"idempotency_key": f"key-{secrets.token_hex(4)}"}  # digits alone would be a number
    opened = await inspector.call("propose_thread", **wanted, **key)
    again = await inspector.call("propose_thread", **wanted, **key)
    thread = opened["thread"]
    assert again["thread"] == thread, "another process, the same key"
    assert opened["opened_by"].startswith(f"{user_name()} via MCP (")
    assert (await inspector.waited(thread))["state"]["needs"][0]["kind"] == "plan"
    approve(engine, thread)
    gate = await inspector.waited(thread)
    assert gate["state"]["needs"][0]["task"] == "left"
    diff = await inspector.call("read_diff", thread=thread, task="left")
    assert "+left" in diff["text"]
    approve(engine, thread, "left")
    over = await inspector.waited(thread, until=["over"])
    assert over["state"]["status"] == "completed"
    row = await inspector.ask("resources/read", "--uri", f"treadle://threads/{thread}")
    assert json.loads(row["contents"][0]["text"])["is_over"] is True


async def test_both_clients_see_the_same(engine: Engine, job: Job, inspector: Inspector) -> None:
    ours = (await inspector.ask("tools/list"))["tools"]
    async with stdio(engine, job.repository) as client:
        theirs = (await client.list_tools()).tools
    assert [tool["name"] for tool in ours] == [tool.name for tool in theirs]
