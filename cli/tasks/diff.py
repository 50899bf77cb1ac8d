"""`treadle diff`: raw for programs, colored for people."""

from typing import Annotated

import typer

from cli.core.client import Client, path_of
from cli.core.console import Json, coloured, emit, output, pass_on
from cli.core.numbers import MAX_NUMBER
from cli.core.threads import ThreadName
from cli.core.views import connect_and_read
from cli.core.works import task_called
from cli.tasks.conflict_lines import show_conflict
from domain.core.ids import WORK, session_stream
from domain.reading.views import ThreadView
from domain.tasks.status import TaskStatus

app = typer.Typer()

_UNMERGED = frozenset({TaskStatus.RUNNING, TaskStatus.NEEDS_DECISION, TaskStatus.FAILED})
_FROM, _TO = "rename from ", "rename to "


@app.command()
def diff(
    thread: ThreadName,
    task: Annotated[
        str | None,
        typer.Argument(metavar="TASK", help="Task id, or a part. Default: the whole thread."),
    ] = None,
    session: Annotated[
        int | None,
        typer.Option(min=1, max=MAX_NUMBER, help="Only the latest changes of this chat session."),
    ] = None,
    is_since_review: Annotated[
        bool, typer.Option("--since-review", help="Only changes since your last rejection.")
    ] = False,
    is_conflict: Annotated[
        bool, typer.Option("--conflict", help="The lines in which a task's merge conflicts.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show the changes of a thread, a task or a session as a patch.

    It covers everything up to the last turn. Of a plan without tasks it is the work's, until that is merged.
    """
    if is_conflict:
        show_conflict(thread, task, as_json=as_json)
        return
    if task is not None and session is not None:
        raise typer.BadParameter("name a task or a session, not both", param_hint="--session")
    client, view = connect_and_read(thread)
    thread_id = view.thread_id
    task = _task_of(view, task, session)
    if task is None and is_since_review:
        raise typer.BadParameter("needs a task", param_hint="--since-review")
    if task is None:
        where = {} if session is None else {"session": str(session)}
        patch = client.text(path_of("threads", thread_id, "changes", "diff"), **where)
    else:
        patch = patch_of(client, thread_id, task, is_since_review=is_since_review)
    answer = {"thread": thread_id, "task": task, "session": session, "diff": patch}
    emit(answer, lambda _: _print(patch), as_json=as_json)


def _task_of(view: ThreadView, task: str | None, session: int | None) -> str | None:
    """Return the task whose changes are meant, None for those of the thread or of a chat."""
    if task is not None:
        return task_called(task, (each.task_id for each in (*view.tasks, *view.candidates)))
    return WORK if _is_of_work(view, session) else None


def _is_of_work(view: ThreadView, session: int | None) -> bool:
    """Tell whether the changes are those of the work of a plan without tasks, which is not merged yet."""
    work = view.work
    if work is None or work.snapshot is None or work.merge_commit or work.status not in _UNMERGED:
        return False
    own = {each.session_id for each in work.sessions}
    return session is None or session_stream(view.thread_id, session) in own


def _print(patch: str) -> None:
    if output.is_terminal:
        output.print(coloured(patch))
    else:
        pass_on(patch)


def patch_of(
    client: Client, thread_id: str, task_id: str, *, is_since_review: bool = False, commit: str = ""
) -> str:
    """Return a task's diff since its base, or since its last rejection.

    Raises:
        RefusedError: The task is no longer at `commit`.
    """
    since = "review" if is_since_review else "base"
    path = path_of("threads", thread_id, "tasks", task_id, "diff")
    return client.text(path, since=since, **({"commit": commit} if commit else {}))


def renames_in(patch: str) -> dict[str, str]:
    """Return how files were called that a patch renames, by their new names."""
    found, old = dict[str, str](), ""
    for line in patch.split("\n"):  # lines of files begin with a sign or a space
        if line.startswith(_FROM):
            old = _unquoted(line.removeprefix(_FROM))
        elif line.startswith(_TO):
            found[_unquoted(line.removeprefix(_TO))] = old
    return found


def _unquoted(name: str) -> str:
    """Return a name that git may have quoted: in C's way, each byte that is no ASCII by its number."""
    if not name.startswith('"'):
        return name
    return name[1:-1].encode().decode("unicode_escape").encode("latin-1").decode(errors="replace")
