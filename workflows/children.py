"""What a thread starts: the inputs and options of its sessions and tasks, and their settling."""

from typing import Any

from temporalio.exceptions import ActivityError
from temporalio.workflow import ActivityConfig, ParentClosePolicy

from activities.threads import Settling
from domain.agents.agents import Prompt
from domain.agents.offers import AgentOptions
from domain.conversations.sessions.inputs import SessionInput
from domain.core.beside import changed_by
from domain.core.ids import WORK, SessionId, StreamId, TaskId, host_queue
from domain.core.listing import project_name
from domain.core.workspaces import MergeResult
from domain.forges.pull_requests import MergeMethod
from domain.plans.plan import PlannedTask
from domain.plans.templates.template import GatePolicy
from domain.tasks.events import TaskEnd
from domain.tasks.inputs import TaskInput
from domain.threads.autonomy import gate_of
from domain.threads.calls import SettleCall, SettleTasksCall
from domain.threads.children import rules as child_threads
from domain.threads.commands import SettleTask
from domain.threads.contests.composing import begins_composed, composition_of
from domain.threads.events import ThreadOpened
from domain.threads.inputs import ThreadInput
from domain.threads.patches import (
    LOST_SESSIONS_ARE_REPLACED,
    PROGRESS_IS_CARRIED,
    RETRIES_ARE_ATTEMPTS,
)
from domain.threads.running.briefs import brief
from domain.threads.running.state import ThreadTask
from domain.threads.state import ThreadState
from domain.threads.turn_limits import turn_limits
from domain.threads.working.rules import unread_before
from domain.verification.steps import without_reviews
from workflows import options
from workflows.attributes import listed
from workflows.failures import is_unbegun
from workflows.loop import Loop

MAX_SETTLED = 50
"""Runs that one activity is given to settle."""


def _opened(state: ThreadState) -> ThreadOpened:
    if state.opened is None:
        raise RuntimeError("the thread is not open")
    return state.opened


def branch_of(state: ThreadState, task_id: TaskId, run: int) -> str | None:
    """Return the branch of a run of a task; None where it works on the thread's own."""
    # no task's id has a point in it, so no run has the branch of another task
    suffix = f".{run}" if run > 1 else ""
    return None if state.is_shared else f"{state.task_stem}--{task_id}{suffix}"


def session_input(
    thread: ThreadInput, state: ThreadState, session_id: SessionId, key: str, prompt: Prompt
) -> SessionInput:
    """Return what a session starts with."""
    opened, session = _opened(state), state.sessions[session_id]
    return SessionInput(
        thread_id=thread.thread_id,
        project=project_name(opened.facts.root),
        repository=opened.facts.root,
        host=opened.host,
        generation=state.moving.generation,
        base=opened.branch,
        session_id=session_id,
        person=opened.opened_by,
        role=session.opened_as or session.role,
        agent=session.agent,
        model=session.model,
        options=session.options or _options_of(opened, session.agent),
        has_own_worktree=session.has_own_worktree,
        max_context_tokens=opened.planner.max_context_tokens or None,
        has_plan_files=state.plan_files.is_on,
        is_end_reported=state.has_patch(LOST_SESSIONS_ARE_REPLACED),
        hosts=opened.template.resources.hosts,
        set_up=state.set_up.used,
        name=opened.name,
        beside=opened.others,
        money=turn_limits(opened),
        first_key=key,
        first_prompt=prompt,
        agent_session=session.agent_session,
    )


def task_input(thread: ThreadInput, state: ThreadState, task_id: TaskId, run: int) -> TaskInput:
    """Return what a run of a task starts with: the plan, not the talk that led to it."""
    opened, entry = _opened(state), state.tasks[task_id]
    task = entry.task
    return TaskInput(
        thread_id=thread.thread_id,
        project=project_name(opened.facts.root),
        repository=opened.facts.root,
        host=opened.host,
        generation=state.moving.generation,
        base=opened.branch,
        branch=branch_of(state, task_id, run),
        task=task,
        run=run,
        person=opened.opened_by,
        template=opened.template.name,
        **_beginning(state, task_id, run),
        conflict=state.merges.work_of(task_id, run),
        **_worker(state, task, opened),
        max_retries=_retries_of(task, opened),
        is_gate_automatic=gate_of(task, opened, state.autonomy) is GatePolicy.AUTO,
        gate_approvals=opened.four_eyes.gate_approvals,
        judge_policy=opened.template.verification.judges,
        keeps_asking=True,
        plan_approval=state.plan_approval_of(task_id),
        reviewer=opened.agent,
        reviewer_model=opened.model,
        code_reviewer=opened.planner.review_agent or "",
        code_reviewer_model=opened.planner.review_model,
        max_context_tokens=opened.planner.max_context_tokens or None,
        has_plan_files=state.plan_files.is_on,
        recipe=opened.template.verification.recipe,
        hosts=opened.template.resources.hosts,
        set_up=state.set_up.used,
        name=opened.name,
        beside=changed_by(opened.others, task.repositories),
        brief=brief(state, task_id, run),
        carries_progress=opened.has_patch(PROGRESS_IS_CARRIED),
        money=turn_limits(opened, task),
    )


def _beginning(state: ThreadState, task_id: TaskId, run: int) -> dict[str, Any]:
    """Return the files that a run begins with: of a checkpoint, or put together from several candidates."""
    begins = state.tasks[task_id].beginning_of(run)
    composed = composition_of(task_id, state)
    return {
        "begins_with": begins.commit if begins else begins_composed(composed, run),
        "composed": composed.snapshot if composed and composed.run == run else None,
    }


def _worker(state: ThreadState, task: PlannedTask, opened: ThreadOpened) -> dict[str, Any]:
    """Return who works on a task: the agent that it names, the thread's, or the session of the work."""
    working = state.working
    if task.id == WORK and working.session_id is not None and not working.is_gone:
        names = ("agent", "model", "options")
        session = state.sessions[working.session_id]
        of = working if working.agent else session
        own = {name: getattr(of, name) for name in names}
        lent = {"session": session.session_id, "turns_before": working.turns}
        return {**own, **lent, "said": unread_before(state)}
    agent = task.agent or opened.agent
    model = task.model or (opened.model if task.agent is None else None)
    return {"agent": agent, "model": model, "options": _options_of(opened, agent)}


def _retries_of(task: PlannedTask, opened: ThreadOpened) -> int:
    """Return how often a task is tried again after its first attempt."""
    usual = opened.template.verification.max_retries
    attempts = usual if task.max_retries is None else task.max_retries
    return max(attempts - 1, 0) if opened.has_patch(RETRIES_ARE_ATTEMPTS) else attempts


def _options_of(opened: ThreadOpened, agent: str) -> AgentOptions:
    """Return the options of the thread's own agent; another one's have other names."""
    return opened.options if agent == opened.agent else {}


def session_options(session: SessionInput) -> dict[str, Any]:
    """Return the options a session's workflow is started with."""
    return {
        **listed(session.listing),
        "parent_close_policy": ParentClosePolicy.ABANDON,
        "task_timeout": options.WORKFLOW_TASK,
    }


def task_options(task: TaskInput) -> dict[str, Any]:
    """Return the options a task's workflow is started with; it outlives its thread's runs."""
    return {
        **listed(task.listing),
        "parent_close_policy": ParentClosePolicy.ABANDON,
        "task_timeout": options.WORKFLOW_TASK,
    }


async def settle(
    loop: Loop[ThreadState],
    thread: ThreadInput,
    state: ThreadState,
    task_id: TaskId,
    run: int,
) -> SettleTask:
    """Merge an accepted run and release what it held."""
    call = settle_call(thread, state, task_id, run)
    where = _where_settled(state, (task_id,))
    try:
        merge = await loop.run_activity(Settling.settle_task, call, where)
    except ActivityError as error:
        merge = MergeResult(failure=str(error.cause or error))
    return SettleTask(task_id=task_id, run=run, merge=merge)


async def settle_all(
    loop: Loop[ThreadState], thread: ThreadInput, state: ThreadState
) -> list[SettleTask]:
    """Settle the runs that wait for it, as far as that is quick; returns how the first were settled."""
    runs = [(task_id, state.tasks[task_id].run) for task_id in state.settling[:MAX_SETTLED]]
    calls = tuple(settle_call(thread, state, task_id, run) for task_id, run in runs)
    where = _where_settled(state, tuple(task_id for task_id, _ in runs))
    try:
        settled = await loop.run_activity(
            Settling.settle_tasks, SettleTasksCall(calls=calls), where
        )
        merges = settled.merges
    except ActivityError as error:
        late = len(runs) if is_unbegun(error) else 1
        merges = (MergeResult(failure=str(error.cause or error)),) * late
    return [
        SettleTask(task_id=task_id, run=run, merge=merge)
        for (task_id, run), merge in zip(runs, merges, strict=False)
    ]


def _where_settled(state: ThreadState, tasks: tuple[TaskId, ...]) -> ActivityConfig:
    """Return where runs are settled; those that are all aborted wait for their host a short while only."""
    where = options.on(host_queue(_opened(state).host), options.SETTLE)
    is_over = all(state.tasks[task_id].end is TaskEnd.CANCELLED for task_id in tasks)
    return options.within(options.GONE_PATIENCE, where) if is_over else where


def settle_call(thread: ThreadInput, state: ThreadState, task_id: TaskId, run: int) -> SettleCall:
    """Return what settles a run."""
    task, entry = task_input(thread, state, task_id, run), state.tasks[task_id]
    opened = _opened(state)
    is_child = child_threads.is_child_run(state, task_id)
    # a child's work is on its own branch; here is only a place to verify the merge
    branch = None if is_child else task.branch
    return SettleCall(
        key=f"{task.workflow_id}/run-{run}",
        task_id=task_id,
        workspace=task.workspace.model_copy(update={"branch": branch}),
        sessions=() if is_child else (task.session_id,),
        commit=entry.commit if entry.end is TaskEnd.ACCEPTED else None,
        branch=opened.branch,
        is_linear=state.is_shared,
        run=run,
        stream=StreamId(thread.thread_id),
        steps=without_reviews(entry.task.verification),
        port_ids=tuple(port.id for port in entry.task.ports),
        recipe=task.recipe,
        earlier=tuple(task_input(thread, state, task_id, n).workspace for n in range(1, run)),
        title=entry.task.title,
        is_verified=not is_child,
        keeps=state.merges.kept_of(task_id, run),
        method=MergeMethod.MERGE if opened.others else state.git.task_merge_method,
        trailers=(*task.trailers(entry.attempts), *_approvals(entry)),
    )


def _approvals(entry: ThreadTask) -> tuple[tuple[str, str], ...]:
    """Return what says in a merge commit who approved it."""
    return tuple(("Approved-by", person) for person in entry.approved_by)
