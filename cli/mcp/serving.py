"""Serving the tools: on stdin and stdout, or over HTTP."""

import os
import sys
from pathlib import Path

import anyio
from mcp.server.stdio import stdio_server

from cli.core.console import say
from cli.core.errors import CommandError
from cli.mcp.credentials import Credential, proposing
from cli.mcp.http import PATH, application, place_of, serve
from cli.mcp.protocol import McpServer


def serve_stdio() -> None:
    """Serve the program that started this one, until it closes stdin."""
    server = McpServer(proposing(), _folder()).server

    async def run() -> None:
        async with stdio_server() as (received, sent):
            await server.run(received, sent, server.create_initialization_options())

    anyio.run(run)
    sys.stdout.flush()
    os._exit(0)  # a request that waits for an engine would hold the process up


def serve_http(address: str) -> None:
    """Serve at an address of this machine, until it is stopped."""
    host, port = place_of(address)
    credential = proposing()
    _say_how(credential, f"http://{f'[{host}]' if ':' in host else host}:{port}{PATH}")
    serve(application(McpServer(credential, "").server, credential.token, host, port), host, port)


def _say_how(credential: Credential, url: str) -> None:
    """Say how to connect: the token itself is in its file, and printed nowhere."""
    say(f"MCP at {url}. Ctrl-C stops it.")
    token = f"$(cat {credential.file})" if credential.file else "$TREADLE_TOKEN"
    say(f'Clients send the header "Authorization: Bearer {token}", for example:')
    say(f'  claude mcp add --transport http treadle {url} --header "Authorization: Bearer {token}"')
    say("With it they can propose, queue, read and comment, but not approve.", style="dim")


def _folder() -> str:
    """Return the folder that this was started in, which is the repository where none is named."""
    try:
        return str(Path.cwd())
    except OSError as error:
        raise CommandError(f"the working folder is gone: {error.strerror}") from error
