"""The MCP server that agents call: one for all sessions, a bearer token for each.

Streamable HTTP on loopback, in the worker's own event loop. A call becomes a command, goes through
the `CommandDoor`, and its answer is the tool's result; a refusal is an error result that starts with
the error's type. Calls are idempotent: the command's id is made of session, turn, tool and
arguments, so a repeated call is the same command. Others are carried out right here, in the session's
running turn; one that is repeated while its answer was not fetched gets that answer.
"""

import asyncio
import contextlib
import json
import logging
import socket
from collections.abc import Generator
from functools import partial
from hashlib import sha256
from typing import Any, Self

import uvicorn
from pydantic import ValidationError
from starlette.types import ASGIApp

from adapters.quiet_server import QuietServer
from adapters.tools.catalogue import tools_of
from adapters.tools.grants import Grant, call_key, check_call, refuse_call
from adapters.tools.host import Host
from adapters.tools.token_gate import TokenGate
from adapters.tools.tool import Call, HostTool, Tool, ToolAnswer
from domain.conversations.events import ToolCalled
from domain.core.command import AgentCommand
from domain.core.errors import (
    AgentError,
    InvalidError,
    TreadleError,
    UnavailableError,
    WrongStateError,
)
from domain.core.ids import CommandId, SessionId
from domain.core.ports import CommandDoor
from domain.plans.named_agents import find_doubts
from domain.tasks.agent_commands import Conclusion, ProposeAmendment, ProposePlan

log = logging.getLogger(__name__)

FIX = "install Treadle's requirements again, and start it anew; `treadle doctor` looks at them"
CALL_LIMIT_SECONDS = 45.0
"""Agents cut a call off at 60 s."""

KEEP_ALIVE_SECONDS = 3600
"""How long an idle connection stays open: longer than any agent idles.

Agents send no call again that is under way when its connection is closed, so a server must not be first.
"""

MAX_RECORDED = 32_000
"""Characters of an answer that are kept in the transcript."""


class ToolServer:
    """Serves the tools; start it once in a worker, give each session a grant.

    `host` is set before the first one: what tools reach that are carried out right here.
    """

    def __init__(
        self, door: CommandDoor, *, call_limit_seconds: float = CALL_LIMIT_SECONDS
    ) -> None:
        self._door = door
        self.host: Host | None = None
        self._call_limit = call_limit_seconds
        self._grants: dict[str, Grant] = {}
        self._socket: socket.socket | None = None
        self._server: QuietServer | None = None
        self._serving: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """Where agents reach it; valid once started."""
        if self._socket is None:
            raise RuntimeError("the tool server is not started")
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}/mcp"

    def url_for(self, grant: Grant) -> str:
        """Return where a session's agent reaches it; each list of tools has an address of its own.

        Some agents keep a server's list by its address, and would offer one role the tools of another.
        """
        listed = [(one.name, one.description, one.schema) for one in tools_of(grant).values()]
        return f"{self.url}?tools={sha256(json.dumps(listed).encode()).hexdigest()[:12]}"

    def admit(self, grant: Grant) -> Grant:
        """Let a session in; an earlier grant of the same session ends."""
        self.revoke(grant.session_id)
        self._grants[grant.token] = grant
        self._serve_soon()
        return grant

    def revoke(self, session_id: SessionId) -> None:
        """End a session's access; unknown ones are fine."""
        for token, grant in list(self._grants.items()):
            if grant.session_id == session_id:
                del self._grants[token]

    async def start(self) -> None:
        """Bind a free port on loopback; it is served from the first session or connection on.

        The library takes a second of CPU and 18 MB, which a worker without agents does without. Who
        connects before it is there waits in the port's queue.
        """
        self._socket = socket.create_server(("127.0.0.1", 0))
        asyncio.get_running_loop().add_reader(self._socket, self._serve_soon)

    def _serve_soon(self) -> None:
        if self._socket is None or self._socket.fileno() < 0 or self._serving is not None:
            return
        asyncio.get_running_loop().remove_reader(self._socket)
        self._serving = asyncio.create_task(self._serve(self._socket), name="tool server")
        self._serving.add_done_callback(_log_failure)

    def check(self) -> None:
        """Look whether it can serve, as far as that is known by now.

        Raises:
            AgentError: It can't: agents would find no tools, and wait for them in vain.
        """
        serving = self._serving
        if serving is not None and serving.done() and not serving.cancelled():
            raise AgentError(
                f"Treadle's tools can't be served to agents ({serving.exception()!r}): {FIX}"
            )

    async def _serve(self, bound: socket.socket) -> None:
        app = await asyncio.to_thread(_application, self._call)
        config = uvicorn.Config(
            TokenGate(app, self._grants),
            lifespan="on",
            log_level="warning",
            access_log=False,
            log_config=None,  # its own handlers would write what is not redacted
            limit_concurrency=256,
            timeout_graceful_shutdown=2,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
        )
        self._server = QuietServer(config)
        await self._server.serve(sockets=[bound])

    async def close(self) -> None:
        """Stop serving."""
        if self._server is not None and self._serving is not None:
            self._server.should_exit = True
            await asyncio.wait({self._serving})
        elif self._serving is not None:
            self._serving.cancel()
            await asyncio.wait({self._serving})
        if self._socket is not None:
            if self._serving is None:
                asyncio.get_running_loop().remove_reader(self._socket)
            self._socket.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def _call(self, grant: Grant, name: str, arguments: dict[str, Any]) -> ToolAnswer:
        try:
            check_call(grant, name, arguments)
        except TreadleError as error:
            return ToolAnswer(f"{error.type}: {error.message}", is_refused=True)
        turn_id = grant.turn_id
        try:
            answer = await self._answer(grant, name, arguments)
            is_refused = False
        except TreadleError as error:
            answer, is_refused = f"{error.type}: {error.message}", True
        grant.on_call(
            ToolCalled(
                turn_id=turn_id,
                tool=name,
                arguments=arguments,
                is_refused=is_refused,
                answer=answer[:MAX_RECORDED],
            )
        )
        return ToolAnswer(answer, is_refused)

    async def _answer(self, grant: Grant, name: str, arguments: dict[str, Any]) -> str:
        tool = _tool(grant, name)
        try:
            async with asyncio.timeout(self._call_limit), grant.slots:
                if tool.host is not None:
                    return await self._carried_out(tool.host, grant, name, arguments)
                return await self._decided(tool, grant, arguments)
        except TimeoutError:
            return (
                f"No answer within {self._call_limit:.0f} s; it is still under way. "
                f"Call {name} again with the same arguments to get the answer."
            )

    async def _decided(self, tool: Tool, grant: Grant, arguments: dict[str, Any]) -> str:
        """Have a workflow decide a call; what it has not taken may come again in the same words."""
        command = self._checked(_command(tool, grant, arguments), grant)
        answer = await self._door.send(grant.workflow_id, command)
        if not answer.is_refused:
            return answer.message
        refuse_call(grant, tool.name, arguments)
        raise WrongStateError(answer.message)

    def _checked(self, command: AgentCommand, grant: Grant) -> AgentCommand:
        """Look whether the agents of what is proposed are here: its workflow can't."""
        named, running = self.host and self.host.named, grant.running
        if named is None or running is None:
            return command
        match command:
            case ProposePlan(plan=raw) | ProposeAmendment(amendment=raw):
                why_not = partial(named.why_not, running.turn.workspace.repository)
                doubts = find_doubts(raw, why_not, running.turn.agent)
            case _:
                return command
        return command.model_copy(update={"doubts": doubts})

    async def _carried_out(
        self, tool: HostTool[Any], grant: Grant, name: str, arguments: dict[str, Any]
    ) -> str:
        """Carry a call out in the running turn; its work goes on where nobody waits any more."""
        running = grant.running
        if running is None or self.host is None:
            raise UnavailableError(f"{name} cannot be carried out here now")
        with _fitting(name):
            given = tool.takes.model_validate(arguments)
        key = call_key(grant, name, arguments)
        work = running.work.get(key) or running.carry_out(key, tool.act(self.host, grant, given))
        await asyncio.wait({work})  # where this is cancelled, the answer waits for the same call
        running.work.pop(key, None)
        if work.cancelled():
            raise WrongStateError("the turn has ended")
        return work.result()


def _log_failure(serving: asyncio.Task[None]) -> None:
    if not serving.cancelled() and (error := serving.exception()) is not None:
        log.error("tool server failed", extra={"error": repr(error), "fix": FIX})


def _application(call: Call) -> ASGIApp:
    """Return what serves MCP; its library takes a second to import, which nothing waits for here."""
    from adapters.tools.protocol import application

    return application(call)


def _tool(grant: Grant, name: str) -> Tool:
    tools = tools_of(grant)
    if name not in tools:
        known = ", ".join(tools) or "none"
        raise InvalidError(f"there is no tool {name[:80]!r} in this session; there are: {known}")
    return tools[name]


def _command(tool: Tool, grant: Grant, arguments: dict[str, Any]) -> AgentCommand:
    if tool.command is None:
        raise TypeError(f"{tool.name} becomes nothing")
    with _fitting(tool.name):
        command = tool.command(grant.session_id, arguments)
    key = CommandId("") if tool.is_repeatable else call_key(grant, tool.name, arguments)
    call = {"command_id": key, "by": grant.session_id, "turn_id": grant.turn_id}
    reads = {"reads_answers": True} if isinstance(command, Conclusion) else {}
    return command.model_copy(update={**call, **reads})


@contextlib.contextmanager
def _fitting(name: str) -> Generator[None]:
    """Refuse arguments that do not fit, with what is wrong."""
    try:
        yield
    except (ValidationError, TypeError) as error:
        raise InvalidError(f"the arguments of {name} do not fit: {_problems(error)}") from error


def _problems(error: ValidationError | TypeError) -> str:
    if isinstance(error, ValidationError):
        return "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
    return str(error)
