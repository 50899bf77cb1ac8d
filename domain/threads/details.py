"""What Temporal's Web UI shows of where a thread stands, as Markdown: the answer to a query, stored nowhere."""

from itertools import islice

from domain.core.listing import waiting_lines
from domain.core.summaries import bounded, listed
from domain.core.task_names import task_name
from domain.tasks.state import AT_GATE, AT_PLAN
from domain.tasks.status import TaskStatus
from domain.threads.running.health import target
from domain.threads.running.state import ThreadTask
from domain.threads.setting_up.state import SetUpStage
from domain.threads.state import ThreadState

MAX_ROWS = 50
MAX_ASKING = 3
_GAP = "\u00a0\u00a0"
"""Ends a cell: the Web UI draws tables without lines or padding."""

_ORDER = (
    *(TaskStatus.NEEDS_DECISION, TaskStatus.FAILED, TaskStatus.RUNNING, TaskStatus.PLANNING),
    *(TaskStatus.BLOCKED, TaskStatus.PENDING),
)
"""Which tasks come first where not all have room; then all others."""


def thread_details(state: ThreadState) -> str:
    """Return a thread's status, its tasks, what waits, and how it is answered."""
    done = state.tasks.count(TaskStatus.COMPLETED)
    lines = [f"**{bounded(state.title)}**: {state.status}", ""]
    if state.asks:
        lines += [*waiting_lines(state.asks, state.thread_id, answers_of(state)), ""]
    lines += _asking(state)
    if state.tasks:
        lines += [f"Plan: {state.plan_status}, {done}/{len(state.tasks)} tasks", "", *_table(state)]
    return "\n".join(lines).rstrip()


def answers_of(state: ThreadState) -> list[str]:
    """Return the command lines that answer what a thread asks."""
    name = state.thread_id
    if state.requests:
        return [f"treadle approve {name}", f"treadle reject {name} --feedback TEXT"]
    if state.planning_failure:
        return [f"treadle replan {name}"]
    if state.set_up.stage is SetUpStage.FAILED:
        return [f"treadle retry-set-up {name}", f"treadle skip-set-up {name}"]
    if state.open_decisions:
        return [f"treadle decide {name} {state.open_decisions[0].id} OPTION"]
    if state.merges.open:
        typed = next(iter(state.merges.open.values())).conflict.typed
        return [f"treadle resolve {name}{typed} HOW"]
    failed = islice(state.tasks.of_status(TaskStatus.FAILED), 1)
    retries = (f"treadle retry {target(state, task)}" for task in failed)
    return [*retries, f"treadle cancel {name}"]


def _asking(state: ThreadState) -> list[str]:
    """Return what running tasks ask, and the command lines that answer or show it."""
    lines: list[str] = []
    asking = [e for _, e in state.tasks.at_work() if e.run and e.progress and e.progress.asks]
    for entry in asking[:MAX_ASKING]:
        asked = entry.progress.asks if entry.progress else ""
        where = target(state, entry.task.id)
        answers = [f"treadle show {where}"]
        if asked in {AT_GATE, AT_PLAN}:
            answers = [f"treadle approve {where}", f"treadle reject {where} --feedback TEXT"]
        lines += [*waiting_lines(f"{task_name(entry.task.id, '')}: {asked}", where, answers), ""]
    more = len(asking) - MAX_ASKING
    return [*lines, *([f"… and {more} more tasks: `treadle inbox`", ""] if more > 0 else [])]


def _table(state: ThreadState) -> list[str]:
    ranked = sorted(state.tasks.items(), key=lambda item: _rank(item[1].status))
    rows = [
        _row(
            task_name(task_id, ""),
            entry.task.title,
            entry.status,
            _attempt(entry),
            _waits(state, entry),
        )
        for task_id, entry in ranked[:MAX_ROWS]
    ]
    more = len(ranked) - MAX_ROWS
    head = [_row("task", "title", "status", "attempt", "waits for"), "| :-- " * 5 + "|"]
    return [*head, *rows, *([f"\n… and {more} more"] if more > 0 else [])]


def _row(*cells: str) -> str:
    return "".join(f"| {_cell(cell)}{_GAP} " for cell in cells) + "|"


def _rank(status: TaskStatus) -> int:
    return _ORDER.index(status) if status in _ORDER else len(_ORDER)


def _cell(text: str) -> str:
    return bounded(text).replace("|", "\\|")


def _attempt(entry: ThreadTask) -> str:
    """Return the verification attempt of the newest run, and which run that is where it is not the first."""
    progress = entry.progress
    is_told = progress is not None and progress.run == entry.run
    attempt = progress.attempts if progress is not None and is_told else entry.attempts
    run = f"run {entry.run}" if entry.run > 1 else ""
    return ", ".join(part for part in (str(attempt or ""), run) if part)


def _waits(state: ThreadState, entry: ThreadTask) -> str:
    if entry.is_over:
        return entry.notes
    if entry.progress is not None and entry.run:
        return entry.progress.asks or entry.progress.waits_for
    needs = entry.task.depends_on
    return listed(n for n in needs if state.tasks[n].status is not TaskStatus.COMPLETED)
