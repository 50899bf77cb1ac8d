"""Commands that control a thread: one request each."""

from typing import Annotated

import typer

from cli.core.console import Json
from cli.core.numbers import MAX_NUMBER
from cli.core.sending import send_command
from cli.core.threads import Thread, ThreadName
from cli.core.works import work_or

app = typer.Typer()

Task = Annotated[
    str | None,
    typer.Argument(
        metavar="TASK",
        help="Task id. Default: the work of a plan without tasks.",
        show_default=False,
    ),
]


@app.command()
def pause(thread: Thread = None, as_json: Json = False) -> None:
    """Start no new tasks; running ones finish."""
    send_command(thread, "pause", body={}, as_json=as_json)


@app.command()
def resume(thread: Thread = None, as_json: Json = False) -> None:
    """Start tasks again."""
    send_command(thread, "resume", body={}, as_json=as_json)


@app.command()
def cancel(thread: Thread = None, as_json: Json = False) -> None:
    """Cancel the plan: abort running tasks, cancel pending ones.

    Tasks that wait at their gate end too. What was done is kept: see `treadle checkpoints`.
    """
    send_command(thread, "cancel", body={}, as_json=as_json)


@app.command(name="abort-all")
def abort_all(thread: Thread = None, as_json: Json = False) -> None:
    """Abort running tasks and pause the plan; what waits at its gate stays.

    Pending tasks stay pending. What the aborted ones did is kept: see `treadle checkpoints`.
    """
    send_command(thread, "abort-all", body={}, as_json=as_json)


@app.command()
def replan(
    thread: Thread = None,
    goal: Annotated[str | None, typer.Option(help="A new goal. Default: the current one.")] = None,
    as_json: Json = False,
) -> None:
    """Ask the planner for a new plan."""
    send_command(thread, "plans", body={"goal": goal}, as_json=as_json)


@app.command()
def abort(thread: ThreadName, task: Task = None, as_json: Json = False) -> None:
    """Abort a task; tasks that depend on it are blocked until it is retried."""
    send_command(thread, "tasks", work_or(task), "abort", body={}, as_json=as_json)


@app.command()
def retry(
    thread: ThreadName,
    task: Task = None,
    at: Annotated[
        int | None,
        typer.Option(
            "--at",
            min=1,
            max=MAX_NUMBER,
            help="Start from its files at this journal position.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Run a failed, cancelled or blocked task again in a new session.

    With --at it continues from its last checkpoint before that; see `treadle checkpoints`.
    """
    send_command(thread, "tasks", work_or(task), "retry", body={"position": at}, as_json=as_json)
