"""Where the tasks of a plan stand, in words: for people, for the coordinator, for a plan's summary."""

from collections.abc import Iterable, Iterator

from domain.core.ids import WORK, TaskId
from domain.core.progress import presumed
from domain.core.task_names import task_name, typed_task
from domain.core.wire import Wire
from domain.plans.status import PlanStatus
from domain.plans.supervision import Advice, ConcernKind
from domain.tasks.events import TaskEnd
from domain.tasks.status import TaskStatus
from domain.threads.running.failures import STOPPED
from domain.threads.running.state import Notice, ThreadTask
from domain.threads.state import ThreadState

MAX_NOTES = 300
WAITING = frozenset({TaskStatus.PENDING, TaskStatus.NEEDS_DECISION})


class Outstanding(Wire):
    """A task that did not complete, why, and how it is fixed."""

    task_id: TaskId
    status: TaskStatus
    reason: str
    remedy: str


def doing(entry: ThreadTask, state: ThreadState) -> str:
    """Say in a phrase what a task does now, or why it does not run."""
    if entry.status in WAITING:
        return held(entry, state)
    if entry.status.is_at_work:
        if entry.end is not None:
            return _ending(entry, state)
        child = state.family.child_of(entry.task.id, entry.run)
        if child is not None:
            return child.doing
        progress = entry.progress or presumed(entry.task.id, entry.run)
        return f"waiting for {progress.waits_for}" if progress.waits_for else progress.doing
    return entry.notes[:MAX_NOTES]


def _ending(entry: ThreadTask, state: ThreadState) -> str:
    if entry.task.id in state.merges.open:
        return "waiting for its conflict to be resolved"
    return "merging" if entry.end is TaskEnd.ACCEPTED else "cleaning up"


def held(entry: ThreadTask, state: ThreadState) -> str:
    """Say why a task that waits does not run."""
    if entry.status is TaskStatus.NEEDS_DECISION:
        return f"waiting for decision {entry.task.decision_id}"
    needed = entry.task.depends_on
    unmet = [n for n in needed if state.tasks[n].status is not TaskStatus.COMPLETED]
    if unmet:
        return f"waiting for {', '.join(unmet)}"
    if state.plan_status is PlanStatus.PAUSED:
        return "paused"
    is_called = entry.task.id == WORK and not state.working.is_ready
    return "waiting for the turn of its session" if is_called else "waiting for a free slot"


def outstanding(state: ThreadState) -> tuple[Outstanding, ...]:
    """Return the tasks that stopped before they were completed, in plan order."""
    return tuple(
        Outstanding(
            task_id=task_id,
            status=entry.status,
            reason=entry.notes[:MAX_NOTES],
            remedy=_remedy(task_id, entry, state),
        )
        for task_id, entry in state.tasks.having(*STOPPED)
    )


def _remedy(task_id: TaskId, entry: ThreadTask, state: ThreadState) -> str:
    if not state.plan_status.is_live:
        return f"treadle plan request {state.thread_id} GOAL"
    unmet = [n for n in entry.task.depends_on if state.tasks[n].status in STOPPED]
    if unmet:
        return f"goes on with {', '.join(unmet)}"
    return f"treadle retry {target(state, task_id)}"


def target(state: ThreadState, task_id: TaskId) -> str:
    """Return a task as a person types it after a command; the work of a plan without tasks needs no name."""
    return f"{state.thread_id}{typed_task(task_id)}"


class ShownNotice(Wire):
    """Advice as a person is shown it, with the command that does it."""

    task_id: TaskId | None = None
    concern: ConcernKind | None = None
    advice: Advice
    reason: str
    command: str


def current(state: ThreadState) -> tuple[ShownNotice, ...]:
    """Return the advice that still holds: of a plan that goes on, about runs that are the newest."""
    if not state.plan_status.is_live:
        return ()
    return tuple(
        ShownNotice(
            task_id=notice.task_id,
            concern=notice.concern,
            advice=notice.advice,
            reason=notice.reason,
            command=_command(notice, state),
        )
        for notice in state.notices
        if notice.task_id is None or _holds(notice, state.tasks.get(notice.task_id))
    )


def _holds(notice: Notice, entry: ThreadTask | None) -> bool:
    if entry is None or entry.run != notice.run or entry.status is TaskStatus.COMPLETED:
        return False
    if notice.concern is not None and entry.task.candidate_of and not _is_trying(entry):
        return False  # its task goes on with the others: the table says where each stands
    return notice.advice is not Advice.ABORT or entry.status not in STOPPED


def _is_trying(entry: ThreadTask) -> bool:
    """Tell whether a candidate is at work, and has nothing yet that can be chosen."""
    return entry.status.is_at_work and (entry.progress is None or entry.progress.gate is None)


def _command(notice: Notice, state: ThreadState) -> str:
    """Return what a person types to follow an advice."""
    thread, task = state.thread_id, notice.task_id or TaskId("")
    whose = target(state, task)
    match notice.advice:
        case Advice.ABORT:
            return f"treadle abort {whose}"
        case Advice.RETRY if task and state.tasks[task].status.is_at_work:
            return f"treadle abort {whose}, then treadle retry {whose}"
        case Advice.RETRY:
            return f"treadle retry {whose}"
        case Advice.PAUSE:
            return f"treadle pause {thread}"
        case Advice.AMEND:
            return f"treadle amend {thread} --text TEXT"
        case Advice.CONTINUE:
            return "let it go on"


def task_table(state: ThreadState) -> str:
    """Return all tasks, a line each: status, what it needs, what it does or why it does not run."""
    return "\n".join(task_line(*item, state) for item in state.tasks.items())


def task_line(task_id: TaskId, entry: ThreadTask, state: ThreadState) -> str:
    """Return a task in a line of a list."""
    after = f" (after {', '.join(entry.task.depends_on)})" if entry.task.depends_on else ""
    words = " ".join(doing(entry, state).split())
    tries = f", run {entry.run}" if entry.run > 1 else ""
    name = task_name(task_id, "")
    return f"- {name}: {entry.status}{tries}{after}: {entry.task.title}. {words}"


def port_lines(tasks: Iterable[tuple[TaskId, ThreadTask]]) -> Iterator[str]:
    """Yield the ports of tasks, a line each, with the numbers of those that are at work."""
    for task_id, entry in tasks:
        leased = entry.progress.ports if entry.progress and entry.status.is_at_work else {}
        for port in entry.task.ports:
            where = f":{leased[port.id]}" if port.id in leased else "not requested"
            about = f" ({port.description})" if port.description else ""
            yield f"- {task_name(task_id, '')}: {port.id}{about} -> {where}"
