"""The client's terminal methods (ACP, "Terminals"): commands of the agent, in its session's sandbox.

Served only to agents whose profile says so, and never to those that only read. They end with their
session's process. What a task needs for longer are terminals of Treadle's own tools.
"""

import asyncio
import codecs
import signal
from contextvars import Context
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from adapters.acp.client_files import RESOURCE_NOT_FOUND
from adapters.acp.limits import clipped
from adapters.acp.requests import INVALID_PARAMS, Serve, ServedError
from adapters.egress.doors import Gate
from adapters.processes.children import Child
from adapters.processes.command import Command
from adapters.processes.spawner import Spawner
from adapters.terminals.ring import Ring
from adapters.tolerant import as_dict, as_list, as_text
from domain.agents.sandbox import Sandbox
from domain.agents.updates import EXECUTE

SHELL = ("/bin/sh", "-c")
MAX_RUNNING = 16
MAX_KEPT = 200
MAX_OUTPUT_BYTES = 1 << 20
SHOWN_BYTES = 8 << 10
GRACE_SECONDS = 2.0
CHUNK_BYTES = 64 << 10
_SIGNAL_BASE = 128


class Owner(Protocol):
    """The session whose terminals they are, and its running turn."""

    @property
    def sandbox(self) -> Sandbox:
        """How their processes are confined."""
        ...

    @property
    def gate(self) -> Gate:
        """Who is asked for hosts that they reach."""
        ...

    @property
    def beside(self) -> tuple[tuple[Path, Path], ...]:
        """The worktrees of other repositories that they work in, and where each is seen."""
        ...

    @property
    def context(self) -> Context | None:
        """Where the running turn's children start; None while none runs."""
        ...

    async def may(self, kind: str, title: str, command: str) -> bool:
        """Tell whether the turn may do something."""
        ...

    def tell(self, update: dict[str, Any]) -> None:
        """Take what a terminal said and how it ended, as an update of the session."""
        ...


@dataclass
class _Open:
    """One terminal; its output is the newest so many bytes, cut at a character."""

    child: Child
    limit: int
    ring: Ring
    over: asyncio.Task[dict[str, Any]] = field(init=False)

    def __post_init__(self) -> None:
        self.over = asyncio.create_task(self._pump())

    @property
    def status(self) -> dict[str, Any] | None:
        """How it ended, None while it runs."""
        return self.over.result() if self.over.done() else None

    async def _pump(self) -> dict[str, Any]:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while chunk := await self.child.stdout.read(CHUNK_BYTES):
            self.ring.add(decoder.decode(chunk))
        code = await self.child.wait()
        number = -code if code < 0 else code - _SIGNAL_BASE
        if number in signal.valid_signals():
            return {"exitCode": None, "signal": signal.Signals(number).name}
        return {"exitCode": code, "signal": None}


class ClientTerminals:
    """The terminals of one session."""

    def __init__(self, root: Path, spawner: Spawner, owner: Owner) -> None:
        self._root = root
        self._spawner = spawner
        self._owner = owner
        self._open: dict[str, _Open] = {}
        self._opened = 0

    @property
    def methods(self) -> dict[str, Serve]:
        """The methods that are served."""
        return {
            "terminal/create": self.create,
            "terminal/output": self.output,
            "terminal/wait_for_exit": self.wait_for_exit,
            "terminal/kill": self.kill,
            "terminal/release": self.release,
        }

    async def create(self, params: dict[str, Any]) -> dict[str, Any]:
        """Start a command; without arguments it is a line for the shell."""
        line, arguments = as_text(params.get("command")), as_list(params.get("args"))
        if not line or not all(isinstance(part, str) for part in arguments):
            raise ServedError(INVALID_PARAMS, "command must be a text, and args texts")
        self._refuse_many()
        argv = (line, *arguments) if arguments else (*SHELL, line)
        shown = " ".join((line, *arguments))
        if not await self._owner.may(EXECUTE, clipped(shown, 200), shown):
            raise ServedError(INVALID_PARAMS, f"running {clipped(shown, 200)!r} is not allowed")
        own = _variables(params.get("env"))
        command = Command(
            ("env", *own, *argv) if own else argv,
            self._folder(params.get("cwd")),
            is_merged=True,
            sandbox=self._owner.sandbox,
            workspace=self._root,
            gate=self._owner.gate,
            beside=self._owner.beside,
        )
        starting = asyncio.create_task(self._spawner.start(command), context=self._owner.context)
        try:
            child = await starting
        except OSError as error:
            raise ServedError(INVALID_PARAMS, f"it does not start: {error}") from error
        limit = params.get("outputByteLimit")
        kept = limit if type(limit) is int and 0 <= limit <= MAX_OUTPUT_BYTES else MAX_OUTPUT_BYTES
        self._opened += 1
        name = f"client-terminal-{self._opened}"
        self._open[name] = _Open(child, kept, Ring(kept))
        return {"terminalId": name}

    async def output(self, params: dict[str, Any]) -> dict[str, Any]:
        """Return the newest output, and how it ended if it did."""
        terminal = self._known(params)
        text, skipped = terminal.ring.since(0)
        return {"output": text, "truncated": skipped > 0, "exitStatus": terminal.status}

    async def wait_for_exit(self, params: dict[str, Any]) -> dict[str, Any]:
        """Wait for the end, however long that takes."""
        return await asyncio.shield(self._known(params).over)

    async def kill(self, params: dict[str, Any]) -> dict[str, Any]:
        """End it with all below it; its output stays."""
        await self._known(params).child.stop(GRACE_SECONDS)
        return {}

    async def release(self, params: dict[str, Any]) -> dict[str, Any]:
        """End it and forget it."""
        terminal = self._known(params)
        del self._open[as_text(params.get("terminalId"))]
        await self._end(as_text(params.get("terminalId")), terminal)
        return {}

    async def close(self) -> None:
        """End all of them."""
        while self._open:
            await self._end(*self._open.popitem())

    async def _end(self, name: str, terminal: _Open) -> None:
        await terminal.child.stop(GRACE_SECONDS)
        status = await terminal.over
        text, _ = terminal.ring.since(0, SHOWN_BYTES)
        finished = {"sessionUpdate": "terminal_output", "terminalId": name, "output": text}
        self._owner.tell({**finished, "exitStatus": status})

    def _known(self, params: dict[str, Any]) -> _Open:
        name = as_text(params.get("terminalId"))
        if (terminal := self._open.get(name)) is None:
            raise ServedError(
                RESOURCE_NOT_FOUND, f"Resource not found: there is no terminal {name[:100]!r}"
            )
        return terminal

    def _refuse_many(self) -> None:
        running = sum(terminal.status is None for terminal in self._open.values())
        if running >= MAX_RUNNING or len(self._open) >= MAX_KEPT:
            raise ServedError(INVALID_PARAMS, f"{len(self._open)} terminals are open: release some")

    def _folder(self, given: Any) -> Path:
        folder = Path(as_text(given) or self._root)
        try:
            is_inside = folder.resolve().is_relative_to(self._root.resolve()) and folder.is_dir()
        except (OSError, ValueError, RuntimeError):  # too long, with a NUL, links in a circle
            is_inside = False
        if not is_inside:
            raise ServedError(
                INVALID_PARAMS, f"cwd must be a folder of the workspace: {self._root}"
            )
        return folder


def _variables(given: Any) -> list[str]:
    found = [as_dict(each) for each in as_list(given)]
    pairs = [(as_text(each.get("name")), as_text(each.get("value"))) for each in found]
    if not all(name.isidentifier() and "\0" not in value for name, value in pairs):
        raise ServedError(INVALID_PARAMS, "env must hold names and values")
    return [f"{name}={value}" for name, value in pairs]
