"""Treadle as an agent of the protocol: what an editor asks for, by method."""

import asyncio
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from importlib.metadata import version
from pathlib import Path
from typing import Any

from acp import schema
from acp.agent.router import build_agent_router
from acp.connection import Connection
from acp.exceptions import RequestError
from acp.meta import PROTOCOL_VERSION
from pydantic import ValidationError

from cli.acp import choices
from cli.acp.choices import Offered
from cli.acp.conversation import Conversation
from cli.acp.following import Desk
from cli.acp.names import fresh_session, is_fresh, is_of_thread
from cli.acp.opening import LISTED, opened_by
from cli.acp.prompts import Block
from cli.core.errors import CommandError, RefusedError, UnreachableError
from domain.core.acting import program_name
from domain.core.errors import TreadleError
from domain.core.ids import ThreadId

INTERNAL, INVALID, NOT_FOUND = -32603, -32602, -32002
_PASSING = "$/"
"""What the names of notifications begin with that may be ignored."""

Server = schema.HttpMcpServer | schema.SseMcpServer | schema.AcpMcpServer | schema.McpServerStdio


class TreadleAgent:
    """Answers one editor. Its sessions are threads, which go on without it."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._sessions: dict[str, Conversation] = {}
        self._in_order: dict[str, asyncio.Lock] = {}
        """A session is loaded once at a time."""

    async def initialize(
        self, protocol_version: int, client_info: schema.Implementation | None = None, **_: Any
    ) -> schema.InitializeResponse:
        """Say what Treadle can."""
        del protocol_version  # this is the only one; the editor leaves if it does not speak it
        if client_info is not None:
            self._desk.editor.name = program_name(client_info.title or client_info.name)
        return schema.InitializeResponse(
            protocol_version=PROTOCOL_VERSION,
            agent_info=schema.Implementation(
                name="treadle", title="Treadle", version=version("treadle")
            ),
            agent_capabilities=schema.AgentCapabilities(
                load_session=True,
                prompt_capabilities=schema.PromptCapabilities(image=True, embedded_context=True),
                session_capabilities=schema.SessionCapabilities(
                    list=schema.SessionListCapabilities(),
                    resume=schema.SessionResumeCapabilities(),
                    close=schema.SessionCloseCapabilities(),
                ),
            ),
            auth_methods=[],
        )

    async def new_session(
        self, cwd: str, mcp_servers: list[Server] | None = None, **_: Any
    ) -> schema.NewSessionResponse:
        """Open a session; its thread opens with the first message."""
        session_id = fresh_session()
        talk = await self._converse(session_id, cwd, mcp_servers)
        return schema.NewSessionResponse(
            session_id=session_id, modes=choices.modes(talk.choices), config_options=talk.options()
        )

    async def load_session(
        self, cwd: str, session_id: str, mcp_servers: list[Server] | None = None, **_: Any
    ) -> schema.LoadSessionResponse:
        """Open a session again, and tell its transcript."""
        talk = await self._again(cwd, session_id, mcp_servers, is_told=True)
        return schema.LoadSessionResponse(
            modes=choices.modes(talk.choices), config_options=talk.options()
        )

    async def resume_session(
        self, session_id: str, cwd: str, mcp_servers: list[Server] | None = None, **_: Any
    ) -> schema.ResumeSessionResponse:
        """Open a session again, whose transcript the editor has."""
        talk = await self._again(cwd, session_id, mcp_servers, is_told=False)
        return schema.ResumeSessionResponse(
            modes=choices.modes(talk.choices), config_options=talk.options()
        )

    async def list_sessions(
        self, cwd: str | None = None, cursor: str | None = None, **_: Any
    ) -> schema.ListSessionsResponse:
        """List the threads of a repository, or all, most recently changed first."""
        filters: dict[str, str | int] = {"limit": LISTED}
        if cursor is not None:
            filters["after"] = cursor
        if cwd is not None:
            filters["project"] = cwd
        rows, following = await self._desk.engine.threads(**filters)
        listed = [
            schema.SessionInfo(
                session_id=row["stream"],
                cwd=row["project"],
                title=row["title"],
                updated_at=row.get("changed_at"),
            )
            for row in rows
            if row["project"].startswith("/")
        ]
        return schema.ListSessionsResponse(
            sessions=listed, next_cursor=None if following is None else str(following)
        )

    async def prompt(self, session_id: str, prompt: list[Block], **_: Any) -> schema.PromptResponse:
        """Say something in a session."""
        reason = await self._talk(session_id).prompt(prompt)
        return schema.PromptResponse(stop_reason=reason)  # pyright: ignore[reportArgumentType]  (one of ACP's)

    async def cancel(self, session_id: str, **_: Any) -> None:
        """End the turn of a session."""
        await self._talk(session_id).cancel()

    async def set_session_mode(
        self, session_id: str, mode_id: str, **_: Any
    ) -> schema.SetSessionModeResponse:
        """Choose whether the next message is planned."""
        await self._talk(session_id).set(choices.MODE, mode_id)
        return schema.SetSessionModeResponse()

    async def set_config_option(
        self, config_id: str, session_id: str, value: str | bool, **_: Any
    ) -> schema.SetSessionConfigOptionResponse:
        """Choose an option; returns all as they stand."""
        talk = self._talk(session_id)
        await talk.set(config_id, str(value))
        return schema.SetSessionConfigOptionResponse(config_options=talk.options())

    async def close_session(self, session_id: str, **_: Any) -> schema.CloseSessionResponse:
        """Leave a session; its thread goes on."""
        talk = self._sessions.pop(session_id, None)
        if talk is not None:
            await talk.close()
        return schema.CloseSessionResponse()

    async def close(self) -> None:
        """Leave all sessions."""
        for session_id in list(self._sessions):
            await self.close_session(session_id)

    def _talk(self, session_id: str) -> Conversation:
        talk = self._sessions.get(session_id)
        if talk is None:
            raise RequestError(NOT_FOUND, f"session {session_id!r} is not open here: load it")
        return talk

    async def _again(
        self, cwd: str, session_id: str, servers: list[Server] | None, *, is_told: bool
    ) -> Conversation:
        async with self._in_order.setdefault(session_id, asyncio.Lock()):
            thread_id = await self._thread_of(session_id, cwd)
            await self.close_session(session_id)
            talk = await self._converse(session_id, cwd, servers)
            try:
                if thread_id:
                    await talk.open(thread_id, is_told=is_told)
            except CommandError:  # what is said here must not open another thread
                await self.close_session(session_id)
                raise
            return talk

    async def _thread_of(self, session_id: str, cwd: str) -> ThreadId:
        """Return the thread of a session; none for one in which nothing was said.

        Raises:
            RequestError: It is none of Treadle's.
        """
        if is_of_thread(session_id):
            return ThreadId(session_id)
        if not is_fresh(session_id):
            raise RequestError(NOT_FOUND, f"session {session_id!r} is not one of Treadle's")
        return await opened_by(self._desk.engine, session_id, cwd)

    async def _converse(
        self, session_id: str, cwd: str, servers: list[Server] | None
    ) -> Conversation:
        folder = _folder(cwd)
        engine = self._desk.engine
        offered = Offered.of(
            await engine.get("/v1/agents", repository=cwd),
            await engine.get("/v1/templates", repository=cwd),
        )
        talk = Conversation(self._desk, session_id, folder, offered)
        if servers:
            talk.notices.append(
                f"Treadle's agents do not use the editor's MCP servers ({', '.join(s.name for s in servers)}): "
                "they have Treadle's tools and those in their own configuration."
            )
        self._sessions[session_id] = talk
        asyncio.get_running_loop().call_later(0, _in_background, talk.greet())
        return talk


def _folder(cwd: str) -> Path:
    folder = Path(cwd)
    if not folder.is_absolute() or not folder.is_dir():
        raise RequestError(INVALID, f"{cwd!r} is not the absolute path of a folder")
    return folder


_BACKGROUND: set[asyncio.Task[None]] = set()


def _in_background(work: Any) -> None:
    """Do something after the answer that is being made."""
    task = asyncio.ensure_future(work)
    _BACKGROUND.add(task)
    task.add_done_callback(_BACKGROUND.discard)


def _code_of(error: CommandError) -> int:
    """Return the code of an error: whether what was asked for is at fault, or the engine."""
    is_engines = isinstance(error, UnreachableError) or (
        isinstance(error, RefusedError) and error.status >= HTTPStatus.INTERNAL_SERVER_ERROR
    )
    return INTERNAL if is_engines else INVALID


def handler_of(agent: TreadleAgent) -> Callable[[str, Any, bool], Awaitable[Any]]:
    """Return what serves a connection: errors say what to do."""
    route = build_agent_router(agent, use_unstable_protocol=True)  # pyright: ignore[reportArgumentType]  (it has no fork)

    async def handle(method: str, parameters: Any, is_notification: bool) -> Any:
        if is_notification and method.startswith(_PASSING):
            return None
        try:
            return await route(method, parameters, is_notification)
        except CommandError as error:
            raise RequestError(_code_of(error), str(error)) from error
        except TreadleError as error:
            raise RequestError(INVALID, error.message) from error
        except ValidationError as error:
            problems = [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]
            raise RequestError(INVALID, f"invalid parameters: {'; '.join(problems[:5])}") from error

    return handle


async def serve(desk: Desk, stdio: Any) -> None:
    """Serve an editor until it closes the connection."""
    agent = TreadleAgent(desk)
    connection = Connection(handler_of(agent), stdio, listening=False)
    desk.editor.connect(connection)
    try:
        await connection.main_loop()
    finally:
        await agent.close()
