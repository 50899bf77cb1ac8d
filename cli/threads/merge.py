"""`treadle merge` and `treadle merge-session`."""

from typing import Annotated, Any

import typer
from rich.console import Group

from cli.core.client import Client, path_of
from cli.core.confirmation import is_watched
from cli.core.console import (
    Json,
    confirmed,
    emit,
    output,
    plain,
    quoted,
    say,
)
from cli.core.errors import CommandError
from cli.core.options import Session
from cli.core.threads import Thread, connect_to
from cli.core.views import connect_and_read, read_thread
from cli.threads.branch import SHORT, check_at, look, show, wait_for_end
from cli.threads.merge_drawing import conflict_lines
from domain.agents.agents import SessionRole
from domain.core.changes import BranchChanges
from domain.core.task_names import task_name
from domain.reading.views import ThreadView
from domain.threads.landing.calls import Landing
from domain.threads.lifecycle.state import ChatMerge

app = typer.Typer()

MAX_LISTED = 5

Commit = Annotated[
    str | None,
    typer.Option(help="Merge only if the thread's branch is at this commit (a prefix is enough)."),
]
Onto = Annotated[
    str | None,
    typer.Option(
        help="Merge only if the target branch is at this commit; in other repositories as COMMIT,NAME=COMMIT."
    ),
]


@app.command()
def merge(
    thread: Thread = None, commit: Commit = None, onto: Onto = None, as_json: Json = False
) -> None:
    """Merge a thread's branch into the branch it started from."""
    client, name = connect_to(thread)
    found = look(client, name)
    _check(found, commit, onto)
    _note_unfinished(read_thread(client, name))
    if commit is None or onto is None:
        _confirm(client, name, found)
    before = read_thread(client, name).landing.number
    body: dict[str, Any] = {"commit": found.commit, "target_commit": found.target_commit}
    if found.beside:
        body |= {"beside": {one.name: one.target_commit for one in found.beside}}
    client.post(path_of("threads", name, "merge"), body)
    landing = wait_for_end(client, name, before, lambda view: view.landing)
    emit(landing, lambda landing: _print(found, landing), as_json=as_json)
    if landing.failure or landing.is_under_way:
        raise typer.Exit(1)


def _check(found: BranchChanges, commit: str | None, onto: str | None) -> None:
    """Refuse to merge without a target branch, or at other commits."""
    if not found.target_commit:
        raise CommandError(
            f"there is no branch {found.target!r} to merge into: run `git merge {found.branch}` where "
            "you want it"
        )
    check_at(found.branch, found.commit, commit)
    expected = _expected(found, onto)
    check_at(found.target, found.target_commit, expected.get(""))
    for one in found.beside:
        check_at(f"{one.target} of {one.name}", one.target_commit, expected.get(one.name))


def _expected(found: BranchChanges, onto: str | None) -> dict[str, str]:
    """Return the given commits of target branches by the names of their repositories; "" is the thread's own.

    Raises:
        CommandError: One of the thread's repositories has none.
    """
    if onto is None:
        return {}
    pairs = (part.rpartition("=") for part in onto.split(","))
    given = {name: commit for name, _, commit in pairs}
    if given.keys() != {"", *(one.name for one in found.beside)}:
        raise CommandError(f"--onto gives a commit for each repository: {_onto(found)}")
    return given


def _onto(found: BranchChanges) -> str:
    """Return what `--onto` takes for what is shown."""
    others = (f"{one.name}={one.target_commit[:SHORT]}" for one in found.beside)
    return ",".join((found.target_commit[:SHORT], *others))


def _beside(found: BranchChanges) -> str:
    """Return what is merged into in other repositories, to go on a sentence with."""
    return "".join(f", and into {one.target} of {one.name}" for one in found.beside)


def _note_unfinished(view: ThreadView) -> None:
    """Say which tasks' work is not in the branch."""
    tasks = [f"{task_name(task.task_id, '')} {task.status}" for task in view.running.outstanding]
    if tasks:
        listed = ", ".join(tasks[:MAX_LISTED])
        more = f" and {len(tasks) - MAX_LISTED} more" if len(tasks) > MAX_LISTED else ""
        say(
            f"The plan is unfinished; not all of its work is in the branch: {listed}{more}",
            "yellow",
        )


def _confirm(client: Client, thread: str, found: BranchChanges) -> None:
    """Show what would be merged, and ask; without a terminal the commits must be given."""
    if not is_watched():
        raise CommandError(
            f"confirm the commits that you reviewed: treadle merge {thread} --commit {found.commit[:SHORT]} --onto "
            f"{_onto(found)} merges {found.branch} into {found.target}{_beside(found)}"
        )
    show(client, found)
    where = f"{found.target} ({found.target_commit[:SHORT]})"
    others = "".join(
        f", {one.name}: {one.target} ({one.target_commit[:SHORT]})" for one in found.beside
    )
    what = f"Merge {found.branch} ({found.commit[:SHORT]}) into {where}{others}?"
    confirmed(what, aborts=True)


def _print(found: BranchChanges, landing: Landing) -> None:
    if landing.failure:
        output.print(quoted(f"not merged: {landing.failure}", "red"), soft_wrap=True)
    elif landing.is_under_way:
        output.print(plain("Still merging; check with `treadle show`."))
    else:
        merged = f"{landing.target}: {landing.merge_commit[:SHORT]}"
        line = f"Merged {found.branch} into {merged}{_beside(found)}"
        output.print(plain(line, "green"), soft_wrap=True)


@app.command(name="merge-session")
def merge_session(thread: Thread = None, session: Session = None, as_json: Json = False) -> None:
    """Merge the latest changes of a chat session into the thread's branch.

    With a conflict nothing is merged, and the commands that resolve it are printed.
    """
    client, view = connect_and_read(thread)
    number = str(session) if session else _newest_chat(view)
    path = path_of("threads", view.thread_id, "sessions", number, "merge")
    wanted = int(client.post(path, {})["data"]["number"])
    session_id = f"{view.thread_id}/session-{number}"
    ended = wait_for_end(client, view.thread_id, wanted - 1, lambda view: _of(view, session_id))
    after = read_thread(client, view.thread_id)
    emit(ended, lambda ended: _print_session(after, session_id, ended), as_json=as_json)
    if ended.is_under_way or ended.is_refused:
        raise typer.Exit(1)


def _of(view: ThreadView, session_id: str) -> ChatMerge:
    """Return how the newest merge of a chat stands."""
    return next((s.merge for s in view.sessions if s.session_id == session_id), ChatMerge())


def _print_session(view: ThreadView, session_id: str, ended: ChatMerge) -> None:
    name = session_id.rpartition("/")[2]
    found = [c for c in view.conflicts if c.conflict.session_id == session_id]
    if ended.is_under_way:
        output.print(plain("Still merging; check with `treadle show`."))
    elif ended.failure or (ended.conflicts and not found):
        why = ended.failure or f"conflicts in {', '.join(ended.conflicts)}"
        output.print(quoted(f"not merged: {why}", "red"), soft_wrap=True)
    elif ended.conflicts:
        output.print(plain(f"Not merged: choose how to resolve the conflict of {name}.", "red"))
        output.print(Group(*conflict_lines(view, found[0])), soft_wrap=True)
    elif ended.commit and not ended.is_new:
        output.print(
            plain(f"Nothing to merge: the changes of {name} are in {view.branch} already.")
        )
    elif ended.commit:
        line = f"Merged {name} into {view.branch}: {ended.commit[:SHORT]}"
        output.print(plain(line, "green"), soft_wrap=True)
    else:
        output.print(plain(f"No changes of {name} to merge."))


def _newest_chat(view: ThreadView) -> str:
    chats = [s.session_id for s in view.sessions if s.role == SessionRole.CHAT]
    if not chats:
        raise CommandError(
            f"{view.thread_id} has no chat session; only changes of a chat can be merged this way"
        )
    return chats[-1].rpartition("-")[2]
