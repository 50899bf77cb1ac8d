"""`treadle acp`: serves an editor on standard input and output."""

import asyncio
import logging
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Annotated

import typer

from address import read_address, read_server
from cli.acp.agent import serve
from cli.acp.choices import CHAT, PLAN, Choices
from cli.acp.editor import Editor
from cli.acp.engine import Engine
from cli.acp.following import Desk
from cli.acp.stdio import open_stdio
from cli.core.client import connect
from cli.core.console import load_settings
from cli.core.options import Agent, Model, OnHost, Template

app = typer.Typer()

AT_ONCE = 32
"""Requests to the engine that may wait for their answers at a time."""


@app.command()
def acp(
    is_approving: Annotated[
        bool,
        typer.Option("--approve", help="Let the person at the editor approve and answer there."),
    ] = False,
    agent: Agent = None,
    model: Model = None,
    template: Template = None,
    plan: Annotated[bool, typer.Option("--plan", help="Plan the first message as a goal.")] = False,
    host: OnHost = "",
) -> None:
    """Serve an editor over the Agent Client Protocol, on stdin and stdout.

    A conversation there is a thread. Editors start this command themselves.
    """
    first = Choices(
        mode=PLAN if plan else CHAT,
        agent=agent or "",
        model=model or "",
        template=template or "",
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    settings = read_address() or load_settings()
    server = read_server(settings.data_dir)
    page = server.url if server else settings.page_url
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(page, first, host, approves=is_approving))


async def _serve(page: str, first: Choices, host: str, *, approves: bool) -> None:
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(AT_ONCE))
    stdio = await open_stdio()
    desk = Desk(
        engine=Engine(connect()),
        editor=Editor(stdio),
        page=page,
        first=first,
        host=host,
        approves=approves,
    )
    code = 1
    try:
        with suppress(ConnectionError):
            await serve(desk, stdio)
        code = 0
    finally:  # a request that waits for an engine would hold the process up, also in asyncio
        os._exit(code)
