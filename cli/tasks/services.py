"""`treadle services`: the services of a task's workspace, started and stopped by people."""

from typing import Annotated, Any

import typer
from rich.table import Table

from cli.core.client import Client, path_of
from cli.core.console import Json, emit, messages, plain
from cli.core.errors import CommandError
from cli.core.options import Follow
from cli.core.threads import ThreadName, connect_to
from cli.core.works import task_in
from cli.tasks.terminals import show_output

app = typer.Typer(
    name="services",
    help="Services of a task's workspace: see how they stand, start, stop and read them.",
    no_args_is_help=True,
)

Task = Annotated[str, typer.Argument(metavar="TASK", help="A task id.", show_default=False)]
Name = Annotated[
    list[str] | None,
    typer.Option("--service", help="Only this service; repeat it for several.", show_default=False),
]
Logged = Annotated[str, typer.Argument(metavar="SERVICE", help="A service.", show_default=False)]
User = Annotated[
    str | None,
    typer.Option("--for", help="Whose: person, agent or verification; else the newest."),
]

_STYLES = {"healthy": "green", "starting": "yellow", "failed": "red"}


@app.command(name="list")
def list_services(thread: ThreadName, task: Task, as_json: Json = False) -> None:
    """List the services of a task's workspace, and where they answer."""
    client, path = _place(thread, task)
    emit(client.get(path), _draw, as_json=as_json)


@app.command()
def start(thread: ThreadName, task: Task, service: Name = None, as_json: Json = False) -> None:
    """Start services for yourself, and what they depend on."""
    client, path = _place(thread, task)
    emit(client.post(f"{path}/start", {"names": service or []}), _draw, as_json=as_json)


@app.command()
def stop(thread: ThreadName, task: Task, service: Name = None, as_json: Json = False) -> None:
    """Stop services that you started."""
    client, path = _place(thread, task)
    emit(client.post(f"{path}/stop", {"names": service or []}), _draw, as_json=as_json)


@app.command()
def logs(
    thread: ThreadName,
    task: Task,
    service: Logged,
    user: User = None,
    follow: Follow = False,
    as_json: Json = False,
) -> None:
    """Show what a service printed since its newest start."""
    client, path = _place(thread, task)
    found = client.get(path)["services"]
    runs = [run for each in found if each["name"] == service for run in each["runs"]]
    runs = [run for run in runs if user in {None, run["user"]}]
    if not runs:
        known = ", ".join(each["name"] for each in found) or "none"
        raise CommandError(f"{service!r} was not started yet; services: {known}")
    newest = max(run["number"] for run in runs)
    show_output(client, f"{path}/{newest}", follow=follow, as_json=as_json)


def _place(thread: str, task: str) -> tuple[Client, str]:
    client, thread_id = connect_to(thread)
    return client, path_of(
        "threads", thread_id, "tasks", task_in(client, thread_id, task), "services"
    )


def _draw(found: dict[str, Any]) -> Table:
    if not found["services"]:
        messages.print("The workspace's recipe has no services.", style="dim")
    table = Table(box=None, pad_edge=False, show_header=False)
    for service in found["services"]:
        name = plain(service["name"], "bold")
        if not service["runs"]:
            table.add_row(
                name, plain("not started", "dim"), plain(""), plain(service["command"], "dim")
            )
        for run in service["runs"]:
            state = plain(f"{_word(run)} for {run['user']}", _STYLES.get(run["state"], "dim"))
            table.add_row(
                name, state, plain(run["url"]), plain(run["note"] or service["command"], "dim")
            )
            name = plain("")
    return table


def _word(run: dict[str, Any]) -> str:
    """Return a state; nobody has asked one without a port how it is."""
    is_asked = run["state"] != "healthy" or run["port"] is not None
    return run["state"] if is_asked else "running"
