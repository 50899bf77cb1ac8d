"""The rules of a thread in one place; importing this module registers them all."""

from collections.abc import Iterable

from domain.core.event import EventBody
from domain.core.ids import TaskId
from domain.plans.status import PlanStatus
from domain.tasks.status import TaskStatus
from domain.threads import evolution, requests, sessions
from domain.threads.amending import closing
from domain.threads.amending import evolution as amending_evolution
from domain.threads.amending import planning as amendment_planning
from domain.threads.amending import rules as amending
from domain.threads.asking import rules as asking
from domain.threads.bases import rules as bases
from domain.threads.children import evolution as child_evolution
from domain.threads.children import rules as child_threads
from domain.threads.contests import composing, deciding, following, judging, learned
from domain.threads.contests import evolution as contest_evolution
from domain.threads.effects import (
    AbortTask,
    DeliverPrompt,
    MergeTask,
    RunTask,
    SettleTasks,
    ThreadEffect,
)
from domain.threads.landing import rules as landing
from domain.threads.lifecycle import assigning
from domain.threads.lifecycle import rules as lifecycle
from domain.threads.merging import chats, collisions, conflicts
from domain.threads.moving import rules as moving
from domain.threads.patches import TASKS_SETTLE_TOGETHER, WAITING_TAKES_NO_SLOT
from domain.threads.plan_files import rules as plan_files
from domain.threads.planning import approving, criticising, proposing, suggesting
from domain.threads.planning import evolution as planning_evolution
from domain.threads.planning import rules as planning
from domain.threads.planning import turns as planners_turns
from domain.threads.publishing import reworking, stacking, watching
from domain.threads.publishing import rules as publishing
from domain.threads.registry import THREAD_RULES
from domain.threads.replacing import rules as replacing
from domain.threads.running import (
    agent_acts,
    coordination,
    decisions,
    execution,
    learnings,
    own_turns,
    progress,
    reports,
    supervision,
    verbs,
)
from domain.threads.running.state import ThreadTask
from domain.threads.setting_up import rules as setting_up
from domain.threads.sharing import rules as sharing
from domain.threads.state import ThreadState
from domain.threads.thread_sessions import QueuedPrompt
from domain.threads.working import rules as working

RULES = (
    bases,
    evolution,
    requests,
    sessions,
    sharing,
    setting_up,
    asking,
    planning,
    planning_evolution,
    proposing,
    planners_turns,
    approving,
    suggesting,
    criticising,
    decisions,
    execution,
    progress,
    chats,
    conflicts,
    collisions,
    amending,
    amending_evolution,
    amendment_planning,
    closing,
    child_evolution,
    child_threads,
    assigning,
    lifecycle,
    coordination,
    learnings,
    supervision,
    own_turns,
    agent_acts,
    verbs,
    publishing,
    reworking,
    watching,
    stacking,
    landing,
    plan_files,
    working,
    replacing,
    moving,
    contest_evolution,
    deciding,
    composing,
    following,
    learned,
    judging,
)
"""The slices that register rules."""


decide = THREAD_RULES.decide
evolve = THREAD_RULES.evolve
fold = THREAD_RULES.fold
effects = THREAD_RULES.effects


@THREAD_RULES.reacts
def start_tasks_and_end_plan(state: ThreadState) -> Iterable[EventBody]:
    """Start the tasks that can start, and end a plan that is done.

    A paused plan starts nothing, but it ends when its last task does.
    """
    if state.plan_status is PlanStatus.ACTIVE and state.opened is not None:
        yield from _starts(state, state.slots)
    if state.plan_status.is_live and state.tasks.is_completed:
        yield reports.ending(state, PlanStatus.COMPLETED)


THREAD_RULES.reacts(own_turns.take_own_turn)  # after all that starts or ends by itself


def _starts(state: ThreadState, slots: int) -> tuple[EventBody, ...]:
    """Return the starts of tasks, as far as slots are free.

    A task starts when all it depends on is completed and its decision made. It can only start under
    an approved plan: without one there are no tasks.
    """
    if state.set_up.holds_tasks:
        return ()
    free = slots - sum(_takes_slot(entry, state) for _, entry in state.tasks.at_work())
    events: list[EventBody] = []
    waiting = state.tasks.startable()
    if free <= 0:
        waiting.leave_decisions()
    for task_id in waiting:
        entry = state.tasks[task_id]
        if working.must_wait(task_id, state) or composing.is_being_composed(task_id, state):
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
            if not free:
                waiting.leave_decisions()
        elif entry.status is TaskStatus.NEEDS_DECISION:
            events.append(execution.updated(state, task_id, TaskStatus.PENDING))
    return tuple(events)


def _takes_slot(entry: ThreadTask, state: ThreadState) -> bool:
    """Tell whether a task at work has a slot; one that waits for a person leaves it to others.

    So more than the limit can be at work for a while, once people have answered.
    """
    progress = entry.progress
    is_told = progress is not None and progress.run == entry.run
    is_asking = is_told and progress is not None and (progress.asks != "" or entry.is_at_gate)
    return not (is_asking and state.has_patch(WAITING_TAKES_NO_SLOT))


def _is_undecided(state: ThreadState, task_id: TaskId) -> bool:
    decision = state.tasks[task_id].task.decision_id
    return decision is not None and state.decisions[decision].selections is None


@THREAD_RULES.requires
def deliver_prompts(state: ThreadState) -> Iterable[ThreadEffect]:
    for p in _first_of_each_session(state):
        if bases.holds(p, state):
            continue
        yield DeliverPrompt(
            prompt_key=p.key,
            session_id=p.session_id,
            prompt=coordination.briefed(p, state),
            role=p.role,
            is_reset=p.is_reset,
            turns=p.turns,
            is_for_work=working.takes(p, state),
        )


@THREAD_RULES.requires
def run_tasks(state: ThreadState) -> Iterable[ThreadEffect]:
    for task_id, entry in state.tasks.at_work():
        if child_threads.is_child_run(state, task_id):
            continue
        if entry.end is None:
            yield RunTask(task_id=task_id, run=entry.run)
            if entry.is_abort_requested:
                yield AbortTask(task_id=task_id, run=entry.run)
    if bases.due_of_merges(state):
        return
    if state.settling and state.has_patch(TASKS_SETTLE_TOGETHER):
        yield SettleTasks()
    elif state.settling:
        first = state.settling[0]
        yield MergeTask(task_id=first, run=state.tasks[first].run)


def _first_of_each_session(state: ThreadState) -> list[QueuedPrompt]:
    seen: set[str] = set()
    firsts: list[QueuedPrompt] = []
    for prompt in state.prompts:
        if prompt.session_id not in seen and not working.holds(prompt, state):
            seen.add(prompt.session_id)
            firsts.append(prompt)
    return firsts
