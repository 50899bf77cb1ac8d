"""Rules of the running plan: pause, resume, cancel, abort, retry, and the ends of tasks."""

from domain.conversations.messages import A_PERSON
from domain.core.closest import few_names, known_names
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import NotFoundError, WrongStateError
from domain.core.event import EventBody
from domain.core.ids import WORK, TaskId
from domain.core.task_names import quoted_task, task_name
from domain.plans.status import PlanStatus
from domain.tasks.events import TaskEnd
from domain.tasks.running_commands import Abort, AbortAll, Cancel, Pause, Resume, Retry
from domain.tasks.status import TaskStatus
from domain.threads import events as thread_events
from domain.threads.commands import EndTask, SettleTask
from domain.threads.contests.retrying import refusal_to_merge, retried_with
from domain.threads.merging.events import ConflictFound
from domain.threads.merging.state import conflict_after
from domain.threads.patches import ABORTS_ARE_NO_FAILURES, GATES_OUTLIVE_ABORT_ALL
from domain.threads.planning.rules import cancelled
from domain.threads.registry import THREAD_RULES
from domain.threads.running.abort_words import aborted_words, left_words
from domain.threads.running.beginnings import beginning
from domain.threads.running.coordination import escalated
from domain.threads.running.plan_tasks import WAITING
from domain.threads.running.reports import ending
from domain.threads.running.state import ThreadTask
from domain.threads.state import ThreadState

RETRYABLE = frozenset({TaskStatus.FAILED, TaskStatus.CANCELLED, TaskStatus.BLOCKED})


def updated(
    state: ThreadState, task_id: TaskId, status: TaskStatus, notes: str = "", run: int = 0
) -> thread_events.TaskUpdated:
    """Return the event of a task's new status."""
    entry = state.tasks[task_id]
    return thread_events.TaskUpdated(
        plan_id=state.plan_id,
        task_id=task_id,
        old_status=entry.status,
        new_status=status,
        notes=notes,
        run=run or entry.run,
    )


def _task(state: ThreadState, task_id: TaskId | None) -> ThreadTask:
    entry = state.tasks.get(task_id) if task_id else None
    if entry is None:
        if task_id == WORK and state.tasks:
            raise NotFoundError(f"this plan has tasks: name one of {few_names(state.tasks)}")
        known = known_names(task_id or "", state.tasks)
        raise NotFoundError(f"no task {task_id!r} in this plan; it has: {known}")
    return entry


def blocked(state: ThreadState, task_id: TaskId, notes: str) -> list[EventBody]:
    """Block what waits for a task that did not complete."""
    return [
        updated(state, other, TaskStatus.BLOCKED, notes)
        for other in state.tasks.dependants(task_id)
        if state.tasks[other].status in {TaskStatus.PENDING, TaskStatus.NEEDS_DECISION}
    ]


def _changed(state: ThreadState, status: PlanStatus, by: str) -> thread_events.PlanStatusChanged:
    return thread_events.PlanStatusChanged(plan_id=state.plan_id, status=status, by=by)


def _check_live(state: ThreadState) -> None:
    if not state.plan_status.is_live:
        raise WrongStateError(f"no plan is running; its status is {state.plan_status}")


@THREAD_RULES.handles
def pause_plan(command: Pause, state: ThreadState) -> Decided:
    if state.plan_status is PlanStatus.PAUSED:
        return Decided(answer=Answer(message="already paused"))
    _check_live(state)
    paused = _changed(state, PlanStatus.PAUSED, command.by)
    goes_on = "; child threads go on by themselves" if _has_running_children(state) else ""
    message = f"paused: running tasks finish, none is started{goes_on}"
    return Decided((paused,), Answer(message=message))


def _has_running_children(state: ThreadState) -> bool:
    """Tell whether a run that is under way is a thread of its own."""
    return any(
        state.family.child_of(task_id, entry.run) for task_id, entry in state.tasks.at_work()
    )


@THREAD_RULES.handles
def resume_plan(command: Resume, state: ThreadState) -> Decided:
    if state.plan_status is not PlanStatus.PAUSED:
        aborted = [name for name, entry in state.tasks.items() if entry.is_aborted]
        if state.is_stalled and aborted:
            raise WrongStateError(
                f"nothing can start: retry {few_names(aborted)}, or cancel the plan"
            )
        raise WrongStateError(f"the plan is not paused: its status is {state.plan_status}")
    return Decided((_changed(state, PlanStatus.ACTIVE, command.by),), Answer(message="resumed"))


def _abort_running(
    state: ThreadState, by: str, *, is_of_all: bool = False
) -> list[thread_events.TaskAbortRequested]:
    return [
        thread_events.TaskAbortRequested(task_id=task_id, by=by, is_of_all=is_of_all)
        for task_id, entry in state.tasks.at_work()
        if (entry.end is None or task_id in state.merges.open) and not entry.is_abort_requested
    ]


@THREAD_RULES.handles
def cancel_plan(command: Cancel, state: ThreadState) -> Decided:
    if not state.plan_status.is_live and (ended := cancelled(state, command.by)) is not None:
        return ended
    if state.plan_status is PlanStatus.CANCELLED:
        return Decided(answer=Answer(message="already cancelled"))
    _check_live(state)
    events: list[EventBody] = [*_abort_running(state, command.by)]
    waiting = (*state.tasks.of_status(*WAITING), *state.tasks.waiting_candidates())
    events += (
        updated(state, task_id, TaskStatus.CANCELLED, "the plan was cancelled")
        for task_id in waiting
    )
    ended = ending(THREAD_RULES.fold(state, events), PlanStatus.CANCELLED, command.by or A_PERSON)
    return Decided((*events, ended), Answer(message=ended.summary))


@THREAD_RULES.handles
def abort_task(command: Abort, state: ThreadState) -> Decided:
    entry = _task(state, command.task_id)
    task_id = entry.task.id
    answer = Answer(message=f"aborting {task_name(task_id, '')}")
    if entry.status is TaskStatus.CANCELLED or entry.is_abort_requested:
        is_over = entry.status is TaskStatus.CANCELLED
        message = f"{task_name(task_id, '')} is {'aborted already' if is_over else 'already being aborted'}"
        return Decided(answer=Answer(message=message))
    if entry.status.is_at_work and entry.task.is_contest:
        return Decided(_abort_candidates(entry, state, command.by), answer)
    if entry.status.is_at_work:
        if entry.end is not None and task_id not in state.merges.open:
            raise WrongStateError(f"{quoted_task(task_id)} has ended and is being merged")
        request = thread_events.TaskAbortRequested(task_id=task_id, by=command.by)
        return Decided((request,), answer)
    if entry.is_over:
        raise WrongStateError(f"{quoted_task(task_id)} is {entry.status}: nothing to abort")
    notes = f"aborted by {command.by or 'a person'}"
    aborted = updated(state, task_id, TaskStatus.CANCELLED, notes)
    return Decided(
        (aborted, *blocked(state, task_id, f"{task_name(task_id, '')} was aborted")), answer
    )


def _abort_candidates(entry: ThreadTask, state: ThreadState, by: str) -> tuple[EventBody, ...]:
    """Return the abort of a task that several agents do: of each of them."""
    task_id = entry.task.id
    candidates = dict(state.tasks.candidates_of(task_id))
    if any(
        e.status.is_at_work and e.end is TaskEnd.ACCEPTED and name not in state.merges.open
        for name, e in candidates.items()
    ):
        raise WrongStateError(f"a candidate of {quoted_task(task_id)} is being merged")
    running = (event for event in _abort_running(state, by) if event.task_id in candidates)
    waiting = (name for name in state.tasks.waiting_candidates() if name in candidates)
    return (
        thread_events.TaskAbortRequested(task_id=task_id, by=by),
        *running,
        *(
            updated(state, name, TaskStatus.CANCELLED, f"aborted by {by or A_PERSON}")
            for name in waiting
        ),
    )


@THREAD_RULES.handles
def abort_all_tasks(command: AbortAll, state: ThreadState) -> Decided:
    _check_live(state)
    keeps_waiting = state.has_patch(ABORTS_ARE_NO_FAILURES)
    left = _at_gate(state) if state.has_patch(GATES_OUTLIVE_ABORT_ALL) else ()
    events: list[EventBody] = [
        event
        for event in _abort_running(state, command.by, is_of_all=keeps_waiting)
        if event.task_id not in left
    ]
    message = aborted_words(len(events), left)
    if state.plan_status is PlanStatus.ACTIVE:
        events.append(_changed(state, PlanStatus.PAUSED, command.by))
    elif not events:
        message = f"nothing is running, and the plan is paused already{left_words(left)}"
    return Decided(tuple(events), Answer(message=message))


def _at_gate(state: ThreadState) -> tuple[TaskId, ...]:
    return tuple(task_id for task_id, entry in state.tasks.at_work() if entry.is_at_gate)


@THREAD_RULES.handles
def retry_task(command: Retry, state: ThreadState) -> Decided:
    _check_live(state)
    entry = _task(state, command.task_id)
    if entry.status not in RETRYABLE:
        raise WrongStateError(
            f"{quoted_task(command.task_id)} is {entry.status}: only failed, cancelled or blocked ones"
        )
    unmet = [d for d in entry.task.depends_on if state.tasks[d].status in RETRYABLE]
    if unmet:
        raise WrongStateError(
            f"{quoted_task(command.task_id)} waits for {few_names(unmet)}: retry first"
        )
    of_contest = retried_with(command, state)
    chosen = beginning(command, state)
    notes = f"retried from checkpoint {command.commit[:12]}" if chosen else "retried"
    retried = updated(state, command.task_id, TaskStatus.PENDING, notes)
    unblocked = (
        updated(state, freed, TaskStatus.PENDING, "unblocked")
        for freed in _freed(state, entry.task.candidate_of or command.task_id)
    )
    where = f" from checkpoint {command.commit[:12]}" if chosen else ""
    answer = Answer(message=f"retrying {task_name(command.task_id, '')}{where}")
    others = (updated(state, name, TaskStatus.PENDING, "retried") for name in of_contest)
    return Decided((*chosen, retried, *others, *unblocked), answer)


def _freed(state: ThreadState, task_id: TaskId) -> list[TaskId]:
    """Return the blocked tasks that nothing but this one held, nearest first.

    A plan's order need not be that of its dependencies, so the layers of the graph give it.
    """
    free = {task_id}
    found: list[TaskId] = []
    for name in state.tasks.by_wave(state.tasks.dependants(task_id)):
        entry = state.tasks[name]
        if entry.status is not TaskStatus.BLOCKED:
            continue
        if all(d in free or state.tasks[d].status not in RETRYABLE for d in entry.task.depends_on):
            free.add(name)
            found.append(name)
    return found


@THREAD_RULES.handles
def end_task(command: EndTask, state: ThreadState) -> Decided:
    entry = state.tasks.get(command.task_id)
    is_awaited = entry is not None and entry.status.is_at_work and entry.end is None
    if entry is None or not is_awaited or entry.run != command.run:
        return Decided()
    reported = thread_events.TaskReported(**dict(command))
    if command.end is TaskEnd.ACCEPTED and (reason := refusal_to_merge(entry, command, state)):
        reported = reported.model_copy(update={"end": TaskEnd.CANCELLED, "reason": reason})
    elif entry.is_abort_requested and command.end is TaskEnd.ACCEPTED:
        # the abort was promised before this end was known: nothing of the run is merged
        by = entry.aborted_by or "a person"
        why = f"aborted by {by} before its merge: what was approved is not merged"
        update = {"end": TaskEnd.CANCELLED, "reason": why}
        reported = reported.model_copy(update=update)
    return Decided((reported,))


@THREAD_RULES.handles
def settle_task(command: SettleTask, state: ThreadState) -> Decided:
    if state.settling[:1] != (command.task_id,) or state.tasks[command.task_id].run != command.run:
        return Decided()
    entry, task_id, merge = state.tasks[command.task_id], command.task_id, command.merge
    events: list[EventBody] = [thread_events.TaskSettled(task_id=task_id, run=command.run)]
    if entry.end is TaskEnd.CANCELLED:
        notes = f"{entry.notes}: {entry.abort_reason}" if entry.abort_reason else entry.notes
        events.append(updated(state, task_id, TaskStatus.CANCELLED, notes))
        if not entry.is_aborted_with_all:
            events.extend(blocked(state, task_id, f"{task_name(task_id, '')} was aborted"))
    elif conflict := conflict_after(state, task_id, merge):
        events.append(ConflictFound(conflict=conflict))
    elif entry.end is TaskEnd.FAILED or merge.commit is None:
        notes = entry.notes or merge.failure
        events.append(updated(state, task_id, TaskStatus.FAILED, notes))
        events.extend(blocked(state, task_id, f"{task_name(task_id, '')} failed"))
        if not entry.task.candidate_of:  # its task goes on with the others
            events.extend(escalated(state, task_id, command.run, f"failed for good: {notes}"))
    else:
        merged = thread_events.TaskMerged(
            task_id=task_id,
            commit=merge.commit,
            branch=state.opened.branch if state.opened else "",
            attempts=entry.attempts,
            duration_ms=entry.duration_ms,
        )
        events += [merged, updated(state, task_id, TaskStatus.COMPLETED)]
    return Decided(tuple(events))
