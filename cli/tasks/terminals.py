"""`treadle terminals` and `treadle ports`."""

import re
from contextlib import suppress
from typing import Annotated, Any

import typer
from rich.table import Table

from cli.core.client import Client, path_of
from cli.core.console import Json, emit, messages, output, plain, say, whole
from cli.core.options import Follow
from cli.core.streams import followed
from cli.core.threads import Thread, connect_to
from cli.core.works import task_in
from domain.agents.terminal_events import TerminalEnded, TerminalWrote
from domain.agents.terminals import Terminal, as_read
from domain.reading.event_kinds import read_event
from domain.tasks.terminals import describe_exit_of

app = typer.Typer()

Owner = Annotated[
    str | None,
    typer.Argument(
        metavar="TASK", help="A task id, or a chat like `session-1`.", show_default=False
    ),
]
Which = Annotated[
    str | None,
    typer.Argument(metavar="N", help="Terminal number: `1` or `terminal-1`.", show_default=False),
]


@app.command()
def terminals(
    thread: Thread = None,
    task: Owner = None,
    number: Which = None,
    follow: Follow = False,
    as_json: Json = False,
) -> None:
    """List terminals of a thread or task, or show the output of one."""
    client, thread_id = connect_to(thread)
    if task is None:
        _list(client, path_of("threads", thread_id, "terminals"), as_json=as_json)
    elif number is None:
        _list(client, path_of(*_owner(client, thread_id, task), "terminals"), as_json=as_json)
    else:
        path = path_of(
            *_owner(client, thread_id, task), "terminals", number.removeprefix("terminal-")
        )
        show_output(client, path, follow=follow, as_json=as_json)


@app.command()
def ports(thread: Thread = None, as_json: Json = False) -> None:
    """List the ports of a thread's tasks."""
    client, thread_id = connect_to(thread)
    found = client.get(path_of("threads", thread_id, "ports"))
    emit(found, _draw_ports, as_json=as_json)


def _draw_ports(found: dict[str, Any]) -> Table:
    if not found["ports"]:
        messages.print("No ports.", style="dim")
    table = Table(box=None, pad_edge=False, show_header=False)
    for port in found["ports"]:
        style = "" if port["status"] == "active" else "dim"
        row = (port["task_id"], port["id"], f":{port['port']}", port["status"], port["description"])
        table.add_row(*(plain(text, style) for text in row))
    return table


def _owner(client: Client, thread_id: str, task: str) -> tuple[str, ...]:
    if re.fullmatch(r"session-[0-9]+", task):
        return ("threads", thread_id, "sessions", task.removeprefix("session-"))
    return ("threads", thread_id, "tasks", task_in(client, thread_id, task))


def _list(client: Client, path: str, *, as_json: bool) -> None:
    emit(client.get(path), _draw_terminals, as_json=as_json)


def _draw_terminals(found: dict[str, Any]) -> Table:
    if not found["terminals"]:
        messages.print("No terminals.", style="dim")
    table = Table(box=None, pad_edge=False, show_header=False)
    for row in found["terminals"]:
        terminal = Terminal.model_validate(row)
        owner = row["stream"].rsplit("/", 2)[1]
        style = "green" if terminal.is_running else "dim"
        table.add_row(
            plain(f"{owner} {terminal.id.removeprefix('terminal-')}"),
            plain(terminal.label, "bold" if terminal.is_running else ""),
            plain(_state(terminal), style),
            plain(terminal.port or ""),
            plain(terminal.command, "dim"),
        )
    return table


def show_output(client: Client, path: str, *, follow: bool, as_json: bool) -> None:
    """Show what a process has printed, or follow it until it ends; fails as `Client.get` does."""
    if follow:
        _follow(client, f"{path}/stream")
        return
    emit(client.get(f"{path}/output"), _print_output, as_json=as_json)


def _print_output(found: dict[str, Any]) -> None:
    terminal = Terminal.model_validate(found["terminal"])
    if found["skipped"]:
        say(f"{found['skipped']} earlier bytes omitted", style="dim")
    _print(found["text"])
    messages.print(plain(f"{terminal.id} ({terminal.label}): {_state(terminal)}", "dim"))


def _follow(client: Client, path: str) -> None:
    """Print the output of a terminal until it ends, across lost connections."""
    with suppress(KeyboardInterrupt):
        for row in followed(client, path):
            body = read_event(row).event.body
            if isinstance(body, TerminalWrote):
                _print(body.text)
            elif isinstance(body, TerminalEnded):
                messages.print(plain(_state(body.terminal), "dim"))
                return


def _print(text: str) -> None:
    """Print a program's output without control sequences and colors."""
    lines = as_read(text)
    is_whole = lines.endswith("\n")
    output.print(whole(lines[:-1] if is_whole else lines), end="\n" * is_whole, soft_wrap=True)


def _state(terminal: Terminal) -> str:
    return "running" if terminal.is_running else describe_exit_of(terminal)
