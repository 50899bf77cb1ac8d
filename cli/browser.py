"""`treadle open`: sign in a browser, to the page or to Temporal's Web UI."""

import webbrowser
from typing import Annotated, Any

import typer

from cli.core.client import Client, connect, path_of
from cli.core.console import Json, emit, output, plain, say
from cli.core.errors import CommandError
from cli.core.runs import WHOLE, run_called
from cli.core.threads import NoSuchThreadError, pick
from cli.core.works import one_called
from domain.core.closest import known_names

app = typer.Typer()

Browser = Annotated[
    bool,
    typer.Option("--browser", help="Open it as well; other users may see it in the process list."),
]
Thread = Annotated[
    str | None,
    typer.Argument(metavar="THREAD", help="With --temporal: a thread, a part of its id, or a run."),
]
Task = Annotated[str | None, typer.Argument(metavar="TASK", help="A task of the thread.")]
Temporal = Annotated[
    bool,
    typer.Option("--temporal", "-t", help="Open Temporal's Web UI, at a thread, task or flow run."),
]


@app.command(name="open")
def open_(
    thread: Thread = None,
    task: Task = None,
    temporal: Temporal = False,
    browser: Browser = False,
    as_json: Json = False,
) -> None:
    """Print a link that signs in one browser.

    It works once, within five minutes; the browser stays signed in for twelve hours.
    """
    if thread is not None and not temporal:
        raise typer.BadParameter("needs --temporal", param_hint="THREAD")
    client = connect()
    link = _temporal_link(client, thread, task) if temporal else _page_link(client)
    emit(link, lambda _: output.print(plain(link["url"]), soft_wrap=True), as_json=as_json)
    if browser and not webbrowser.open(link["url"]):
        say("Could not start a browser; open the link yourself.", style="yellow")


def _page_link(client: Client) -> dict[str, Any]:
    return client.post("/v1/browser-links", {"command_id": None})


def _temporal_link(client: Client, thread: str | None, task: str | None) -> dict[str, Any]:
    workflow = thread
    if thread is not None and not thread.startswith(("flow-", "queue", "schedule-")):
        workflow = _of_thread(client, thread, task)
    return client.post("/v1/temporal/links", {"command_id": None, "workflow_id": workflow})


def _of_thread(client: Client, wanted: str, task: str | None) -> str:
    """Return the workflow id of a thread or its task; without a task also of a flow run."""
    try:
        found = pick(client, wanted)
    except NoSuchThreadError:
        run = run_called(client, wanted)
        if task is not None or not WHOLE.fullmatch(run):
            raise
        return run
    return found if task is None else _workflow_of(client, found, task)


def _workflow_of(client: Client, thread_id: str, wanted: str) -> str:
    """Return the workflow id of a task or a session of a thread.

    Raises:
        CommandError: There is none, or the task has not started.
    """
    view = client.get(path_of("threads", thread_id))
    tasks = [*view["tasks"], *([view["work"]] if view.get("work") else [])]
    started = {task["task_id"] for task in tasks if task["run"]}
    sessions = [session["session_id"].rpartition("/")[2] for session in view["sessions"]]
    named = [*(task["task_id"] for task in tasks), *sessions]
    name = one_called(wanted, named, "tasks")
    if name is None:
        known = known_names(wanted, named)
        raise CommandError(f"no task or session {wanted!r} in {thread_id}; it has: {known}")
    if name not in {*started, *sessions}:
        raise CommandError(f"task {name!r} has not started: it has no workflow yet")
    return f"{thread_id}/{name}"
