"""A worktree with a scenario, a runner that plays it with the real agent, and what it recorded."""

import asyncio
import os
import sys
import uuid
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import psutil
import pytest
import yaml

from adapters.acp.launch import Launch
from adapters.acp.limits import Patience, TurnLimits
from adapters.acp.questions import QuestionChannel
from adapters.acp.runner import AcpAgents
from adapters.files.agent_profiles import AgentFiles
from adapters.processes.spawner import Spawner
from adapters.tools.server import ToolServer
from domain.agents.agents import AgentCall, Prompt, SessionRole, TurnInput
from domain.agents.permissions import PermissionMode
from domain.core.command import Answer
from domain.core.errors import AgentError
from domain.core.ids import SessionId, StreamId, ThreadId, TurnId
from domain.core.workspaces import WorkspaceKind, WorkspaceSpec
from tests.fakes import MemoryJournal

ROOT = Path(__file__).resolve().parents[2]
AGENT = str(ROOT / "adapters" / "scripted_agent" / "__main__.py")
TREADLE = (sys.executable, str(ROOT / "treadle" / "__main__.py"))
THREAD = ThreadId("thread-x")
TASK_PROMPT = "# Treadle: task a\n\nDo it\n"


class Door:
    def __init__(self):
        self.sent = []

    async def send(self, _workflow_id, command):
        self.sent.append(command)
        return Answer(message="port 40123 is yours")


class Recorder:
    """Keeps events and wakes who waits for one."""

    def __init__(self):
        self.events = []
        self._changed = asyncio.Condition()

    async def __call__(self, body):
        async with self._changed:
            self.events.append(body)
            self._changed.notify_all()

    async def until(self, wanted):
        async with self._changed:
            await asyncio.wait_for(
                self._changed.wait_for(lambda: any(map(wanted, self.events))), 60
            )

    def kinds(self):
        return [e.kind for e in self.events]

    def updates(self, kind):
        found = [e.update for e in self.events if e.kind == "agent_update"]
        return [u for u in found if u["sessionUpdate"] == kind]

    def text(self):
        return "".join(u["content"]["text"] for u in self.updates("agent_message_chunk"))

    def opened(self):
        return next(e for e in self.events if e.kind == "agent_session_opened")

    def prompts(self):
        return [e.text for e in self.events if e.kind == "prompt_sent"]

    def notices(self):
        return [e.message for e in self.events if e.kind == "agent_notice"]


class Lab:
    """A worktree with a scenario, and a runner to play it."""

    def __init__(self, folder, tools, door):
        self.folder = folder
        self.door = door
        self.tools = tools
        self.cwd = folder / "worktree"
        self.cwd.mkdir()
        self.session_id = SessionId(f"thread-x/task-1/session-{uuid.uuid4().hex[:6]}")
        self.runners = []
        self.desk = QuestionChannel(door, MemoryJournal(), PermissionMode.ALLOW)
        self.agent_session = None
        self.runner = self.new_runner()

    def new_runner(self, *, limits=None, launcher=(sys.executable, AGENT), **patience):
        environment = {n: os.environ[n] for n in ("PATH", "HOME", "LANG") if n in os.environ}
        runner = AcpAgents(
            AgentFiles(self.folder / "config"),
            Spawner(self.folder / "runs", environment),
            self.tools,
            Launch(self.folder / "data", lambda _names: {}, launcher),
            self.desk,
            patience=Patience(**patience),
            limits=limits or TurnLimits(tick_seconds=0.05, cancel_seconds=30),
        )
        self.runners.append(runner)
        return runner

    def scenario(self, *steps, **more):
        rules = more.pop("rules", [{"steps": list(steps)}])
        path = self.cwd / ".treadle/scenario.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(yaml.safe_dump({"name": "test", "rules": rules, **more}))

    def profile(self, name, profile):
        path = self.folder / f"config/agents/{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(yaml.safe_dump(profile))

    def call(self, prompt=TASK_PROMPT, **more):
        turn = TurnInput(
            turn_id=TurnId(f"turn-{uuid.uuid4().hex[:6]}"),
            session_id=more.pop("session_id", self.session_id),
            owner=StreamId("thread-x/task-1"),
            thread_id=THREAD,
            role=more.pop("role", SessionRole.TASK),
            agent=more.pop("agent", "scripted"),
            model=more.pop("model", None),
            options=more.pop("options", {}),
            prompt=more.pop("words", Prompt()),
            workspace=WorkspaceSpec(
                workspace_id="w",
                kind=WorkspaceKind.TASK,
                repository=str(self.cwd),
                thread_id=THREAD,
                base="main",
            ),
            idle_timeout=timedelta(seconds=more.pop("idle", 100)),
        )
        return AgentCall(turn=turn, directory=self.cwd, prompt=prompt, **more)

    async def run(self, prompt=TASK_PROMPT, *, record=None, runner=None, **more):
        """Run a turn, in the agent's session of the turn before where none is named."""
        record = record or Recorder()
        runner = runner or self.runner
        call = self.call(prompt, **{"agent_session": self.agent_session, **more})
        try:
            return await runner.run_turn(call, record, lambda: None), record
        finally:
            for event in record.events:
                self.agent_session = getattr(event, "agent_session", self.agent_session)

    async def fails(self, prompt=TASK_PROMPT, *, runner=None, **more):
        with pytest.raises(AgentError) as caught:
            await self.run(prompt, runner=runner, **more)
        return caught.value.message

    def agents(self):
        """The scripted agents' processes that run in the worktree."""
        found = []
        for process in psutil.process_iter(["cmdline", "cwd", "name"]):
            is_agent = AGENT in (process.info["cmdline"] or [])
            if is_agent and process.info["cwd"] == str(self.cwd):
                found.append(process)
        return [p for p in found if "bwrap" not in p.info["name"]]


@asynccontextmanager
async def open_lab(folder):
    """Open a lab and close it; whatever happened in between, no agent is left."""
    door = Door()
    async with ToolServer(door) as tools:
        lab = Lab(folder, tools, door)
        yield lab
        for runner in lab.runners:
            await runner.close_all()
        assert lab.agents() == []
