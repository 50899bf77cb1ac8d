"""The MCP servers of a session, connected once and kept for all of its turns."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.toolsets import AbstractToolset

from treadle_agent.tolerant import as_dict, as_list

CONNECT_SECONDS = 30.0
READ_SECONDS = 600.0


class McpServers:
    """The servers that the client named; those that can't be reached are told to the model.

    One task of its own opens and closes them: their connections belong to the task that made them.
    """

    def __init__(self, servers: Sequence[Any]) -> None:
        self._servers = [as_dict(server) for server in servers]
        self._toolsets: list[AbstractToolset[object]] = []
        self._problems: list[str] = []
        self._is_ready, self._is_over = asyncio.Event(), asyncio.Event()
        self._holding = asyncio.create_task(self._hold(), name="MCP servers")

    async def toolsets(self) -> tuple[list[AbstractToolset[object]], str]:
        """Return the tools of the servers, and what to tell the model of those that are missing."""
        await self._is_ready.wait()
        return self._toolsets, "\n".join(self._problems)

    async def close(self) -> None:
        """End the connections."""
        self._is_over.set()
        await asyncio.wait({self._holding}, timeout=5)
        self._holding.cancel()

    async def _hold(self) -> None:
        async with AsyncExitStack() as stack:
            for server in self._servers:
                await self._connect(server, stack)
            self._is_ready.set()
            await self._is_over.wait()

    async def _connect(self, server: dict[str, Any], stack: AsyncExitStack) -> None:
        name = "".join(
            c if c.isalnum() or c == "-" else "_" for c in str(server.get("name") or "mcp")
        )
        try:
            toolset = _toolset(server, name)
            async with asyncio.timeout(CONNECT_SECONDS):
                await stack.enter_async_context(toolset)
                await toolset.list_tools()
        except Exception as error:  # noqa: BLE001  (whatever a server does, the session goes on without it)
            words = str(error) or type(error).__name__
            self._problems.append(f"The MCP server {name!r} could not be reached: {words[:500]}")
        else:
            self._toolsets.append(toolset.prefixed(f"mcp__{name}_"))


def _toolset(server: dict[str, Any], name: str) -> MCPToolset[object]:
    if server.get("type") == "http":
        headers = _pairs(server.get("headers"))
        transport = StreamableHttpTransport(str(server["url"]), headers=headers)
    else:
        arguments = [str(part) for part in as_list(server.get("args"))]
        environment = _pairs(server.get("env"))
        transport = StdioTransport(str(server["command"]), arguments, env=environment)
    return MCPToolset(transport, id=name, tool_error_behavior="failed", read_timeout=READ_SECONDS)


def _pairs(rows: Any) -> dict[str, str]:
    return {str(row["name"]): str(row["value"]) for row in map(as_dict, as_list(rows))}
