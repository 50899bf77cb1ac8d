"""An editor in a test: the client side of the protocol's own SDK, and a person who answers."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import acp
from acp import schema

from tests.e2e.engine import DEADLINE_SECONDS, PROGRAM, Engine
from tests.e2e.job import Job

TASK = {"id": "only", "title": "Write it", "gate": "auto"}
SCENARIO: dict[str, Any] = {
    "name": "editor",
    "rules": [
        {
            "when": {"prompt": "planner"},
            "steps": [{"call": "propose_plan", "with": {"plan": {"goal": "It", "tasks": [TASK]}}}],
        },
        {
            "when": {"prompt": "planner-feedback"},
            "steps": [
                {
                    "call": "propose_plan",
                    "with": {"plan": {"goal": "Better", "tasks": [TASK]}},
                }
            ],
        },
        {
            "when": {"role": "task"},
            "steps": [
                {"write": "only.txt", "text": "only\n"},
                {"call": "report_done", "with": {"summary": "done"}},
            ],
        },
        {
            "when": {"prompt": "message", "text": "write"},
            "steps": [
                {"think": "A file."},
                {"write": "hello.txt", "text": "hello\n"},
                {"say": "It is there."},
            ],
        },
        {
            "when": {"prompt": "message", "text": "deploy"},
            "steps": [
                {"ask": "Deploy", "kind": "other", "with": {"where": "production"}},
                {"say": "It was ${answer}."},
            ],
        },
        {"when": {"prompt": "message", "text": "forever"}, "steps": [{"hang": True}]},
        {"when": {"prompt": "message"}, "steps": [{"say": "Hello."}]},
    ],
}

Answer = Callable[[str], str | None]
"""Which option a person chooses, by the title of what is asked; None leaves it open."""


def approve(title: str) -> str | None:
    return "merge" if title.startswith("Merge") else "approve"


class Editor:
    """Notes what it is told, in order, and answers what it is asked."""

    def __init__(self, answer: Answer = approve) -> None:
        self.answer = answer
        self.updates: list[Any] = []
        self.asked: list[schema.RequestPermissionRequest] = []
        self.changed = asyncio.Condition()

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        await self._note(self.updates, update)

    async def request_permission(
        self,
        session_id: str,
        tool_call: schema.ToolCallUpdate,
        options: list[schema.PermissionOption],
        **_: Any,
    ) -> schema.RequestPermissionResponse:
        request = schema.RequestPermissionRequest(
            session_id=session_id, tool_call=tool_call, options=options
        )
        await self._note(self.asked, request)
        chosen = self.answer(tool_call.title or "")
        if chosen == "wait":
            await asyncio.Event().wait()
        if chosen is None:
            outcome = schema.DeniedOutcome(outcome="cancelled")
        else:
            outcome = schema.AllowedOutcome(outcome="selected", option_id=chosen)
        return schema.RequestPermissionResponse(outcome=outcome)

    async def until(self, is_there: Callable[["Editor"], Any]) -> Any:
        """Wait for something that the editor is told or asked."""
        async with asyncio.timeout(DEADLINE_SECONDS), self.changed:
            return await self.changed.wait_for(lambda: is_there(self))

    def text(self, kind: str = "agent_message_chunk") -> str:
        """Return all that was said."""
        return "".join(u.content.text for u in self.updates if u.session_update == kind)

    def last(self, kind: str) -> Any:
        """Return the newest update of a kind, None before there is one."""
        return next((u for u in reversed(self.updates) if u.session_update == kind), None)

    async def _note(self, notes: list[Any], what: Any) -> None:
        async with self.changed:
            notes.append(what)
            self.changed.notify_all()

    def on_connect(self, conn: Any) -> None:
        pass


class Opened:
    """A running `treadle acp` and the editor that speaks with it."""

    def __init__(self, agent: Any, process: asyncio.subprocess.Process, editor: Editor) -> None:
        self.agent = agent
        self.process = process
        self.editor = editor

    async def new(self, cwd: Path, **more: Any) -> str:
        return (await self.agent.new_session(cwd=str(cwd), mcp_servers=[], **more)).session_id

    async def say(self, session: str, text: str, *blocks: Any) -> str:
        said = [*([acp.text_block(text)] if text else []), *blocks]
        async with asyncio.timeout(2 * DEADLINE_SECONDS):
            answer = await self.agent.prompt(session_id=session, prompt=said)
        return answer.stop_reason

    async def kill(self) -> None:
        self.process.kill()
        await self.process.wait()


@asynccontextmanager
async def opened(
    engine: Engine, *options: str, editor: Editor | None = None
) -> AsyncIterator[Opened]:
    """Start `treadle acp` as an editor does."""
    editor = editor or Editor()
    log = (engine.outside / "acp.log").open("ab")
    process = await asyncio.create_subprocess_exec(
        PROGRAM,
        "acp",
        *options,
        env=engine.environment,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=log,
        limit=64 << 20,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    connection = acp.connect_to_agent(
        editor, process.stdin, process.stdout, use_unstable_protocol=True
    )
    try:
        info = schema.Implementation(name="test-editor", title="Test Editor", version="1")
        await connection.initialize(protocol_version=1, client_info=info)
        yield Opened(connection, process, editor)
    finally:
        await connection.close()
        if process.returncode is None:
            process.terminate()
            await process.wait()
        log.close()


async def threads(job: Job, repository: Path) -> list[dict[str, Any]]:
    """Return the threads of a repository as the API lists them."""
    answer = await job.http.get("/v1/threads", params={"project": str(repository)})
    return answer.json()["threads"]


async def view(job: Job, repository: Path) -> dict[str, Any]:
    """Return the only thread of a repository."""
    (row,) = await threads(job, repository)
    return (await job.http.get(f"/v1/threads/{row['stream']}")).json()
