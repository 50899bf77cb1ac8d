"""A look at an agent: started, asked what it offers, and ended; no session is opened."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from adapters.acp.endings import describe_exit, not_started
from adapters.acp.handshake import initialize, version_of
from adapters.acp.launch import Launch
from adapters.acp.limits import NOTE_BYTES, Patience, clipped
from adapters.acp.violations import Violations
from adapters.acp.wire import Client, Wire
from adapters.egress.doors import Gate
from adapters.processes.children import Child
from adapters.processes.spawner import Spawner
from adapters.tolerant import as_dict, as_list, as_text
from domain.agents.agents import TurnInput
from domain.agents.checks import Capabilities
from domain.agents.profiles import AgentProfile
from domain.core.errors import AgentError

T = TypeVar("T")

GRACE_SECONDS = 2.0
MAX_METHODS = 20
MAX_BYTES = 4 << 20
"""What an agent may say before it has answered."""


class AgentInspection:
    """What an agent told of itself."""

    def __init__(self, about: dict[str, Any]) -> None:
        self._about = about

    @property
    def version(self) -> str:
        """Its name and version."""
        return version_of(self._about)

    @property
    def login_methods(self) -> tuple[str, ...]:
        """The names of the ways to log in that it offers."""
        methods = [as_dict(each) for each in as_list(self._about.get("authMethods"))[:MAX_METHODS]]
        names = (as_text(each.get("name")) or as_text(each.get("id")) for each in methods)
        return tuple(clipped(name) for name in names if name)

    @property
    def capabilities(self) -> Capabilities:
        """What it can do."""
        offered = as_dict(self._about.get("agentCapabilities"))
        session = as_dict(offered.get("sessionCapabilities"))
        prompt, mcp = (
            as_dict(offered.get("promptCapabilities")),
            as_dict(offered.get("mcpCapabilities")),
        )
        return Capabilities(
            load=bool(offered.get("loadSession")),
            resume=session.get("resume") is not None,
            list=session.get("list") is not None,
            close=session.get("close") is not None,
            fork=session.get("fork") is not None,
            image=bool(prompt.get("image")),
            audio=bool(prompt.get("audio")),
            embedded_context=bool(prompt.get("embeddedContext")),
            mcp_http=bool(mcp.get("http")),
            mcp_sse=bool(mcp.get("sse")),
        )


async def inspect_agent(
    spawner: Spawner, launch: Launch, profile: AgentProfile, turn: TurnInput, folder: Path
) -> AgentInspection:
    """Start an agent in an empty folder, ask it what it offers, and end it; fails as `AgentAsker.ask` does."""

    async def read(_wire: Wire, about: dict[str, Any]) -> AgentInspection:
        return AgentInspection(about)

    return await AgentAsker(spawner, launch).ask(profile, turn, folder, read)


@dataclass(frozen=True)
class AgentAsker:
    """Starts agents to ask them something that is no prompt."""

    spawner: Spawner
    launch: Launch

    async def ask(
        self,
        profile: AgentProfile,
        turn: TurnInput,
        folder: Path,
        question: Callable[[Wire, dict[str, Any]], Awaitable[T]],
        *,
        hear: Callable[[dict[str, Any]], None] | None = None,
    ) -> T:
        """Start an agent in a folder, in the sandbox of a turn, ask it something, and end it.

        `question` gets what the agent told of itself, `hear` the updates that it sends meanwhile.

        Raises:
            AgentError: It did not start or answer; the message has the end of its standard error.
        """
        gate = Gate()  # nobody is asked for hosts here
        try:
            command = self.launch.command(profile, turn.session_id, folder)
            command = replace(self.launch.confined(command, profile, turn, ()), gate=gate)
            child = await self.spawner.start(command)
        except OSError as error:
            raise not_started(profile, error) from error
        wire = Wire(child, Client(hear or _ignore, _refused, _at_once), Violations())
        wire.allow(MAX_BYTES)
        try:
            return await question(wire, await initialize(wire, profile, Patience().initialize))
        except (AgentError, ConnectionError) as error:
            refused = f"\nits sandbox refused: {', '.join(gate.refused)}" if gate.refused else ""
            raise AgentError(await _why(child, profile, error) + refused) from error
        finally:
            await wire.close()
            await child.stop(GRACE_SECONDS)


async def _why(child: Child, profile: AgentProfile, error: AgentError | ConnectionError) -> str:
    said = str(error)
    if isinstance(error, ConnectionError) and await child.is_over_within(GRACE_SECONDS):
        said = describe_exit(child.returncode or 0, is_mid_message=False)
    tail = child.stderr_tail().encode()[-NOTE_BYTES:].decode(errors="ignore").strip()
    more = f"\nits standard error ends with:\n{tail}" if tail else ""
    return f"agent {profile.name!r} failed: {clipped(said)}{more}"


def _ignore(_params: dict[str, Any]) -> None:
    """Let what it says pass: it was asked for nothing."""


async def _refused(_params: dict[str, Any]) -> dict[str, Any]:
    return {"outcome": {"outcome": "cancelled"}}


async def _at_once() -> None:
    await asyncio.sleep(0)
