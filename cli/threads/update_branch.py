"""`treadle update-branch`."""

import time
from typing import Annotated

import typer

from cli.core.client import path_of
from cli.core.console import Json, emit, output
from cli.core.threads import Thread, connect_to
from cli.core.views import read_thread
from cli.threads.merge_drawing import base_lines
from domain.threads.bases.commands import BaseMethod
from domain.threads.bases.state import BaseState

app = typer.Typer()

_PATIENCE_SECONDS = 330.0
_POLL_SECONDS = 0.3


@app.command("update-branch")
def update_branch(
    thread: Thread = None,
    method: Annotated[
        BaseMethod, typer.Option(help="Merge or rebase this once, whatever the policy says.")
    ] = BaseMethod.POLICY,
    as_json: Json = False,
) -> None:
    """Fetch the base of a thread's branch, and merge or rebase what is new."""
    client, name = connect_to(thread)
    before = read_thread(client, name).base.number
    client.post(path_of("threads", name, "base"), {"method": method})
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        found = read_thread(client, name).base
        if (found.number > before and not found.asked) or time.monotonic() > deadline:
            break
        time.sleep(_POLL_SECONDS)
    emit(found, _print, as_json=as_json)
    if found.asked or found.failure or found.conflicts:
        raise typer.Exit(1)


def _print(found: BaseState) -> None:
    for line in base_lines(found):
        output.print(line, soft_wrap=True)
