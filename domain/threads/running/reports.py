"""A plan in words: its status while it runs, its summary at the end."""

from collections.abc import Iterator

from domain.core.approvals import content_hash
from domain.core.ids import WORK, TaskId
from domain.core.task_names import task_name
from domain.core.text import counted
from domain.plans.status import PlanStatus
from domain.tasks.conflicts import choices
from domain.tasks.status import TaskStatus
from domain.threads.events import PlanCompleted
from domain.threads.patches import LARGE_PLANS_ARE_DIGESTED
from domain.threads.progress import progress_of
from domain.threads.running.digest import attention, counts, first_of, is_large
from domain.threads.running.health import current, doing, outstanding, target
from domain.threads.running.state import PlanDecision, ThreadTask
from domain.threads.state import ThreadState

MAX_FILES = 5

SHOWN = 8
"""Digits of a decision's hash: enough to tell it from what it was before."""

MARKS = {
    TaskStatus.PENDING: "·",
    TaskStatus.NEEDS_DECISION: "?",
    TaskStatus.PLANNING: "▸",
    TaskStatus.RUNNING: "▸",
    TaskStatus.COMPLETED: "✓",
    TaskStatus.FAILED: "✗",
    TaskStatus.BLOCKED: "■",
    TaskStatus.CANCELLED: "–",
}


def summary(state: ThreadState, final: PlanStatus, by: str = "") -> str:
    """Return how a plan ended: how far it came, and each task that did not, with how to fix it.

    `state` is the one in which it has ended.
    """
    branch = state.opened.branch if state.opened else ""
    who = f" by {by}" if by else ""
    lines = [f"{final}{who}: {_merged(state)} merged into {branch}"]
    fixes = [
        f"{task_name(left.task_id, '')} {left.status}: {left.reason}; to fix: {left.remedy}"
        for left in outstanding(state)
    ]
    fixes += [f"{task_name(name, '')} is being aborted" for name, _ in state.tasks.at_work()]
    is_digested = is_large(state) and state.has_patch(LARGE_PLANS_ARE_DIGESTED)
    return "\n".join((*lines, *(first_of(fixes) if is_digested else fixes)))


def _merged(state: ThreadState) -> str:
    """Return how much is merged, in a phrase."""
    done = state.tasks.count(TaskStatus.COMPLETED)
    if WORK in state.tasks:
        return "its work is" if done else "nothing is"
    return f"{done} of {counted(len(state.tasks), 'task')}"


def status_text(state: ThreadState) -> str:
    """Return the plan as `/plan status` shows it: bar, tasks, decisions, advice."""
    planned = _planned(state)
    if not state.tasks:
        waiting = f"; waits for {state.waiting_for}" if state.waiting_for else ""
        none = f"no plan runs (plan status: {state.plan_status}){waiting}"
        return "\n".join(planned) or none
    progress = progress_of(state)
    auto = "  auto" if state.is_auto else ""
    own = state.own_turns.taken
    turns = f"  {counted(own, 'own turn')} ({state.own_turns_left} left)" if own else ""
    bar = f"{progress.bar}  " if progress.total else ""
    lines = [f"{bar}{state.plan_status}{auto}{turns}  {state.goal}"]
    if state.plan_status is PlanStatus.PAUSED and state.paused:
        lines.append(f"  {state.paused} (treadle resume {state.thread_id})")
    lines += _task_rows(state)
    lines += [f"  ? {question}" for question in told_questions(state)]
    for notice in current(state):
        where = f"{task_name(notice.task_id, '')}: " if notice.task_id else ""
        reason = notice.reason.rstrip(".")
        lines.append(f"  ! {where}{reason}. Advice: {notice.command}")
    fixes = [
        f"  to fix {task_name(left.task_id, '')}: {left.remedy}" for left in outstanding(state)
    ]
    lines += first_of(fixes) if is_large(state) else fixes
    return "\n".join((*lines, *planned))


def _task_rows(state: ThreadState) -> list[str]:
    """Return a line for each task; of a large plan the numbers, and lines of those that need attention."""
    if not is_large(state):
        return [_task_row(*item, state) for item in state.tasks.items()]
    rows = [f"  {counts(state)}"]
    for _, names in attention(state):
        rows += first_of(_task_row(name, state.tasks[name], state) for name in names)
    return [
        *rows,
        f"  treadle show {state.thread_id} --all lists all {counted(len(state.tasks), 'task')}",
    ]


def _task_row(task_id: TaskId, entry: ThreadTask, state: ThreadState) -> str:
    words = " ".join(doing(entry, state).split()) or entry.status
    after = f"  ← {', '.join(entry.task.depends_on)}" if entry.task.depends_on else ""
    return f"  {MARKS[entry.status]} {task_name(task_id, '')}  {entry.task.title}{after}  {words}"


def _planned(state: ThreadState) -> list[str]:
    """Return who plans now and what was proposed, a line each; nothing where nobody does."""
    lines: list[str] = []
    for session_id, planner in state.planning.planners.items():
        session = state.sessions.get(session_id)
        if session is None or session.is_archived:  # none where its event is damaged
            continue
        asked = [
            p for p in state.plans if p.session_id == session_id and p.is_among(state.requests)
        ]
        plan = f"plan {asked[-1].revision} waits: {asked[-1].request.title}" if asked else ""
        words = plan or planner.failure or "plans"
        lines.append(f"  ▸ {session_id.rpartition('/')[2]} ({session.agent})  {words}")
    return [f"planning  {state.goal}", *lines] if lines else []


def questions(state: ThreadState) -> list[str]:
    """Return what the plan asks people, a line each, with how it is answered."""
    if not state.plan_status.is_live:
        return []
    asked = [_question(entry) for entry in state.decisions.values() if entry.selections is None]
    return [*asked, *_conflicts(state), *_amendments(state), *_tasks(state)]


def told_questions(state: ThreadState) -> list[str]:
    """Return what the plan asks people, of a large plan the first of it."""
    return first_of(questions(state)) if is_large(state) else questions(state)


def _conflicts(state: ThreadState) -> Iterator[str]:
    for found in state.merges.open.values():
        files = ", ".join(found.conflict.files[:MAX_FILES])
        ways = "|".join(how.spoken for how in choices(found)) or "HOW"
        yield (
            f"{found.conflict.named('')} conflicts with what was merged, in {files}: treadle resolve "
            f"{state.thread_id}{found.conflict.typed} {ways}"
        )


def _amendments(state: ThreadState) -> Iterator[str]:
    for name, each in state.amending.open.items():
        yield f"{each.request.title}: treadle approve {state.thread_id} {name}"


def _tasks(state: ThreadState) -> Iterator[str]:
    """Yield what tasks wait for: a word to an agent that is blocked, an approval."""
    for task_id, entry in state.tasks.items():
        progress = entry.progress
        if (
            not entry.status.is_at_work
            or entry.end is not None
            or progress is None
            or not progress.asks
        ):
            continue
        where = target(state, task_id)
        to = "" if task_id == WORK else f" --task {task_id}"
        say = f"treadle say {state.thread_id} TEXT{to}"
        kind = progress.asks.partition(" ")[0]
        how = {
            "approval": f"treadle approve {where}",
            "permission:": f"treadle allow {where}, or treadle deny {where}",
            "decision:": f"treadle show {state.thread_id} lists the options",
        }.get(kind, say)
        if progress.asks.startswith("a person"):
            how = f"treadle skip-wait {where}, or {say}"
        yield f"{task_name(task_id, '')} waits for {progress.asks}: {how}"


def ending(state: ThreadState, final: PlanStatus, by: str = "") -> PlanCompleted:
    """Return the event of a plan's end, in the state that it leaves."""
    over = state.model_copy(update={"plan_status": final})
    return PlanCompleted(
        plan_id=state.plan_id,
        final_status=final,
        summary=summary(over, final, by),
        failures={left.task_id: left.reason for left in outstanding(over)},
        remedies={left.task_id: left.remedy for left in outstanding(over)},
    )


def _question(entry: PlanDecision) -> str:
    asked = entry.decision
    labels = " | ".join(option.label for option in asked.options)
    several = ", several with commas" if asked.multi_select else ""
    header = f"{asked.header}: " if asked.header else ""
    until = ""
    if entry.is_expired:
        until = "; its time ran out and it goes on waiting: the plan names no safe default"
    elif entry.due_at is not None:
        then = (
            f"then {asked.safe_default!r} is taken"
            if asked.safe_default
            else "then it goes on waiting"
        )
        until = f"; until {entry.due_at:%Y-%m-%d %H:%M} UTC, {then}"
    shown = f"#{content_hash(asked)[:SHOWN]}"
    return f"{header}{asked.question} /plan decide {asked.id} [{labels}] {shown}{several}{until}"
