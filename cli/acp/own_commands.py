"""What the commands of a conversation do: `/status`, `/diff`, `/merge`, `/abort` and the like."""

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from acp import helpers, schema

from cli.acp.asks import LATER, Ask, Option
from cli.acp.engine import Engine, Post
from cli.acp.patches import diff_content
from cli.core.client import path_of
from cli.core.console import as_text
from cli.core.errors import CommandError
from cli.core.works import task_called
from cli.threads import status
from cli.threads.branch import SHORT
from domain.core.changes import BranchChanges
from domain.core.markdown import fenced
from domain.reading.views import ThreadView

PLAIN = {"pause", "resume", "abort-all"}
OF_TASKS = {"abort", "retry"}


def line(text: str) -> schema.AgentMessageChunk:
    """Return a paragraph of Treadle's own."""
    return helpers.update_agent_message_text(f"\n\n{text}\n")


def show_status(view: ThreadView) -> Any:
    """Return how a thread stands, as on the command line."""
    text = as_text(status.progress(view))
    return line(fenced(text, limit=len(text) + 1))


async def show_diff(engine: Engine, view: ThreadView, words: Sequence[str], folder: Path) -> Any:
    """Return the changes of a thread or a task as a tool call with diffs.

    Its id is none that another process gave: the editor may still show that one's.
    """
    if words:
        task = task_called(words[0], (each.task_id for each in view.tasks))
        path, title = (
            path_of("threads", view.thread_id, "tasks", task, "diff"),
            f"Changes of {task}",
        )
    else:
        path, title = path_of("threads", view.thread_id, "changes", "diff"), "Changes of the thread"
    content = diff_content(await engine.text(path), folder)
    if not content:
        return line("Nothing has changed yet.")
    call_id = f"diff-{secrets.token_hex(8)}"
    return helpers.start_tool_call(call_id, title, kind="read", status="completed", content=content)


def show_place(view: ThreadView, page: str) -> Any:
    """Return where a thread is to be found."""
    rows = (
        f"thread {view.thread_id}, branch {view.branch}",
        f"page: {page}/threads/{view.thread_id} (sign in with `treadle open`)",
        f"command line: treadle attach {view.thread_id}",
    )
    return line("  \n".join(rows))


def order(name: str, words: Sequence[str], view: ThreadView) -> Post:
    """Return what a command sends to the thread.

    Raises:
        CommandError: It needs a task.
    """
    if name in PLAIN:
        return Post((name,), {})
    if len(words) != 1:
        tasks = ", ".join(each.task_id for each in view.tasks)
        raise CommandError(f"say /{name} TASK" + (f"; tasks: {tasks}" if tasks else ""))
    task = task_called(words[0], (each.task_id for each in view.tasks))
    return Post(("tasks", task, name), {})


async def merge_of(engine: Engine, view: ThreadView) -> Ask:
    """Return the merge of a thread's branch as a request, of the two commits that are shown.

    Raises:
        CommandError: There is nothing to merge, or no branch to merge into.
    """
    path = path_of("threads", view.thread_id, "changes")
    found = BranchChanges.model_validate(await engine.get(path))
    if found.failure:
        raise CommandError(found.failure)
    if not found.target_commit:
        raise CommandError(f"there is no branch {found.target!r} to merge {found.branch} into")
    if found.is_merged or not found.diff_ref:
        raise CommandError(f"nothing to merge: {found.target} has all of {found.branch}")
    body: dict[str, Any] = {"commit": found.commit, "target_commit": found.target_commit}
    if found.beside:
        body["beside"] = {one.name: one.target_commit for one in found.beside}
    what = f"{found.branch} ({found.commit[:SHORT]}) into {found.target} ({found.target_commit[:SHORT]})"
    others = "".join(
        f"\nand into {one.target} of {one.name} ({one.target_commit[:SHORT]})"
        for one in found.beside
    )
    unfinished = [f"{task.task_id} {task.status}" for task in view.running.outstanding]
    more = f"\nThe plan is unfinished: {', '.join(unfinished)}" if unfinished else ""
    return Ask(
        key=f"merge@{found.commit[:SHORT]}/{found.target_commit[:SHORT]}",
        title=f"Merge {found.branch} into {found.target}",
        by_command=f"treadle merge {view.thread_id} --commit {found.commit[:SHORT]}",
        options=(
            Option("merge", "Merge", "allow_once", Post(("merge",), body)),
            Option(LATER, "Do not merge", "reject_once"),
        ),
        text=f"Merge {what}{others}{more}",
        patch=(path_of("texts", found.diff_ref), {}),
    )
