"""Terminals on a real spawner, with a journal in memory and a door that remembers."""

import asyncio
import sys
from contextlib import asynccontextmanager
from pathlib import Path

from adapters.redaction import Redactor
from adapters.terminals.launcher import TerminalLauncher
from adapters.terminals.terminals import HostTerminals
from domain.agents.agents import Prompt, SessionRole, TurnInput
from domain.agents.hosting import TerminalRequest
from domain.agents.sandbox import Level, SandboxRules
from domain.core.ids import SessionId, StreamId, ThreadId, TurnId
from domain.core.workspaces import WorkspaceKind, WorkspaceSpec
from tests import fakes
from tests.adapters.tool_lab import Door

TASK = StreamId("thread-x/task-1")
SESSION = SessionId("thread-x/task-1/session-1")
FIRST = StreamId(f"{TASK}/terminal-1")
SERVE = f"exec {sys.executable} -u -m http.server --bind 127.0.0.1"
SECRET = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"
TURN = TurnInput(
    turn_id=TurnId("turn-1"),
    session_id=SESSION,
    owner=TASK,
    thread_id=ThreadId("thread-x"),
    role=SessionRole.TASK,
    agent="scripted",
    prompt=Prompt(),
    workspace=WorkspaceSpec(
        workspace_id=f"{TASK}/run-1",
        kind=WorkspaceKind.TASK,
        repository="/repository",
        thread_id=ThreadId("thread-x"),
        base="main",
    ),
)


class Lab:
    """One host's terminals; `restarted` gives those of its next worker."""

    def __init__(self, spawner, folder: Path) -> None:
        self.spawner = spawner
        self.folder = folder
        folder.mkdir()
        self.journal = fakes.MemoryJournal()
        self.door = Door()
        self.terminals = self.restarted()

    def restarted(self) -> HostTerminals:
        rules = SandboxRules(level=Level.OFF)
        self.launcher = TerminalLauncher(self.spawner, rules, Redactor({"KEY": SECRET}))
        return HostTerminals.on(self.folder / "terminals", self.journal, self.door, self.launcher)

    async def open(self, command: str, **changes):
        """Open a terminal that runs a shell line; returns its stream."""
        changes = {"owner": TASK, "label": "work", "cwd": self.folder, **changes}
        request = TerminalRequest(
            turn=TURN,
            command=command,
            argv=("/bin/sh", "-c", command),
            workspace=self.folder,
            **changes,
        )
        terminal = await self.terminals.create(request)
        return StreamId(f"{request.owner}/{terminal.id}")

    async def said(self, stream: StreamId, words: str) -> str:
        """Wait until a terminal has said something; returns all that it said."""
        async with asyncio.timeout(60):
            while words not in (text := self.terminals.output(stream).text):
                await self.terminals.wait(stream, 0.02)
        return text

    async def kinds(self, stream: StreamId) -> list[str]:
        return [entry.event.body.kind for entry in await self.journal.read(stream)]

    async def told(self, count: int) -> list:
        """Wait until the owner was told so often; returns the terminals as they were told."""
        async with asyncio.timeout(60):
            while len(self.door.sent) < count:  # noqa: ASYNC110 - the door tells nobody
                await asyncio.sleep(0.02)
        return [command.terminal for _, command in self.door.sent]


@asynccontextmanager
async def opened(spawner, folder: Path):
    lab = Lab(spawner, folder)
    try:
        yield lab
    finally:
        await lab.terminals.close_all()
