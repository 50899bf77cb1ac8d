"""The inbox as it is drawn on a terminal: a few lines for each item."""

import shlex
from collections.abc import Sequence
from datetime import datetime, timedelta

from rich.text import Text

from cli.core.console import plain, rows
from cli.plans.decisions import way
from cli.tasks.result_drawing import UNVERIFIED
from domain.conversations.questions.question import QuestionKind
from domain.core.ids import WORK
from domain.core.task_names import typed_task
from domain.core.text import counted, duration, spaced
from domain.money.inputs import MONEY
from domain.publications.items import Item
from domain.publications.reworks import REWORKABLE
from domain.reading.inbox.item import Evidence, InboxItem, InboxKind
from domain.tasks.conflicts import choices
from domain.threads.shown import ShownConflict, hash_option

_RED = frozenset(
    {
        InboxKind.ESCALATION,
        InboxKind.REVIEW_HELD,
        InboxKind.CONFLICT,
        InboxKind.CONCERN,
        InboxKind.SET_UP,
        InboxKind.HOST_SILENT,
        InboxKind.PULL_REQUEST,
    }
)


def head(items: Sequence[InboxItem]) -> Text:
    """Return how much is waiting."""
    if not items:
        return plain("Nothing is waiting for you.", "dim")
    verb = "is" if len(items) == 1 else "are"
    return plain(f"{counted(len(items), 'item')} {verb} waiting for you, oldest first:", "bold")


def drawn(item: InboxItem, now: datetime) -> Text:
    """Draw one item: what it is, since when, its evidence, and the commands that answer it."""
    kind = spaced(item.kind)
    project = item.project.rstrip("/").rpartition("/")[2]
    lines = Text.assemble(
        plain(kind, "bold red" if item.kind in _RED else "bold yellow"),
        plain(f"  {item.subject}", "bold"),
        plain(f"  {ago(now - item.since)}", "dim"),
    )
    about = [f"{item.thread_id or item.run_id or item.entry_id or item.host}", project]
    about += [item.title] if item.title not in {item.subject, item.host} else []
    lines.append_text(rows(("", "  " + "  ".join(filter(None, about))), "dim"))
    if item.evidence is not None:
        lines.append_text(rows(("", f"  {_evidence(item.evidence)}")))
    if item.missing:
        lines.append_text(rows(("", f"  {item.missing}")))
    if item.reason:
        lines.append_text(rows(("", f"  {item.reason}")))
    for command in commands(item):
        lines.append_text(rows(("", f"  {command}"), "cyan"))
    return lines


def ago(passed: timedelta) -> str:
    """Return how long ago something was."""
    if passed < timedelta(minutes=1):
        return "just now"
    return f"{duration(int(passed.total_seconds()) * 1000)} ago"


def commands(item: InboxItem) -> list[str]:
    """Return the commands that answer an item."""
    if item.run_id is not None:
        return _of_run(item)
    if item.entry_id or item.host or item.workflow_id == MONEY:
        return _of_server(item)
    if item.question is not None:
        return _of_question(item)
    if item.request is not None:
        return _of_requests(item)
    if item.decision is not None:
        return [way(str(item.thread_id), item.decision.id, item.decision)]
    if item.kind is InboxKind.CONCERN:
        return _of_concern(item)
    if item.conflict is not None:
        return _of_conflict(item, item.conflict)
    return _of_task(item) if item.task_id else _of_thread(item)


def _of_limit(item: InboxItem) -> list[str]:
    if item.limit is None:
        return [f"treadle money limit --{'project' if item.project else 'month'} USD"]
    name, shown = item.limit.request.request_id, hash_option(item.limit.content_hash)
    return [f"treadle money raise {name} USD{shown}", f"treadle money stop {name}{shown}"]


def _of_server(item: InboxItem) -> list[str]:
    if item.workflow_id == MONEY:
        return _of_limit(item)
    if item.entry_id:
        return [f"treadle queue release {item.entry_id} [--anyway]"]
    return ["treadle hosts", f"treadle hosts lost {shlex.quote(item.host)}"]


def _of_thread(item: InboxItem) -> list[str]:
    if item.kind is InboxKind.SET_UP:
        return [f"treadle retry-set-up {item.thread_id}", f"treadle skip-set-up {item.thread_id}"]
    if item.pull_request is not None:
        return _of_pull_request(item, item.pull_request)
    if item.kind is InboxKind.ISSUE:
        tracker = item.workflow_id.removeprefix("tracker-")
        keep = f"treadle tracker keep {shlex.quote(tracker)} {item.thread_id}"
        return [f"treadle cancel {item.thread_id}", keep]
    if item.kind is InboxKind.MENTION:
        return [f"treadle logs {item.thread_id}", f"treadle dismiss {item.thread_id}"]
    return [f"treadle replan {item.thread_id}"]


def _of_pull_request(item: InboxItem, asked: Item) -> list[str]:
    dismiss = f"treadle publish dismiss {asked.item_id} {item.thread_id}"
    rework = f"treadle publish rework {asked.item_id} {item.thread_id}"
    number = item.workflow_id.rpartition("/")[2]
    which = f" --number {number}" if item.is_stacked else ""
    more = [rework] if asked.kind in REWORKABLE and not item.is_stacked else []
    return [f"treadle publish status {item.thread_id}{which}", *more, dismiss]


def _of_conflict(item: InboxItem, found: ShownConflict) -> list[str]:
    asked, ways = found.conflict, " | ".join(how.spoken for how in choices(found))
    number = asked.called.rpartition("-")[2]
    look = [f"treadle diff {item.thread_id} --session {number}"] if asked.resolution else []
    shown = hash_option(found.content_hash)
    resolve = f"treadle resolve {item.thread_id}{asked.typed} [{ways}]{shown}"
    return [*look, resolve] if ways else []


def _of_task(item: InboxItem) -> list[str]:
    target = f"{item.thread_id}{typed_task(item.task_id or '')}"
    to = f" --task {item.task_id}" if item.task_id != WORK else ""
    say = f"treadle say {item.thread_id} TEXT{to}"
    if item.kind is InboxKind.REVIEW_HELD:
        return [f"treadle skip-wait {target}", f"treadle switch-agent {target} AGENT", say]
    is_at_work = item.workflow_id != item.thread_id
    return [say] if is_at_work else [f"treadle retry {target}", f"treadle cancel {item.thread_id}"]


def _of_concern(item: InboxItem) -> list[str]:
    look = f"treadle logs {item.thread_id} --follow"
    if item.task_id:
        return [look, f"treadle abort {item.thread_id}{typed_task(item.task_id)}"]
    return [look, f"treadle attach {item.thread_id}"]


def _of_run(item: InboxItem) -> list[str]:
    if item.kind is InboxKind.ESCALATION:
        return [f"treadle flow resume {item.run_id}"]
    if item.kind is InboxKind.CONCERN:
        return [f"treadle flow logs {item.run_id}", f"treadle flow stop {item.run_id}"]
    asked = item.flow_request or (item.question.question if item.question else None)
    shown = hash_option(asked.content_hash) if asked else ""
    return [f"treadle flow answer {item.run_id} ANSWER{shown}"]


def _of_question(item: InboxItem) -> list[str]:
    asked = item.question.question if item.question else None
    if asked is None:
        return []
    target, shown = f"{item.thread_id} {asked.question_id}", hash_option(asked.content_hash)
    if asked.kind is QuestionKind.DECISION:
        return [way(str(item.thread_id), asked.question_id, asked)]
    return [f"treadle allow {target}{shown}", f"treadle deny {target}{shown}"]


def _of_requests(item: InboxItem) -> list[str]:
    unread = " --acknowledge" if item.unread else ""
    if item.kind is InboxKind.BEST_OF:
        return [f"treadle show {item.thread_id}", f"treadle take {item.thread_id} CANDIDATE"]
    lines = [f"treadle show {item.thread_id}"] if item.plans > 1 else []
    for request in item.requests:
        name = typed_task(item.task_id) if item.task_id else f" {request.request_id}"
        target = f"{item.thread_id}{name}"
        shown = hash_option(request.content_hash)
        lines.append(f"treadle approve {target}{unread}{shown}")
        if item.plans < 2:  # noqa: PLR2004  (approving one of several rejects the others)
            lines.append(f"treadle reject {target}{shown} --feedback TEXT")
    return lines


def _evidence(found: Evidence) -> str:
    ran = [f"{found.passed} passed"] if found.passed else []
    ran += [f"{found.failed} failed"] if found.failed else []
    ran += [f"{found.failed_optional} optional failed"] if found.failed_optional else []
    if not ran:
        ran = [UNVERIFIED if found.is_verified else "not verified yet"]
    change = f"+{found.insertions} −{found.deletions} in {counted(found.files, 'file')}"
    return ", ".join([*ran, change])
