"""One sandbox's way out: which hosts and ports it reaches, and what is asked of a person first."""

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from domain.agents.sandbox import Sandbox
from domain.core.hosts import HTTPS_PORT, address_of, is_local

ASK_SECONDS = 90.0
"""How long a connection waits for a person; the question itself waits on."""

MAX_REFUSED = 20
MAX_ASKED = 300
"""Questions of one sandbox: each one that a workflow is asked lies in its history."""


class Verdict(NamedTuple):
    """What became of a question for a host: None where nobody has answered."""

    is_allowed: bool | None
    words: str


Ask = Callable[[str], Coroutine[Any, Any, Verdict]]
"""Asks whether a host may be reached."""


class RefusedError(Exception):
    """A host is not reached; the text is what the process is told."""

    def __init__(self, explanation: str) -> None:
        super().__init__(explanation)
        self.explanation = explanation


@dataclass
class Gate:
    """Who is asked for hosts that no list has, none where nobody can be; and what was refused.

    `tell` is called with each place that was refused.
    """

    ask: Ask | None = None
    refused: list[str] = field(default_factory=list[str])
    tell: Callable[[str], None] | None = None

    def note(self, place: str) -> None:
        """Note what was refused, a bounded number of places."""
        if place not in self.refused and len(self.refused) < MAX_REFUSED:
            self.refused.append(place)
            if self.tell is not None:
                self.tell(place)


class Door:
    """The rules of one sandbox, by its token."""

    def __init__(self, sandbox: Sandbox, gate: Gate | None, ask_seconds: float) -> None:
        self.token = secrets.token_urlsafe(24)
        self._rules = sandbox.hosts
        self._ports = {*sandbox.ports, *sandbox.connect}
        self._gate = gate or Gate()
        self._seconds = ask_seconds
        self._asking: dict[str, asyncio.Task[Verdict]] = {}
        self._asked = 0
        self.connections: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """End its connections, and what it still asks."""
        for task in (*self.connections, *self._asking.values()):
            with suppress(RuntimeError):  # of an event loop that is closed
                task.cancel()

    def allows_private(self, host: str, port: int) -> bool:
        """Tell whether a host may have any address: it reaches its open ports on each by itself."""
        named = self._rules is not None and self._rules.allow_private(host)
        return port in self._ports or named

    async def admit(self, host: str, port: int) -> None:
        """Let a connection pass; waits for a person where one must be asked.

        Raises:
            RefusedError: It does not pass.
        """
        explanation = await self._objection(host, port)
        if explanation:
            self.refuse(host, port)
            raise RefusedError(f"{host}:{port} is not reached: {explanation}")

    def refuse(self, host: str, port: int) -> None:
        """Note that something was refused."""
        self._gate.note(host if port == HTTPS_PORT else f"{host}:{port}")

    async def _objection(self, host: str, port: int) -> str:
        """Say why a host is not reached; nothing where it may be."""
        if port in self._ports:
            return ""
        if port != HTTPS_PORT:
            return f"port {port} is closed; only 443 is open to other hosts"
        if is_local(host):
            return "this machine's own port 443 is closed"
        if self._rules is not None and self._rules.allow(host):
            return ""
        if address_of(host) is not None:
            return "hosts are reached by their names, not by their addresses"
        return await self._denied(host)

    async def _denied(self, host: str) -> str:
        """Ask for a host; returns why it is not allowed, or not yet."""
        if self._gate.ask is None:
            return (
                "it is in no list of hosts, and nobody is asked here; the user can name it in "
                "TREADLE_SANDBOX_HOSTS"
            )
        task = self._asking.get(host) or self._ask(self._gate.ask, host)
        if task is None:
            return "too many hosts were asked for"
        await asyncio.wait({task}, timeout=self._seconds)
        if not task.done():
            return "a person is being asked; try again when they have answered"
        verdict = Verdict(None, "it is over") if task.cancelled() else task.result()
        return "" if verdict.is_allowed else verdict.words

    def _ask(self, ask: Ask, host: str) -> asyncio.Task[Verdict] | None:
        self._asked += 1
        if self._asked > MAX_ASKED:
            return None
        task = self._asking[host] = asyncio.create_task(ask(host), name=f"ask {host}")
        task.add_done_callback(lambda _done: self._asking.pop(host, None))
        return task
