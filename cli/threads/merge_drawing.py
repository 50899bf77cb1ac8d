"""Conflicts, merges and publications as they are drawn on a terminal."""

from collections.abc import Iterator, Sequence

from rich.console import Group
from rich.text import Text

from cli.core.console import plain, quoted, rows
from cli.threads.pull_request_drawing import receipt
from domain.core.text import counted
from domain.forges.stacks import Layer
from domain.reading.views import ThreadView
from domain.tasks.conflicts import ConflictStage, choices
from domain.threads.bases.state import BaseState
from domain.threads.publishing.publication import Publication, PublishStage
from domain.threads.shown import ShownConflict, hash_option

_SHOWN = 10
_COMMIT = 12
_MEANINGS = {
    "keep_a": "what is on the branch",
    "keep_b": "its own version",
    "by_hand": "in a worktree made for you",
    "agent": "in a new run",
    "done": "when no conflict marker remains",
}
_OF_CHATS = {"agent": "in the chat", "leave": "merge nothing of it"}


def merges(view: ThreadView) -> Group:
    """Draw the open conflicts, the publication and the merge, if any."""
    lines = [line for found in view.conflicts for line in conflict_lines(view, found)]
    receipt_lines = receipt(view.pull_request) if view.pull_request else ()
    published = (*publication(view.publication), *receipt_lines)
    return Group(*lines, *base_lines(view.base), *published, *_landing(view))


def conflict_lines(view: ThreadView, found: ShownConflict) -> Iterator[Text]:
    """Yield a conflict and the commands that resolve it, line by line."""
    conflict = found.conflict
    files = ", ".join(conflict.files[:_SHOWN])
    more = f" and {len(conflict.files) - _SHOWN} more" if conflict.files[_SHOWN:] else ""
    at = f" at {conflict.tip[:_COMMIT]}" if conflict.tip else ""
    head = f"{conflict.named('')} conflicts with {conflict.branch}{at} in {files}{more}"
    yield rows(("", head), "yellow")
    for note in conflict.notes[:_SHOWN]:
        yield plain(f"  {note}", "dim")
    if found.failure:
        yield quoted(f"  {found.failure}", "red")
    if found.left:
        yield plain(f"  conflict markers remain in {', '.join(found.left[:_SHOWN])}", "red")
    if found.path:
        yield plain(f"  the merge is in progress in {found.path}", "bold")
    if found.stage is ConflictStage.RESOLVING:
        yield plain("  its agent resolves it in the chat now")
    meanings = {**_MEANINGS, **_OF_CHATS} if conflict.session_id else _MEANINGS
    if conflict.resolution:
        number = conflict.called.rpartition("-")[2]
        look = f"treadle diff {view.thread_id} --session {number}"
        yield plain(f"  its agent resolved it: look at `{look}`, then say done", "bold")
        meanings = {**meanings, "done": "merge what its agent made"}
    target, shown = f"{view.thread_id}{conflict.typed}", hash_option(found.content_hash)
    ways = {how: f"  treadle resolve {target} {how.spoken}{shown}" for how in choices(found)}
    lines = f"  treadle diff {target} --conflict"
    width = max(map(len, (lines, *ways.values())))
    if conflict.tip:
        yield plain(f"{lines:<{width}}  the lines of both sides")
    for how, line in ways.items():
        yield plain(f"{line:<{width}}  {meanings[how]}")


def _landing(view: ThreadView) -> Iterator[Text]:
    landing = view.landing
    if landing.is_under_way:
        yield plain(f"merging into {landing.target} …")
    elif landing.failure:
        yield quoted(f"not merged into {landing.target}: {landing.failure}", "red")
    elif landing.merge_commit:
        line = f"merged {view.branch} into {landing.target}: {landing.merge_commit[:_COMMIT]}"
        yield plain(line, "green")


def base_lines(found: BaseState) -> Iterator[Text]:
    """Yield where the base of a branch is, line by line; nothing where nobody looked."""
    name = f"{found.base} of {found.remote}" if found.remote else found.base or "the base"
    if found.asked:
        yield plain(f"fetching {name} …")
    if found.conflicts:
        yield quoted(f"{name} conflicts with the branch: {', '.join(found.conflicts)}", "red")
    elif found.failure:
        yield quoted(f"{name} is not taken in: {found.failure}", "red")
    if found.note:
        yield quoted(found.note, "yellow")
    if found.behind:
        yield plain(f"{counted(found.behind, 'commit')} behind {name}", "yellow")
    elif found.commit and not found.failure:
        yield plain(f"has all of {name}", "green")


def stack_lines(stack: Sequence[Layer]) -> Iterator[Text]:
    """Yield a stack of pull requests from the lowest up, with what keeps one from going on."""
    if stack:
        yield plain(f"a stack of {len(stack)}, merged from the first to the last:", "bold")
    for place, layer in enumerate(stack, 1):
        number = f"#{layer.number}" if layer.number else "not open yet"
        yield quoted(f"  {place}. {number}  {layer.title or layer.task_id}  {layer.state}", "")
        if layer.url:
            yield plain(f"     {layer.url}", "dim")
        if layer.trouble:
            yield quoted(f"     {layer.trouble}", "yellow")


def publication(found: Publication) -> Iterator[Text]:
    """Yield the state of a publication, line by line."""
    if found.is_under_way:
        yield plain("publishing …")
    if found.pushed is not None:
        pushed = found.pushed
        yield plain(f"{pushed.branch} is on {pushed.remote} ({pushed.address})", "green")
        for one in pushed.beside:
            yield plain(f"{one.name}: on {one.remote} ({one.address})", "green")
        if pushed.note_failure:
            yield quoted(f"its receipt is not there as a note: {pushed.note_failure}", "yellow")
    yield from stack_lines(found.stack)
    if found.pull_request is not None and not found.stack:
        known = "" if found.pull_request.is_new else " (already open)"
        yield plain(f"pull request {found.pull_request.number}: {found.pull_request.url}{known}")
    if found.failure:
        failed = found.stage is PublishStage.FAILED
        head = "not published" if failed and found.pushed is None else "no pull request"
        yield quoted(f"{head}: {found.failure}", "red" if failed else "yellow")
    if found.compare_url:
        yield plain(f"open a pull request: {found.compare_url}")
