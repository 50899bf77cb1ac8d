"""Clients of `treadle mcp`, as editors have them: its process, and calls of its tools."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as types
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.e2e.engine import DEADLINE_SECONDS, PROGRAM, Engine

EDITOR = types.Implementation(name="an-editor", title="An editor", version="1.2")


def stdio(engine: Engine, folder: Path, mode: str = "auto") -> Client:
    """Return a client that starts `treadle mcp` in a folder."""
    server = StdioServerParameters(
        command=PROGRAM, args=["mcp"], env={**os.environ, **engine.environment}, cwd=folder
    )
    return Client(server, client_info=EDITOR, mode=mode)


@asynccontextmanager
async def http_server(engine: Engine, port: int) -> AsyncIterator[str]:
    """Run `treadle mcp --http`, and yield its URL once it answers."""
    process = await asyncio.create_subprocess_exec(
        PROGRAM,
        *("mcp", "--http", f"127.0.0.1:{port}"),
        env={**os.environ, **engine.environment},
        stderr=asyncio.subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}/mcp"
    try:
        async with httpx2.AsyncClient() as http, asyncio.timeout(DEADLINE_SECONDS):
            while not await _answers(http, url):
                assert process.returncode is None
                await asyncio.sleep(0.05)
        yield url
    finally:
        process.terminate()
        await process.wait()


async def _answers(http: httpx2.AsyncClient, url: str) -> bool:
    try:
        return (await http.get(url)).status_code == 401
    except httpx2.TransportError:
        return False


@asynccontextmanager
async def over_http(url: str, token: str, mode: str = "auto") -> AsyncIterator[Client]:
    """Connect to a server with its token."""
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(
            streamable_http_client(url, http_client=http), client_info=EDITOR, mode=mode
        ) as client,
    ):
        yield client


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    """Call a tool, and return what it gives; its errors fail the test."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def refusal(client: Client, tool: str, **arguments: Any) -> str:
    """Call a tool that refuses, and return its words."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result.structured_content
    content = result.content[0]
    assert isinstance(content, types.TextContent)
    return content.text


def approve(engine: Engine, *what: str) -> None:
    """Approve as a person does, at a terminal."""
    done = engine.run(PROGRAM, "approve", *what, "--acknowledge", "--json")
    assert done.returncode == 0, done.stderr
