"""`treadle mcp`: an editor drives a whole thread, and a person decides on it."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import psutil
import pytest
from mcp.client import Client
from mcp_types import TextResourceContents

from settings import user_name
from tests.e2e.engine import PROGRAM, Engine, until
from tests.e2e.job import GOAL, Job
from tests.e2e.mcp_lab import approve, call, http_server, over_http, refusal, stdio
from tests.free_ports import free_ports

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

BY = f"{user_name()} via MCP (An editor 1.2)"


@asynccontextmanager
async def connected(engine: Engine, job: Job, way: str) -> AsyncIterator[Client]:
    mode = "legacy" if way.endswith("legacy") else "auto"
    if way.startswith("stdio"):
        async with stdio(engine, job.repository, mode) as client:
            yield client
        return
    async with http_server(engine, free_ports(1)[0]) as url:
        token = (engine.settings.data_dir / "mcp-token").read_text().strip()
        async with over_http(url, token, mode) as client:
            yield client


async def waited(client: Client, thread: str, **how: Any) -> Any:
    """Wait as a client does: again after each timeout."""
    while True:
        answer = await call(client, "wait_for_thread", thread=thread, timeout_seconds=20, **how)
        if answer["reason"] != "timeout":
            return answer


@pytest.mark.parametrize("way", ["stdio", "stdio-legacy", "http", "http-legacy"])
async def test_an_editor_drives_a_whole_thread_and_a_person_decides(
    engine: Engine, job: Job, way: str
) -> None:
    async with connected(engine, job, way) as client:
        thread = await proposed(client, job)
        planned = await waited(client, thread)
        assert [need["kind"] for need in planned["state"]["needs"]] == ["plan"]
        said = await call(client, "send_message", thread=thread, text="approved, go on")
        assert said["said_by"] == BY
        await waited(client, thread, until=["idle"])
        approve(engine, thread)
        since = {"until": ["task_ended"], "after": planned["state"]["position"]}
        assert (await waited(client, thread, **since))["ended_tasks"] == ["right"]
        await commented(client, thread)
        approve(engine, thread, "left")
        over = await waited(client, thread, until=["over"])
        assert over["state"]["status"] == "completed"
        assert {task["status"] for task in over["state"]["tasks"]} == {"completed"}
        await read(client, thread)
    for command in (("show", thread), ("threads",), ("logs", thread)):
        assert BY in engine.run(PROGRAM, *command).stdout
    logs = engine.run(PROGRAM, "logs", thread).stdout
    assert f"{BY}: a program says this, not a person. It approves nothing." in logs


async def proposed(client: Client, job: Job) -> str:
    """Propose the job; the same call again is the same thread."""
    wanted = {"goal": GOAL, "repository": str(job.repository), "agent": "scripted"}
    opened = await call(client, "propose_thread", **wanted)
    assert opened["opened_by"] == BY
    assert (await call(client, "propose_thread", **wanted))["thread"] == opened["thread"]
    return opened["thread"]


async def commented(client: Client, thread: str) -> None:
    """Comment on the change that waits at its gate: only a person sends it back, and it waits there still."""
    await waited(client, thread)
    diff = await call(client, "read_diff", thread=thread, task="left")
    assert "+left" in diff["text"]
    place = {"thread": thread, "task": "left", "path": "left.txt", "line": 1}
    words = await refusal(client, "comment_on_line", **place, text="approved, merge it")
    assert words.startswith("wrong_state: the task waits at its gate")
    gate = await waited(client, thread)
    assert [need["task"] for need in gate["state"]["needs"]] == ["left"]


async def read(client: Client, thread: str) -> None:
    """Read a thread that is over, by tools and as a resource."""
    task = await call(client, "get_task", thread=thread, task="right")
    assert {step["passed"] for step in task["steps"]} == {True}
    events = await call(client, "read_events", thread=thread, limit=500, max_characters=60_000)
    opening = next(e for e in events["events"] if e["kind"] == "thread_opened")
    assert f"Thread opened by {BY}" in opening["text"]
    listed = await call(client, "list_threads", words=thread)
    assert listed["threads"][0]["opened_by"] == BY
    row = await client.read_resource(f"treadle://threads/{thread}")
    content = row.contents[0]
    assert isinstance(content, TextResourceContents)
    assert json.loads(content.text)["status"] == "completed"


async def test_a_wait_tells_how_far_it_is_and_its_cancellation_ends_nothing_else(
    engine: Engine, job: Job
) -> None:
    told: asyncio.Queue[str | None] = asyncio.Queue()

    async def tell(_progress: float, _total: float | None, message: str | None) -> None:
        told.put_nowait(message)

    async with stdio(engine, job.repository) as client:
        await job.open()
        await job.seen("plan_proposed")
        wait = {"thread": job.thread, "until": ["over"], "timeout_seconds": 300}
        waiting = asyncio.create_task(
            client.call_tool("wait_for_thread", wait, progress_callback=tell)
        )
        async with asyncio.timeout(60):
            first = await told.get()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        state = await call(client, "get_thread", thread=job.thread)
    assert first == "waiting"
    assert state["is_over"] is False
    assert [need["kind"] for need in state["needs"]] == ["plan"]


async def test_killed_in_the_middle_of_a_wait_it_leaves_nothing(engine: Engine, job: Job) -> None:
    await job.open()
    await job.seen("plan_proposed")
    process = await asyncio.create_subprocess_exec(
        PROGRAM,
        "mcp",
        env={**os.environ, **engine.environment},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    arguments = {"thread": job.thread, "until": ["over"], "timeout_seconds": 300}
    wait = {
        "name": "wait_for_thread",
        "arguments": arguments,
        "_meta": {"progressToken": "p"},
    }
    client_info = {"name": "an-editor", "version": "1"}
    begin = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client_info}
    for message in (
        {"id": 1, "method": "initialize", "params": begin},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": wait},
    ):
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    async with asyncio.timeout(60):
        while b"notifications/progress" not in await process.stdout.readline():
            pass
    children = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGKILL)
    await process.wait()
    await until(lambda: not any(child.is_running() for child in children))

    await job.approve(await job.seen("plan_proposed"))
    async with stdio(engine, job.repository) as client:
        gate = await waited(client, job.thread)
    assert [need["task"] for need in gate["state"]["needs"]] == ["left"]


HOSTILE: list[tuple[str, dict[str, Any], str]] = [
    ("approve", {"thread": "x"}, "not_found"),
    ("get_thread", {}, "invalid"),
    ("get_thread", {"thread": "thread-no-such-1a2b3c"}, "not_found"),
    ("get_thread", {"thread": ""}, "invalid"),
    ("get_thread", {"thread": "../../etc/passwd"}, "not_found"),
    ("get_thread", {"thread": "x" * 10_000}, "invalid"),
    ("get_thread", {"thread": "thread-a", "approve": True}, "invalid"),
    ("get_task", {"thread": "thread-no-such-1a2b3c", "task": "\x00"}, "not_found"),
    ("read_events", {"thread": "thread-no-such-1a2b3c", "after": 10**30}, "invalid"),
    ("read_diff", {"thread": "thread-no-such-1a2b3c", "offset": -1}, "invalid"),
    ("propose_thread", {"goal": "x" * 20_000}, "invalid"),
    ("propose_thread", {"goal": "a\x00b"}, "control_character"),
    ("propose_thread", {"goal": "g", "repository": "/no/such/folder"}, ""),
    ("propose_thread", {"goal": "g", "agent": "no-such-agent"}, "unknown_agent"),
    ("propose_thread", {"goal": "g", "planner": {"auto_run": True}}, "invalid"),
    ("queue_thread", {"goal": "g", "priority": 0}, "invalid"),
    ("send_message", {"thread": "thread-no-such-1a2b3c", "text": "x" * 60_000}, "invalid"),
    ("wait_for_thread", {"thread": "thread-no-such-1a2b3c", "until": ["approved"]}, "invalid"),
    ("wait_for_thread", {"thread": "thread-no-such-1a2b3c"}, "not_found"),
]


async def test_hostile_calls_get_an_error_with_its_type_and_no_traceback(
    engine: Engine, job: Job
) -> None:
    async with stdio(engine, job.repository) as client:
        answers = [
            (tool, arguments, kind, await refusal(client, tool, **arguments))
            for tool, arguments, kind in HOSTILE
        ]
        odd = [answer for answer in answers if not answer[3].startswith(answer[2] or "")]
        assert odd == []
        for *_, words in answers:
            assert ": " in words
            assert "Traceback" not in words
            assert len(words) < 3_000
        tools = (await client.list_tools()).tools
        assert {tool.annotations.read_only_hint for tool in tools if tool.annotations} == {
            True,
            False,
        }
        assert all(tool.output_schema and tool.input_schema for tool in tools)


async def test_its_token_is_kept_once_and_a_revoked_one_is_not_made_again(
    engine: Engine, job: Job
) -> None:
    async with stdio(engine, job.repository) as client:
        await call(client, "get_queue")
    file = engine.settings.data_dir / "mcp-token"
    kept = file.read_text()
    async with stdio(engine, job.repository) as client:
        await call(client, "get_queue")
    assert file.read_text() == kept
    assert file.stat().st_mode & 0o777 == 0o600
    listed = json.loads(engine.run(PROGRAM, "tokens", "list", "--json").stdout)["tokens"]
    mine = [each for each in listed if each["name"] == "MCP" and not each["revoked_at"]]
    assert [each["scope"] for each in mine] == ["proposer"]
    assert engine.run(PROGRAM, "tokens", "revoke", mine[0]["token_id"]).returncode == 0
    refused = engine.run(PROGRAM, "mcp")
    assert refused.returncode == 1
    assert "was revoked" in refused.stderr
    file.unlink()


@pytest.mark.parametrize(
    "address", ["0.0.0.0:1", "192.0.2.1:80", "example.org", "x:y", "127.0.0.1:99999"]
)
def test_it_listens_on_this_machine_alone(engine: Engine, address: str) -> None:
    refused = engine.run(PROGRAM, "mcp", "--http", address)
    assert refused.returncode == 1
    assert "Traceback" not in refused.stderr
