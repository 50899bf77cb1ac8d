"""Opens the agent's session in its process: agreed on, reopened or new, with tools and choices set."""

import asyncio
from typing import Any

from adapters.acp.handshake import (
    Opened,
    choose,
    client_side,
    initialize,
    open_session,
    version_of,
)
from adapters.acp.launch import Launch
from adapters.acp.limits import Patience, TurnLimits, clipped
from adapters.acp.reopening import mark_opened, seconds_to_wait
from adapters.acp.session import LiveSession
from adapters.acp.tool_wait import await_tools
from adapters.acp.transcript import Transcript
from adapters.tolerant import as_dict, at
from adapters.tools.bridge import TOKEN_VARIABLE
from adapters.tools.grants import Grant
from domain.agents.agents import AgentCall, PromptName, SessionRole, TurnInput
from domain.agents.errors import AgentWithoutToolsError
from domain.agents.profiles import AgentProfile
from domain.agents.sandbox import Level
from domain.conversations.events import AgentSessionOpened

BRIDGE = "tool-bridge"
MAX_COMMANDS = 100
MISSING = "the agent has not asked for Treadle's tools yet"
AGAIN = ", though it was started anew and each time its session was opened twice"


class Opening:
    """Opens the sessions of a runner's agents."""

    def __init__(self, launch: Launch, patience: Patience, limits: TurnLimits) -> None:
        self._launch = launch
        self._patience = patience
        self._limits = limits

    async def open(
        self,
        live: LiveSession,
        call: AgentCall,
        transcript: Transcript,
        tools_url: str,
        *,
        is_last: bool,
    ) -> bool:
        """Open the session that a turn names, or a new one, with our tools, and record it durably.

        Returns False, with nothing recorded, where it is not the last try and a fresh process may find
        the tools that this one did not ask for.

        Raises:
            AgentError: The agent opens none, or wants a login.
            ConnectionError: It is gone.
        """
        live.wire.allow(self._limits.max_turn_bytes)  # loading a session repeats all of it
        client = client_side(live.profile, call.turn)
        about = await initialize(live.wire, live.profile, self._patience.initialize, client)
        await self._grow_old(live, call, transcript)
        server = self._server(live.profile, about, live.grant, tools_url)
        opened, chosen = await self._opened(live, call, about, server)
        found = await await_tools(live, self._patience)
        if is_wanted(call.turn) and found.is_in_vain:
            opened, chosen = await self._opened(live, call, about, server)
            found = await await_tools(live, self._patience)
            if found.is_in_vain and not is_last:
                return False
        live.lacks_tools = is_wanted(call.turn) and not found.is_listed
        tried = AGAIN if is_last and found.is_in_vain else ""
        missing = (MISSING + tried,) if live.lacks_tools else ()
        for note in (*opened.notices, *chosen, *missing):
            transcript.note(note)
        transcript.put(_opened_event(live, call.turn, opened, about))
        await transcript.flush()
        return True

    async def _opened(
        self, live: LiveSession, call: AgentCall, about: dict[str, Any], server: dict[str, Any]
    ) -> tuple[Opened, list[str]]:
        """Open the agent's session and set its choices; returns it, and what could not be set."""
        params: dict[str, Any] = {"cwd": str(call.directory), "mcpServers": [server]}
        if live.profile.session_meta:
            params["_meta"] = live.profile.session_meta
        login = live.profile.login.method
        opened = await open_session(live.wire, about, params, call.agent_session, login)
        mark_opened(self._launch.home(live.profile.name, call.turn.session_id))
        live.agent_session, live.is_fresh = opened.agent_session, not opened.is_resumed
        live.offers = opened.offers
        live.takes = as_dict(at(about, "agentCapabilities.promptCapabilities"))
        asks = live.asking.rights(call.turn, live.sandbox).asks
        is_confined = live.sandbox.level is not Level.OFF
        chosen = await choose(
            live.wire, opened, live.profile, call.turn, asks=asks, is_confined=is_confined
        )
        return opened, chosen

    async def _grow_old(self, live: LiveSession, call: AgentCall, transcript: Transcript) -> None:
        """Wait until a session may be reopened, where its agent needs that."""
        least_age = live.profile.quirks.reopen_after_seconds
        home = self._launch.home(live.profile.name, call.turn.session_id)
        wait = seconds_to_wait(home, least_age) if call.agent_session is not None else 0
        if wait:
            transcript.note(f"the session is reopened in {wait:.0f} s: sooner it would be lost")
            await asyncio.sleep(wait)

    def _server(
        self, profile: AgentProfile, about: dict[str, Any], grant: Grant, url: str
    ) -> dict[str, Any]:
        """Return our tool server as the agent can reach it: over HTTP, else by the stdio bridge."""
        can = as_dict(at(about, "agentCapabilities.mcpCapabilities"))
        if profile.mcp == "http" or (profile.mcp == "auto" and can.get("http")):
            header = {"name": "Authorization", "value": f"Bearer {grant.token}"}
            return {"type": "http", "name": "treadle", "url": url, "headers": [header]}
        program, *arguments = self._launch.own_program(BRIDGE, url)
        environment = [{"name": TOKEN_VARIABLE, "value": grant.token}]
        return {"name": "treadle", "command": program, "args": arguments, "env": environment}


def is_wanted(turn: TurnInput) -> bool:
    """Tell whether a turn comes to nothing without our tools: a task's, but for a word of a person."""
    return turn.role is SessionRole.TASK and turn.prompt.name is not PromptName.MESSAGE


def check_tools(live: LiveSession, turn: TurnInput) -> None:
    """Look whether a task's agent that reported nothing could have; called after its turn.

    Not after its first one: that may have asked a question, or ended early. The next prompt tells it
    to call `report_done`.

    Raises:
        AgentWithoutToolsError: It has neither asked for our tools nor called one.
    """
    is_reminded = turn.prompt.name is PromptName.REPORT_MISSING
    if turn.role is not SessionRole.TASK or not is_reminded or live.grant.listed.is_set():
        return
    name = live.profile.name
    raise AgentWithoutToolsError(
        "it never asked for Treadle's tools, so it cannot report its work: give the task another "
        f"agent, or look with `treadle agents try {name}` what keeps {name} from its MCP servers"
    )


def _opened_event(
    live: LiveSession, turn: TurnInput, opened: Opened, about: dict[str, Any]
) -> AgentSessionOpened:
    return AgentSessionOpened(
        turn_id=turn.turn_id,
        agent_session=opened.agent_session,
        is_resumed=opened.is_resumed,
        version=version_of(about),
        options=opened.offers.listed(),
        commands=_commands(live),
    )


def _commands(live: LiveSession) -> tuple[str, ...]:
    """Return the names of the commands that an agent offers, a bounded number of them."""
    return tuple(clipped(name, 100) for name in live.tally.commands[:MAX_COMMANDS])
