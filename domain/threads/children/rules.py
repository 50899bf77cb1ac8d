"""Rules of child threads: a node that runs as a thread, and a thread that is such a node."""

from collections.abc import Iterable

from domain.core.autonomy import Autonomy
from domain.core.decisions import Decided
from domain.core.event import EventBody
from domain.core.ids import TaskId
from domain.core.text import counted
from domain.plans.ancestry import ParentThread, child_id
from domain.plans.plan import RunsAs
from domain.plans.status import PlanStatus
from domain.tasks.events import TaskEnd
from domain.tasks.running_commands import Cancel
from domain.tasks.status import TaskStatus
from domain.threads.children import events as child_events
from domain.threads.children.commands import AskChild, MarkParentNotified, NoteChild, StopChild
from domain.threads.children.events import ChildReport
from domain.threads.commands import EndTask
from domain.threads.effects import OfRun, ThreadEffect
from domain.threads.events import PromptQueued, SessionsArchived
from domain.threads.registry import THREAD_RULES
from domain.threads.running.execution import cancel_plan, end_task
from domain.threads.running.learnings import approvers
from domain.threads.state import ThreadState

MAX_WAITING = 300
MAX_LEARNINGS = 20


class RunChild(OfRun):
    """Open the child thread of a run, or go on waiting for it."""

    kind = "child"
    is_resumable = True


class AbortChild(OfRun):
    """Tell the child thread of a run to stop."""

    kind = "abort child"
    is_resumable = True


class NotifyParent(ThreadEffect):
    """Tell the parent where this thread stands."""

    kind = "parent"
    is_resumable = True

    number: int

    @property
    def name(self) -> str:
        """The number of the report."""
        return str(self.number)


def is_child_run(state: ThreadState, task_id: TaskId) -> bool:
    """Tell whether the newest run of a task is a thread of its own.

    A conflict of a child's merge is resolved in a run of an ordinary task.
    """
    return state.family.child_of(task_id, state.tasks[task_id].run) is not None


# --- the parent


def opened(state: ThreadState, task_id: TaskId, run: int) -> Iterable[EventBody]:
    """Yield the opening of a child where a run that starts is one."""
    if state.tasks[task_id].task.runs_as is RunsAs.THREAD:
        name = child_id(state.thread_id, task_id, run, state.depth)
        yield child_events.ChildOpened(task_id=task_id, run=run, thread_id=name)


@THREAD_RULES.requires
def run_children(state: ThreadState) -> Iterable[ThreadEffect]:
    for task_id, entry in state.tasks.at_work():
        if entry.end is None and is_child_run(state, task_id):
            yield RunChild(task_id=task_id, run=entry.run)
            if entry.is_abort_requested:
                yield AbortChild(task_id=task_id, run=entry.run)


@THREAD_RULES.handles
def note_child(command: NoteChild, state: ThreadState) -> Decided:
    """Take a child's report; of one that is not awaited, or older than the newest, nothing."""
    report = command.report
    child = state.family.children.get(report.thread_id)
    entry = state.tasks.get(report.task_id)
    if child is None or (child.task_id, child.run) != (report.task_id, report.run):
        return Decided()
    if child.report is not None and child.report.number >= report.number:
        return Decided()
    reported = child_events.ChildReported(report=report)
    if report.end is None or entry is None or entry.run != report.run:
        return Decided((reported,))
    ended = EndTask(**{k: v for k, v in report if k in EndTask.model_fields})
    return Decided((reported, *end_task(ended, state).events))


def parent_of_child(state: ThreadState, task_id: TaskId, run: int) -> ParentThread:
    """Return what a child is told of who its parent is."""
    parent = state.opened.parent if state.opened else None
    above = parent.above if parent else ()
    promotes = bool(state.opened and state.opened.promotes) or bool(parent and parent.promotes)
    return ParentThread(
        thread_id=state.thread_id,
        task_id=task_id,
        run=run,
        above=(*above, state.thread_id),
        autonomy=Autonomy.GATES if promotes else state.autonomy,
        promotes=promotes,
    )


# --- the child


def report_of(state: ThreadState) -> ChildReport | None:
    """Return where a child thread stands, under the number of its newest report; None of others."""
    parent = state.opened.parent if state.opened else None
    if parent is None:
        return None
    end = _end_of(state)
    is_merged = end is TaskEnd.ACCEPTED
    tasks = state.tasks.values()
    facts = state.opened.facts if state.opened else None
    return ChildReport(
        thread_id=state.thread_id,
        task_id=parent.task_id,
        run=parent.run,
        number=state.family.numbered,
        status="cancelled" if state.family.is_stopped else state.status,
        waiting_for="" if end else state.waiting_for[:MAX_WAITING],
        done=state.tasks.count(TaskStatus.COMPLETED),
        total=len(state.tasks),
        end=end,
        reason="" if is_merged or end is None else "the child thread was cancelled",
        summary=f"{counted(len(state.tasks), 'task')} of {state.thread_id}" if is_merged else "",
        commit=(state.family.head or (facts.head if facts else None)) if is_merged else None,
        attempts=sum(entry.attempts for entry in tasks) if end else 0,
        duration_ms=sum(entry.duration_ms for entry in tasks) if end else 0,
        learnings=state.learnings[-MAX_LEARNINGS:] if end else (),
        promoted_by=approvers(state) if is_merged and parent.promotes else (),
    )


def _end_of(state: ThreadState) -> TaskEnd | None:
    if state.family.is_stopped or state.plan_status is PlanStatus.CANCELLED:
        return TaskEnd.CANCELLED
    return TaskEnd.ACCEPTED if state.plan_status is PlanStatus.COMPLETED else None


@THREAD_RULES.requires
def report_to_parent(state: ThreadState) -> Iterable[ThreadEffect]:
    """Tell the parent whatever is new; after an end nothing, unless it asks again."""
    reported, now = state.family.reported, report_of(state)
    if now is None or (reported is not None and (reported.end is not None or reported == now)):
        return
    yield NotifyParent(number=state.family.numbered + 1)


@THREAD_RULES.handles
def mark_parent_notified(command: MarkParentNotified, state: ThreadState) -> Decided:
    if command.report.number <= state.family.numbered:
        return Decided()
    return Decided((child_events.ParentNotified(report=command.report),))


@THREAD_RULES.handles
def repeat_report(command: AskChild, state: ThreadState) -> Decided:
    """Tell the parent again what it does not know of."""
    reported = state.family.reported
    if reported is None or command.number >= reported.number:
        return Decided()
    return Decided((child_events.ParentAsked(number=command.number),))


@THREAD_RULES.handles
def stop_child(command: StopChild, state: ThreadState) -> Decided:
    if state.opened is None or state.opened.parent is None or _end_of(state) is not None:
        return Decided()
    if state.plan_status.is_live:
        return cancel_plan(Cancel(by=command.by), state)
    planners = tuple(s for s, session in state.sessions.items() if not session.is_archived)
    closing = (PromptQueued(key=f"{s}/close", session_id=s) for s in planners)
    away = (SessionsArchived(session_ids=planners), *closing) if planners else ()
    return Decided((child_events.ChildStopped(by=command.by), *away))
