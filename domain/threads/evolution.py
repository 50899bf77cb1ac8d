"""How each event changes a thread."""

from domain.agents.agents import SessionRole
from domain.core.approvals import ApprovalRequest, Subject
from domain.core.ids import WORK, TaskId
from domain.plans.plan import Plan, PlannedTask
from domain.plans.supervision import Oversight
from domain.publications.reworks import REWORK_TURNS
from domain.tasks.status import TaskStatus
from domain.threads import events as thread_events
from domain.threads.bases.state import base_at_opening
from domain.threads.patches import REWORKS_ARE_BOUNDED, WORK_IN_SESSION
from domain.threads.registry import THREAD_RULES
from domain.threads.running.candidates import with_candidates
from domain.threads.running.state import PlanDecision, ThreadTask
from domain.threads.state import SINGLE_UNIT, ThreadState
from domain.threads.thread_sessions import QueuedPrompt, ThreadSession
from domain.threads.working.state import Working


def with_task(state: ThreadState, task_id: TaskId, **changes: object) -> ThreadState:
    """Return the state with fields of one task changed."""
    changed = state.tasks[task_id].model_copy(update=changes)
    return state.model_copy(update={"tasks": state.tasks.with_task(task_id, changed)})


def without_request(state: ThreadState, request_id: str) -> dict[str, ApprovalRequest]:
    """Return the open requests but for one."""
    return {name: r for name, r in state.requests.items() if name != request_id}


def _title_of(event: thread_events.ThreadOpened) -> str:
    """Return what a thread is called by what it comes from; empty where it comes from nothing."""
    imported = event.imported.title if event.imported else ""
    return event.issue.title if event.issue else imported


@THREAD_RULES.evolves
def apply_thread_opened(event: thread_events.ThreadOpened, state: ThreadState) -> ThreadState:
    return state.model_copy(
        update={
            "opened": event,
            "goal": event.goal,
            "first_title": _title_of(event),
            "is_auto": event.planner.auto_run,
            "base": base_at_opening(event.base),
        }
    )


@THREAD_RULES.evolves
def apply_session_opened(event: thread_events.SessionOpened, state: ThreadState) -> ThreadState:
    session = ThreadSession(
        session_id=event.session_id,
        role=event.role,
        agent=event.agent,
        model=event.model,
        options=event.options,
        command_id=event.command_id,
        has_own_worktree=event.has_own_worktree,
        opened_as=event.role,
        agent_session=event.agent_session,
    )
    return state.model_copy(update={"sessions": {**state.sessions, event.session_id: session}})


@THREAD_RULES.evolves
def apply_sessions_archived(
    event: thread_events.SessionsArchived, state: ThreadState
) -> ThreadState:
    archived = {
        session_id: session.model_copy(update={"is_archived": True})
        for session_id, session in state.sessions.items()
        if session_id in event.session_ids
    }
    return state.model_copy(update={"sessions": {**state.sessions, **archived}})


@THREAD_RULES.evolves
def apply_prompt_queued(event: thread_events.PromptQueued, state: ThreadState) -> ThreadState:
    queued = QueuedPrompt.model_validate(event.model_dump(exclude={"kind"}))
    session = state.sessions.get(event.session_id)
    sessions = state.sessions
    if session is not None and event.role is not None:
        is_chat = event.role is SessionRole.CHAT
        opened_as = SessionRole.CHAT if is_chat else session.opened_as
        changed = session.model_copy(update={"role": event.role, "opened_as": opened_as})
        sessions = {**sessions, event.session_id: changed}
    return state.model_copy(
        update={
            "sessions": sessions,
            "working": state.working.called(event.session_id) if event.role else state.working,
            "prompts": (*state.prompts, queued),
            "seen_prompts": (*state.seen_prompts, event.key),
            "planning": state.planning.asked(event.session_id),
        }
    )


@THREAD_RULES.evolves
def apply_prompt_delivered(event: thread_events.PromptDelivered, state: ThreadState) -> ThreadState:
    return state.model_copy(
        update={"prompts": tuple(p for p in state.prompts if p.key != event.key)}
    )


@THREAD_RULES.evolves
def apply_plan_started(event: thread_events.PlanStarted, state: ThreadState) -> ThreadState:
    plan = state.plan or Plan()
    tasks = tasks_of(plan, state)
    return state.model_copy(
        update={
            "plan_status": thread_events.PlanStatus.ACTIVE,
            "paused": "",
            "tasks": with_candidates({task.id: ThreadTask(task=task) for task in tasks}),
            "contests": {},
            "working": Working(session_id=event.session_id),
            "decisions": {d.id: PlanDecision(decision=d) for d in plan.decisions},
            "settling": (),
            "merges": state.merges.of_another_plan(),
            "stems": _stems(state),
            "notices": (),
            "amending": state.amending.restarted(),
        }
    )


def _stems(state: ThreadState) -> tuple[str, ...]:
    """Return what tasks' branches began with, now that another plan starts."""
    own = state.opened.branch if state.opened else ""
    return tuple(dict.fromkeys(s for s in (*state.stems, state.task_stem) if s != own))


def tasks_of(plan: Plan, state: ThreadState) -> tuple[PlannedTask, ...]:
    """Return what a plan runs as: its tasks, or the one that a plan without tasks is."""
    return plan.tasks or (_single_unit(plan, state),)


def _single_unit(plan: Plan, state: ThreadState) -> PlannedTask:
    """Return the one task that a plan without tasks is."""
    return PlannedTask(
        id=WORK if state.has_patch(WORK_IN_SESSION) else SINGLE_UNIT,
        title=plan.goal or state.goal,
        description="\n\n".join(part for part in (plan.summary, plan.approach) if part),
        ports=state.opened.template.resources.default_ports if state.opened else (),
        verification=plan.verification,
        max_turns=_most_turns(state),
    )


def _most_turns(state: ThreadState) -> int | None:
    """Return how many turns the work may take: bounded where a pull request's policy has it done."""
    rework = state.publication.rework
    is_its = rework is not None and bool(rework.plan) and not rework.is_ended
    is_by_policy = is_its and rework is not None and rework.is_by_policy
    return REWORK_TURNS if is_by_policy and state.has_patch(REWORKS_ARE_BOUNDED) else None


@THREAD_RULES.evolves
def apply_plan_status_changed(
    event: thread_events.PlanStatusChanged, state: ThreadState
) -> ThreadState:
    by = f" by {event.by}" if event.by else ""
    reason = f": {event.reason}" if event.reason else ""
    is_paused = event.status is thread_events.PlanStatus.PAUSED
    return state.model_copy(
        update={"plan_status": event.status, "paused": f"paused{by}{reason}" if is_paused else ""}
    )


@THREAD_RULES.evolves
def apply_plan_completed(event: thread_events.PlanCompleted, state: ThreadState) -> ThreadState:
    waiting = {n: r for n, r in state.requests.items() if r.subject is not Subject.AMENDMENT}
    return state.model_copy(
        update={
            "plan_status": event.final_status,
            "requests": waiting,
            "amending": state.amending.closed(event.final_status),
        }
    )


@THREAD_RULES.evolves
def apply_task_updated(event: thread_events.TaskUpdated, state: ThreadState) -> ThreadState:
    is_same = event.new_status.is_at_work and event.run == state.tasks[event.task_id].run
    changes: dict[str, object] = {
        "status": event.new_status,
        "notes": event.notes,
        "is_abort_requested": is_same and state.tasks[event.task_id].is_abort_requested,
    }
    if event.new_status is TaskStatus.PENDING:
        changes["abort_reason"] = ""
    if event.new_status.is_at_work and event.run != state.tasks[event.task_id].run:
        changes |= {"run": event.run, "end": None, "commit": None}
        changes |= {"progress": None, "oversight": Oversight(), "learned": ()}
        runs = {**state.runs, event.task_id: event.run}
        state = state.model_copy(update={"runs": runs})
    return with_task(state, event.task_id, **changes)


@THREAD_RULES.evolves
def apply_task_abort_requested(
    event: thread_events.TaskAbortRequested, state: ThreadState
) -> ThreadState:
    abort = {
        "aborted_by": event.by,
        "is_aborted_with_all": event.is_of_all,
        "abort_reason": event.reason,
    }
    return with_task(state, event.task_id, is_abort_requested=True, **abort)


@THREAD_RULES.evolves
def apply_task_reported(event: thread_events.TaskReported, state: ThreadState) -> ThreadState:
    entry = state.tasks[event.task_id]
    after = with_task(
        state,
        event.task_id,
        end=event.end,
        notes=event.reason,
        commit=event.commit,
        learned=event.learnings,
        attempts=entry.attempts + event.attempts,
        approved_by=event.approved_by,
        duration_ms=entry.duration_ms + event.duration_ms,
    )
    working = state.working
    if event.task_id == WORK:
        progressed = entry.progress.session_turns if entry.progress else 0
        # of a run that was lost nobody knows its last turn: that one is counted as well
        known = max(working.turns, progressed) + 1
        working = working.model_copy(update={"turns": event.session_turns or known})
    settling = (*state.settling, event.task_id)
    return after.model_copy(update={"settling": settling, "working": working})


@THREAD_RULES.evolves
def apply_task_settled(event: thread_events.TaskSettled, state: ThreadState) -> ThreadState:
    settling = tuple(t for t in state.settling if t != event.task_id)
    return state.model_copy(update={"settling": settling})


@THREAD_RULES.evolves
def apply_task_merged(event: thread_events.TaskMerged, state: ThreadState) -> ThreadState:
    family = state.family.model_copy(update={"head": event.commit})
    after = state.model_copy(update={"family": family})
    return with_task(after, event.task_id, merge_commit=event.commit)
