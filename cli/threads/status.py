"""The status of a thread as it is drawn on a terminal, or piped: one line for each item."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cli.approvals import questions as agents
from cli.core.console import plain, quoted, rows
from cli.core.long_lists import ROOM, WHOLE_LIST, first_of, more_words
from cli.core.tables import table_of
from cli.plans import decisions as plan_decisions
from cli.tasks.result_drawing import MARKS
from cli.tasks.session_drawing import at_work
from cli.threads.status_words import status_style, status_word
from cli.threads.task_lines import task_lines, took, work_lines
from domain.conversations.questions.question import Remember
from domain.core.approvals import Subject
from domain.core.ids import WORK
from domain.core.money import spent_words
from domain.core.task_names import task_name, typed_task
from domain.core.text import counted
from domain.plans.status import PlanStatus
from domain.plans.warnings import WarningKind
from domain.reading.views import OpenRequest, TaskView, ThreadView
from domain.tasks.learnings import THREADS_AGENT
from domain.threads.setting_up.state import SetUpStage
from domain.threads.shown import hash_option

STOPPED = frozenset({"failed", "blocked", "cancelled"})
_LISTED = 5


def progress(view: ThreadView, room: int = ROOM) -> RenderableType:
    """Draw the progress of a thread: its bar, tasks, working sessions, problems and questions.

    `room` is how many lines the tasks may take; every other list takes a quarter of it.
    """
    all_by = f"treadle show {view.thread_id} --all"
    head = Text.assemble(
        plain(view.thread_id, "bold"), "  ", plain(status_word(view), status_style(view))
    )
    parts: list[RenderableType] = [head]
    if view.progress.total:
        parts.append(plain(f"{view.progress.bar}  {_plan(view)}"))
    if view.work:
        parts.append(work_lines(view.work, _plan(view)))
    if view.tasks:
        parts.append(task_lines(view.tasks, room, all_by))
    for mark, lines, style in (
        ("▸", list(at_work(view)), "cyan"),
        ("!", list(_warnings(view)), "yellow"),
        ("✗", outstanding(view), "red"),
        ("?", questions(view), "yellow"),
    ):
        shown, left = first_of(lines, max(2, room // 4))
        parts += [_noted(mark, line, style) for line in shown]
        parts += [more_words(left, all_by)] if left else []
    return Group(*parts)


def questions(view: ThreadView) -> list[str]:
    """Return the open questions and how to answer them, one line each."""
    asked = [f"{_title(r)}: {answers(view, r)}" for r in view.requests]
    asked += [f"{q.question.phrase}  {agents.answers(view, q)}" for q in view.questions]
    for task in view.works:
        if task.is_review_held:
            asked.append(f"{task.title}: {review_ways(view.thread_id, task.task_id)}")
    for decision in view.decisions:
        header = f"{decision.header}: " if decision.header else ""
        ways = f"{plan_decisions.way(view.thread_id, decision.id, decision)}{_until(view, decision.id)}"
        asked.append(f"{header}{decision.question} {ways}")
    asked += [f"{limit}: raise it, or stop what waits: treadle money" for limit in view.over_limits]
    if view.waiting_for and not asked and not outstanding(view):
        asked.append(view.waiting_for)
    return asked


def review_ways(thread_id: str, task_id: str) -> str:
    """Return the commands that continue a task whose review could not run."""
    target = f"{thread_id}{typed_task(task_id)}"
    to = f" --task {task_id}" if typed_task(task_id) else ""
    return (
        f"verify again: treadle skip-wait {target}; use another reviewer: treadle switch-agent {target} AGENT; "
        f"message its agent: treadle say {thread_id} TEXT{to}"
    )


def _until(view: ThreadView, decision_id: str) -> str:
    """Return how long a decision waits, and what happens then."""
    wait = view.running.waits.get(decision_id)
    if wait is None or wait.due_at is None:
        return ""
    if wait.is_expired:
        return "; timed out, still waiting"
    then = f"then {wait.default!r} is chosen" if wait.default else "then it keeps waiting"
    return f"; until {wait.due_at:%Y-%m-%d %H:%M} UTC, {then}"


def _title(request: OpenRequest) -> str:
    title = request.request.title
    named = f"plan of {title}" if request.request.subject is Subject.TASK_PLAN else title
    return f"{named} ({request.missing})" if request.missing else named


def answers(view: ThreadView, request: OpenRequest) -> str:
    """Return the commands that answer a request."""
    is_one_of_several = len(view.requests) > 1
    if request.request.subject is Subject.BEST_OF:
        return f"treadle take {view.thread_id} CANDIDATE, after treadle show {view.thread_id}"
    name = request.request.request_id if is_one_of_several else ""
    what = name if request.task_id in {None, WORK} else request.task_id
    target = f"{view.thread_id} {what}".strip()
    unread = " --acknowledge" if unread_kinds(view, request) else ""
    shown = hash_option(request.request.content_hash)
    return (
        f"treadle approve {target}{unread}{shown}, or "
        f"treadle reject {target}{shown} --feedback TEXT"
    )


def unread_kinds(view: ThreadView, request: OpenRequest) -> set[WarningKind]:
    """Return the kinds of warnings that must be acknowledged; none for other requests."""
    wanted = request.request.request_id
    found = next((p for p in view.plans if p.request.request_id == wanted), None)
    return {w.kind for w in found.warnings if w.needs_acknowledgement} if found else set()


def outstanding(view: ThreadView) -> list[str]:
    """Return what failed and is not fixed yet, why, and the command that fixes it, one line each."""
    stopped = {task.task_id: task for task in view.works if task.status in STOPPED}
    is_unplanned = view.planning_failure or (view.status == "failed" and not view.works)
    again = f"{view.waiting_for} (treadle replan {view.thread_id})"
    lines = [again] if is_unplanned else []
    if view.set_up.stage is SetUpStage.FAILED:
        ways = f"treadle retry-set-up {view.thread_id}, or treadle skip-set-up {view.thread_id}"
        lines.append(f"set-up failed: {view.set_up.result.failure} ({ways})")
    if view.plan_status in {PlanStatus.COMPLETED, PlanStatus.CANCELLED}:
        ended = (f"{task_name(name, '')} {t.status}: {_why(t)}" for name, t in stopped.items())
        return [*ended, *lines]
    for task_id, task in stopped.items():
        first = [needed for needed in task.depends_on if needed in stopped]
        fix = (
            f"after {', '.join(first)}"
            if first
            else f"treadle retry {view.thread_id}{typed_task(task_id)}"
        )
        lines.append(f"{task_name(task_id, '')} {task.status}: {_why(task)} ({fix})")
    return lines


def details(view: ThreadView, room: int = ROOM) -> RenderableType:
    """Draw a thread with its details and its progress."""
    table = Table.grid(padding=(0, 2))
    rows = {
        "topic": view.topic,
        "parent": f"{view.parent.thread_id}, its task {view.parent.task_id}" if view.parent else "",
        "forked from": f"{view.forked_from.thread_id} at {view.forked_from.position}"
        if view.forked_from
        else "",
        "issue": f"{view.issue.key} {view.issue.url}".strip() if view.issue else "",
        "goal": view.goal,
        "repository": view.repository,
        "with": ", ".join(view.beside),
        "branch": view.branch,
        "agent": view.agent,
        "template": f"{view.template} ({view.template_source}) {view.template_path}".strip(),
        "template hash": view.template_hash[:12],
        "opened": f"{view.opened_at:%Y-%m-%d %H:%M:%S} UTC" if view.opened_at else "",
        "opened by": view.opened_by,
        "plan file": view.plan_file,
        "archived": "yes" if view.is_archived else "",
    }
    for name, value in rows.items():
        if value:
            table.add_row(plain(name, "dim"), plain(value))
    return Group(table, Text(), progress(view, room), *_below(view))


def summary(view: ThreadView) -> RenderableType:
    """Draw how a thread ended: its branch, and each task's commit, attempts and time."""
    table = table_of("task", "status", "commit", "attempts", "took", "cost")
    all_by = f"treadle show {view.thread_id} --all"
    tasks, left = first_of(sorted(view.tasks, key=lambda t: t.status not in STOPPED), ROOM)
    for task in tasks if left else view.tasks:
        _, style = MARKS[task.status]
        table.add_row(
            plain(task.task_id),
            plain(task.status, style),
            (task.merge_commit or "")[:10],
            str(task.total_attempts),
            took(task),
            spent_words(task.money),
        )
    passed = view.changed_at - view.opened_at if view.changed_at and view.opened_at else None
    length = f" in {passed.total_seconds():.0f} s" if passed else ""
    head = plain(f"{status_word(view)}{length}: branch {view.branch}", status_style(view))
    parts: list[RenderableType] = [head]
    if view.progress.total:
        parts.append(plain(f"{view.progress.bar}  {_plan(view)}"))
    parts += [work_lines(view.work, _plan(view))] if view.work else []
    parts += [table] if view.tasks else []
    parts += [more_words(left, all_by)] if left else []
    stopped, left = first_of(outstanding(view), ROOM // 4)
    parts += [_noted("✗", line, "red") for line in stopped]
    parts += [more_words(left, all_by)] if left else []
    if view.summary:
        parts.append(quoted(view.summary))
    return Group(*parts)


def _plan(view: ThreadView) -> str:
    version = f", version {view.version}" if view.version > 1 else ""
    status = view.running.paused or view.plan_status
    runs = f", runs: {view.running.autonomy.spoken}" if view.running.autonomy else ""
    own = view.running.own_turns
    turns = f", {counted(own.taken, 'own turn')} ({own.left} left)" if own.taken else ""
    return f"plan {view.approved or ''}{version}: {status}{runs}{turns}".replace("plan :", "plan:")


def _why(task: TaskView) -> str:
    return " ".join(task.notes.split()) or "no reason given"


def _warnings(view: ThreadView) -> Iterator[str]:
    yield from (str(warning) for warning in view.warnings)
    for notice in view.notices:
        about = f"{task_name(notice.task_id, '')}: " if notice.task_id else ""
        yield f"{about}{notice.reason} (advice: {notice.advice}: {notice.command})"
    for overlap in view.overlaps[:_LISTED]:
        yield f"{overlap.file} was changed by {', '.join(overlap.by)}"
    if len(view.overlaps) > _LISTED:
        left = counted(len(view.overlaps) - _LISTED, "more file")
        yield f"… and {left} changed by several tasks"


def _below(view: ThreadView) -> Iterator[RenderableType]:
    """Draw child threads, plan versions, remembered answers, learnings and changes of chats."""
    if view.children:
        yield rows(("", "Child threads"), "bold dim")
    for child in view.children:
        yield _noted(child.task_id, f"{child.thread_id}: {child.doing}")
    if view.versions:
        yield rows(("", "Versions of the plan"), "bold dim")
    for changed in view.versions:
        yield _noted(str(changed.version), f"{changed.counts}, by {changed.by}")
    yield from _rules(view)
    if view.learnings:
        yield rows(("", "Learnings"), "bold dim")
    for learned in view.learnings[-WHOLE_LIST:]:
        source = task_name(learned.task_id, "") if learned.task_id else THREADS_AGENT
        yield _noted("-", f"{source}, {learned.learning}: {learned.text}")
    chats = [session for session in view.sessions if session.files]
    if chats:
        yield rows(("", "Changed by sessions"), "bold dim")
    for session in chats:
        name = session.session_id.rpartition("/")[2]
        left = len(session.files) - 2 * _LISTED
        more = f" and {left} more" if left > 0 else ""
        yield _noted(name, f"{', '.join(session.files[: 2 * _LISTED])}{more}")


def _rules(view: ThreadView) -> Iterator[RenderableType]:
    """Draw the remembered answers, and how to forget them."""
    if view.rules:
        yield rows(("", "Remembered answers"), "bold dim")
    for rule in view.rules:
        outcome = "allowed" if rule.is_allowed else "denied"
        where = "in the thread" if rule.remember is Remember.THREAD else "in its session"
        forget = f"treadle forget {view.thread_id} {rule.rule_id}"
        yield _noted("-", f"{rule.scope}: {outcome} {where} by {rule.by}; {forget}")


def _noted(mark: str, text: str, style: str = "") -> RenderableType:
    """Draw a line with a mark; long text wraps below itself, not below the mark."""
    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row(plain(mark, style), plain(" ".join(text.split()), style))
    return Padding(table, (0, 0, 0, 2), expand=False)
