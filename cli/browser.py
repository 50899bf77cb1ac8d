"""`treadle open`: sign in a browser, to the page or to Temporal's Web UI; or open a worktree in an editor."""

import webbrowser
from typing import Annotated, Any, NamedTuple

import typer

from cli.core.client import Client, connect, path_of
from cli.core.console import Json, emit, output, plain, print_json, say
from cli.core.editors import WARNING, open_here, print_place, way_elsewhere
from cli.core.errors import CommandError
from cli.core.runs import WHOLE, run_called
from cli.core.threads import NoSuchThreadError, connect_to, pick
from cli.core.views import read_thread
from cli.core.works import one_called
from domain.core.closest import known_names
from domain.core.editors import Editor, Spot, is_ssh_target, spot_of
from domain.core.ids import WORK

app = typer.Typer()

Browser = Annotated[
    bool,
    typer.Option("--browser", help="Open it as well; other users may see it in the process list."),
]
Thread = Annotated[
    str | None,
    typer.Argument(
        metavar="THREAD", help="With --in or --temporal: a thread, a part of its id, or a run."
    ),
]
Task = Annotated[
    str | None, typer.Argument(metavar="TASK", help="A task or session of the thread.")
]
Place = Annotated[
    str | None,
    typer.Argument(
        metavar="FILE[:LINE[:COLUMN]]", help="With --in or --print: a file of the worktree."
    ),
]
In = Annotated[
    Editor | None,
    typer.Option("--in", help="Open the worktree of a task or session in this editor."),
]
Print = Annotated[
    bool, typer.Option("--print", help="Print the path, as a link where the terminal has those.")
]
Ssh = Annotated[
    str,
    typer.Option(
        metavar="HOST", help="How you reach the worktree's host: an SSH alias, or user@host."
    ),
]
Temporal = Annotated[
    bool,
    typer.Option("--temporal", "-t", help="Open Temporal's Web UI, at a thread, task or flow run."),
]


@app.command(name="open")
def open_(
    thread: Thread = None,
    task: Task = None,
    place: Place = None,
    temporal: Temporal = False,
    browser: Browser = False,
    editor: In = None,
    is_printed: Print = False,
    ssh: Ssh = "",
    as_json: Json = False,
) -> None:
    """Print a link that signs in one browser, or open a worktree in an editor.

    The link works once, within five minutes; the browser stays signed in for twelve hours.
    With --in, without TASK: the worktree of the work, or of the newest session.
    """
    if editor is not None or is_printed:
        _open_worktree(_Wish(thread, task, place, editor, is_printed, ssh), as_json=as_json)
        return
    if thread is not None and not temporal:
        raise typer.BadParameter("needs --in, --print or --temporal", param_hint="THREAD")
    client = connect()
    link = _temporal_link(client, thread, task) if temporal else _page_link(client)
    emit(link, lambda _: output.print(plain(link["url"]), soft_wrap=True), as_json=as_json)
    if browser and not webbrowser.open(link["url"]):
        say("Could not start a browser; open the link yourself.", style="yellow")


class _Wish(NamedTuple):
    """What is to be opened in an editor."""

    thread: str | None
    task: str | None
    place: str | None
    editor: Editor | None
    is_printed: bool
    ssh: str


def _open_worktree(wish: _Wish, *, as_json: bool) -> None:
    if wish.ssh and not is_ssh_target(wish.ssh):
        raise typer.BadParameter("not an SSH host", param_hint="--ssh")
    client, thread_id = connect_to(wish.thread)
    path = path_of("threads", thread_id, *_owner(client, thread_id, wish.task), "worktree")
    folder = client.get(path)
    wanted = spot_of(wish.place) if wish.place else None
    found = client.get(path, file=wanted.path) if wanted else folder
    spot = wanted._replace(path=found["path"]) if wanted else Spot(found["path"])
    if as_json:
        print_json(found)
    elif wish.is_printed or wish.editor is None:
        print_place(wish.editor, spot, wish.ssh)
    elif client.is_local and found["is_here"] and not wish.ssh:
        open_here(wish.editor, folder["path"], spot)
    else:
        way = way_elsewhere(wish.editor, folder["path"], spot, found["host"], wish.ssh)
        output.print(plain(way), soft_wrap=True)
        say(WARNING, style="yellow")


def _owner(client: Client, thread_id: str, wanted: str | None) -> tuple[str, str]:
    """Return whose worktree is meant, as its route begins: the work, or the newest session, where none is named."""
    view = read_thread(client, thread_id)
    sessions = [session.session_id.rpartition("/")[2] for session in view.sessions]
    tasks = [task.task_id for task in view.tasks]
    if wanted is None and view.work is not None:
        return ("tasks", WORK)
    if wanted is None and not sessions:
        raise CommandError("this thread has no session: name a task")
    name = sessions[-1] if wanted is None else one_called(wanted, [*tasks, *sessions], "tasks")
    if name in sessions:
        return ("sessions", name.rpartition("-")[2])
    return ("tasks", name or str(wanted))


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
