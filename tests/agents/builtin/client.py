"""The built-in agent as a process, and a client that speaks the protocol with it, message by message."""

import asyncio
import contextlib
import json
import os
import time
from pathlib import Path

from adapters.agent_programs.builtin import BuiltinAgent
from adapters.agent_programs.commands import REGISTRY_ENVIRONMENT, InstallerCommands
from adapters.agent_programs.folders import ProgramFolders
from adapters.processes.spawner import Spawner
from settings import environment as environment_of
from tests.agents.installation import CACHE

PROGRAMS = CACHE / "programs"
SECONDS = 120
LINE_BYTES = 16 << 20
ALLOW, ALWAYS, REJECT = "allow_once", "allow_always", "reject_once"
BUGGY, MENDED = "def add(a, b):\n    return a - b\n", "def add(a, b):\n    return a + b\n"
EDIT = {"edit": "a.py", "old": "a - b", "new": "a + b"}
WIRES = {
    "chat": "openai-chat:stub-1",
    "responses": "openai-responses:stub-1",
    "anthropic": "anthropic:stub-1",
    "gemini": "google:stub-1",
}


async def installed() -> tuple[str, ...]:
    """Return what starts the agent; its environment is made once a machine, as Treadle makes it."""
    agent = BuiltinAgent(ProgramFolders(PROGRAMS), os.environ["PATH"])
    PROGRAMS.mkdir(parents=True, exist_ok=True)
    basic = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    spawner = Spawner(CACHE / "runs", basic)
    commands = InstallerCommands(spawner, PROGRAMS, environment_of(REGISTRY_ENVIRONMENT))
    await agent.install(commands, _untold)
    return agent.command()


async def _untold(_line: str) -> None:
    """Tell nobody."""


class RefusedError(Exception):
    """The agent answered with an error."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.error = error


class Client:
    """One agent process. `answer` decides on a question: an option, or None for a cancelled one."""

    def __init__(self, command, cwd: Path, home: Path, **environment):
        self.home = home
        self.begin(cwd)
        self._command = command
        self._environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "TREADLE_AGENT_HOME": str(home / "agent"),
            **environment,
        }
        self._waiting = {}
        self._news = asyncio.Event()
        self._last = 0

    async def __aenter__(self):
        self.home.mkdir(exist_ok=True)
        self.process = await asyncio.create_subprocess_exec(
            *self._command, stdin=-1, stdout=-1, env=self._environment, limit=LINE_BYTES
        )
        self._reading = asyncio.create_task(self._read())
        self.about = await self.ask("initialize", protocolVersion=1, clientCapabilities={})
        return self

    async def __aexit__(self, *_error):
        with contextlib.suppress(ConnectionError):
            self.process.stdin.close()
        await asyncio.wait_for(self.process.wait(), 60)
        await self._reading

    def begin(self, cwd):
        """Forget what was told, and work in another folder."""
        self.cwd = cwd
        self.updates = []
        self.questions = []
        self.answer = ALLOW
        self.session = ""

    async def ask(self, method, **params):
        self._last += 1
        answer = self._waiting[self._last] = asyncio.get_running_loop().create_future()
        self._send({"id": self._last, "method": method, "params": params})
        return await asyncio.wait_for(answer, SECONDS)

    async def open(self, **more):
        params = {"cwd": str(self.cwd), "mcpServers": [], **more}
        opened = await self.ask("session/new", **params)
        self.session = opened["sessionId"]
        return opened

    async def reopen(self, method, session):
        self.session = session
        return await self.ask(method, sessionId=session, cwd=str(self.cwd), mcpServers=[])

    async def prompt(self, *blocks):
        blocks = [{"type": "text", "text": b} if isinstance(b, str) else b for b in blocks]
        return await self.ask("session/prompt", sessionId=self.session, prompt=blocks)

    async def choose(self, option, value):
        params = {"sessionId": self.session, "configId": option, "value": value}
        return await self.ask("session/set_config_option", **params)

    def cancel(self):
        self._send({"method": "session/cancel", "params": {"sessionId": self.session}})

    def kill(self):
        self.process.kill()

    async def until(self, wanted):
        """Wait for an update that a function finds in what was told; returns it."""
        async with asyncio.timeout(SECONDS):
            while (found := next(filter(wanted, self.updates), None)) is None:
                self._news.clear()
                await self._news.wait()
        return found

    def of_kind(self, kind):
        return [u for u in self.updates if u["sessionUpdate"] == kind]

    def said(self):
        return "".join(u["content"]["text"] for u in self.of_kind("agent_message_chunk"))

    def statuses(self):
        """What each tool call came to, in order."""
        told = {u["toolCallId"]: u["title"] for u in self.of_kind("tool_call")}
        ends = {u["toolCallId"]: u.get("status") for u in self.of_kind("tool_call_update")}
        return [(title, ends.get(call)) for call, title in told.items()]

    def _send(self, message):
        line = json.dumps({"jsonrpc": "2.0", **message})
        self.process.stdin.write(line.encode() + b"\n")

    async def _read(self):
        while line := await self.process.stdout.readline():
            message = json.loads(line)
            if "method" not in message:
                self._answered(message)
            elif "id" in message:
                self._asked(message)
            else:
                self.updates.append(message["params"]["update"])
            self._news.set()
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(ConnectionError("the agent is gone"))

    def _answered(self, message):
        answer = self._waiting.pop(message["id"])
        if answer.done():
            return  # given up
        if "error" in message:
            answer.set_exception(RefusedError(message["error"]))
        else:
            answer.set_result(message["result"])

    def _asked(self, message):
        self.questions.append(message["params"])
        chosen = self.answer(message["params"]) if callable(self.answer) else self.answer
        outcome = {"outcome": "cancelled"} if chosen is None else {"outcome": "selected"}
        if chosen is not None:
            outcome["optionId"] = chosen
        self._send({"id": message["id"], "result": {"outcome": outcome}})


class Stopwatch:
    """How long a block took."""

    def __enter__(self):
        self._began = time.monotonic()
        return self

    def __exit__(self, *_error):
        self.seconds = time.monotonic() - self._began
