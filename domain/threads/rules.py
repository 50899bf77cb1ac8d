"""The rules of a thread in one place: `decide`, what follows by itself, and `todo`."""

from collections.abc import Iterable

from domain.core.decisions import Decided
from domain.core.event import EventBody
from domain.core.ids import TaskId
from domain.core.wire import Wire
from domain.plans.status import PlanStatus
from domain.tasks.status import TaskStatus
from domain.threads import requests, sessions
from domain.threads.amending import closing
from domain.threads.amending import evolution as amending_evolution
from domain.threads.amending import planning as amendment_planning
from domain.threads.amending import rules as amending
from domain.threads.asking import rules as asking
from domain.threads.children import evolution as child_evolution
from domain.threads.children import rules as child_threads
from domain.threads.dispatch import FOLLOWS, TODOS, dispatch, does, follows
from domain.threads.effects import AbortTask, DeliverPrompt, MergeTask, RunTask, ThreadEffect
from domain.threads.evolution import evolve
from domain.threads.landing import rules as landing
from domain.threads.lifecycle import rules as keeping
from domain.threads.merging import collisions, conflicts
from domain.threads.plan_files import rules as plan_files
from domain.threads.planning import approving, criticising, proposing, suggesting
from domain.threads.planning import evolution as planning_evolution
from domain.threads.planning import rules as planning
from domain.threads.planning import turns as planners_turns
from domain.threads.publishing import rules as publishing
from domain.threads.running import (
    clock,
    coordination,
    decisions,
    execution,
    learnings,
    progress,
    reports,
    supervision,
    verbs,
)
from domain.threads.sharing import rules as sharing
from domain.threads.state import QueuedPrompt, ThreadState

RULES = (
    requests,
    sessions,
    sharing,
    asking,
    planning,
    planning_evolution,
    proposing,
    planners_turns,
    approving,
    suggesting,
    criticising,
    clock,
    decisions,
    execution,
    progress,
    conflicts,
    collisions,
    amending,
    amending_evolution,
    amendment_planning,
    child_evolution,
    child_threads,
    keeping,
    coordination,
    learnings,
    supervision,
    verbs,
    publishing,
    landing,
    plan_files,
)
"""The slices; importing them registers their rules with the dispatcher."""


def decide(state: ThreadState, command: Wire) -> Decided:
    """Return the events of a command, with those that follow by themselves.

    Raises:
        TreadleError: The command is refused; nothing changes.
    """
    keeping.refuse_if_going(state, command)
    decided = dispatch(command, state)
    events = list(decided.events)
    after = folded(state, events)
    is_settled = False
    while not is_settled:
        before = len(events)
        for rule in FOLLOWS:
            more = tuple(rule(after))
            after = folded(after, more)
            events += more
        is_settled = len(events) == before
    return decided._replace(events=tuple(events))


def folded(state: ThreadState, events: Iterable[EventBody]) -> ThreadState:
    """Return the state after events that are not recorded yet."""
    for event in events:
        state = evolve(state, event)
    return state


def todo(state: ThreadState) -> list[ThreadEffect]:
    """Return everything that must be under way in this state."""
    return [effect for rule in TODOS for effect in rule(state)]


def lost(state: ThreadState) -> tuple[EventBody, ...]:
    """Return the ends of amendments that can't happen any more.

    No follow of `decide`: runs of before close none, so a workflow records them with a patch id.
    """
    return tuple(closing.lost(state))


@follows
def _progress(state: ThreadState) -> Iterable[EventBody]:
    """Start the tasks that can start, and end a plan that is done.

    A paused plan starts nothing, but it ends when its last task does.
    """
    if state.plan_status is PlanStatus.ACTIVE and state.opened is not None:
        yield from _starts(state, state.opened.planner.max_parallel_steps)
    if state.plan_status.is_live and all(
        entry.status is TaskStatus.COMPLETED for entry in state.tasks.values()
    ):
        yield reports.ending(state, PlanStatus.COMPLETED)


def _starts(state: ThreadState, slots: int) -> tuple[EventBody, ...]:
    """Return the starts of tasks, as far as slots are free.

    A task starts when all it depends on is completed and its decision made. It can only start under
    an approved plan: without one there are no tasks.
    """
    running = sum(entry.status.is_at_work for entry in state.tasks.values())
    free = slots - running
    events: list[EventBody] = []
    for task_id, entry in state.tasks.items():
        if entry.status not in {TaskStatus.PENDING, TaskStatus.NEEDS_DECISION}:
            continue
        if not _has_dependencies(state, task_id):
            continue
        if _is_undecided(state, task_id):
            if entry.status is TaskStatus.PENDING:
                events.append(execution.updated(state, task_id, TaskStatus.NEEDS_DECISION))
        elif free > 0:
            free -= 1
            run = state.next_run(task_id)
            is_planned = state.plan_approval_of(task_id) is not None
            status = TaskStatus.PLANNING if is_planned else TaskStatus.RUNNING
            events.append(execution.updated(state, task_id, status, run=run))
            events += child_threads.opened(state, task_id, run)
        elif entry.status is TaskStatus.NEEDS_DECISION:
            events.append(execution.updated(state, task_id, TaskStatus.PENDING))
    return tuple(events)


def _has_dependencies(state: ThreadState, task_id: TaskId) -> bool:
    needs = state.tasks[task_id].task.depends_on
    return all(state.tasks[needed].status is TaskStatus.COMPLETED for needed in needs)


def _is_undecided(state: ThreadState, task_id: TaskId) -> bool:
    decision = state.tasks[task_id].task.decision_id
    return decision is not None and state.decisions[decision].selections is None


@does
def _deliveries(state: ThreadState) -> Iterable[ThreadEffect]:
    for p in _first_of_each_session(state):
        yield DeliverPrompt(
            prompt_key=p.key, session_id=p.session_id, prompt=coordination.briefed(p, state)
        )


@does
def _runs(state: ThreadState) -> Iterable[ThreadEffect]:
    for task_id, entry in state.tasks.items():
        if child_threads.is_child_run(state, task_id):
            continue
        if entry.status.is_at_work and entry.end is None:
            yield RunTask(task_id=task_id, run=entry.run)
            if entry.is_abort_requested:
                yield AbortTask(task_id=task_id, run=entry.run)
    if state.settling:
        first = state.settling[0]
        yield MergeTask(task_id=first, run=state.tasks[first].run)


def _first_of_each_session(state: ThreadState) -> list[QueuedPrompt]:
    seen: set[str] = set()
    firsts: list[QueuedPrompt] = []
    for prompt in state.prompts:
        if prompt.session_id not in seen:
            seen.add(prompt.session_id)
            firsts.append(prompt)
    return firsts
