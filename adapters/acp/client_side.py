"""The client's side of one session: files and terminals for the agents whose profile asks for them."""

from contextvars import Context
from pathlib import Path
from typing import Any

from adapters.acp.client_files import ClientFiles
from adapters.acp.client_terminals import ClientTerminals
from adapters.acp.session import LiveSession
from adapters.egress.doors import Gate
from adapters.processes.spawner import Spawner
from adapters.tolerant import at
from domain.agents.permissions import ALLOW_ONCE, REJECT_ONCE, ToolUse
from domain.agents.sandbox import Sandbox

CHOICES = [
    {"optionId": ALLOW_ONCE, "name": "Allow", "kind": ALLOW_ONCE},
    {"optionId": REJECT_ONCE, "name": "Refuse", "kind": REJECT_ONCE},
]


class ClientSide:
    """Serves what is offered, by the same rights that the agent's own tools have."""

    def __init__(self, live: LiveSession, spawner: Spawner, offered: tuple[str, ...]) -> None:
        self._live = live
        if "fs" in offered:
            live.wire.serve(ClientFiles(live.directory, self.may).methods)
        if "terminal" in offered:
            terminals = ClientTerminals(live.directory, spawner, self)
            live.wire.serve(terminals.methods)
            live.on_stop = terminals.close

    @property
    def sandbox(self) -> Sandbox:
        """The session's, for what is started in it."""
        return self._live.sandbox

    @property
    def gate(self) -> Gate:
        """Who is asked for hosts that the session reaches."""
        return self._live.gate

    @property
    def beside(self) -> tuple[tuple[Path, Path], ...]:
        """The worktrees of other repositories that the session works in, and where each is seen."""
        return self._live.beside

    @property
    def context(self) -> Context | None:
        """Where the running turn's children start; None while none runs."""
        running = self._live.grant.running
        return running.context if running is not None else None

    async def may(self, kind: str, title: str, command: str) -> bool:
        """Tell whether the running turn may do something; a person is asked where policy does not say."""
        if not self._live.is_in_turn:
            return False
        use = ToolUse(kind=kind, title=title, command=command)
        allowed = self._live.tools.rights.allow(use)
        if allowed is not None:
            return allowed
        raw = {"rawInput": {"command": command}} if command else {}
        call = {"toolCallId": f"client: {title}", "kind": kind, "title": title, **raw}
        session = {"sessionId": self._live.agent_session}
        answer = await self._live.permitted({**session, "toolCall": call, "options": CHOICES})
        return at(answer, "outcome.optionId") == ALLOW_ONCE

    def tell(self, update: dict[str, Any]) -> None:
        """Record an update that is made here, among the agent's own."""
        if self._live.transcript is not None:
            self._live.transcript.add(update)
