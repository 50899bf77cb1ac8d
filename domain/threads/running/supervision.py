"""What supervision raises about the tasks of a plan that runs.

The rules are in domain/plans/supervision.py. Each concern is raised once for a run of a task; with the
setting `supervision_pauses` it pauses the plan for the person.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from domain.core.event import EventBody
from domain.core.ids import TaskId
from domain.core.task_names import task_name
from domain.plans.status import PlanStatus
from domain.plans.supervision import Concern, concerns, quiet, watched
from domain.threads.effects import ThreadEffect, WaitUntil, WatchRuns
from domain.threads.events import PlanStatusChanged
from domain.threads.evolution import with_task
from domain.threads.patches import RUNS_ARE_WATCHED_TOGETHER
from domain.threads.registry import THREAD_RULES
from domain.threads.running.events import SupervisionRaised, TaskProgressed, TaskWatched
from domain.threads.running.state import Notice, ThreadTask
from domain.threads.state import ThreadState

MAX_NOTICES = 50
MAX_REASON = 1_000
SUPERVISION = "supervision"


def raised(state: ThreadState, found: Iterable[tuple[TaskId, Concern]]) -> tuple[EventBody, ...]:
    """Return the events of concerns about tasks' newest runs, but for those raised before."""
    new = tuple(
        SupervisionRaised(
            plan_id=state.plan_id,
            concern=concern.kind,
            task_id=task_id,
            run=state.tasks[task_id].run,
            message=concern.message,
            advice=concern.advice,
        )
        for task_id, concern in found
        if concern.kind not in state.tasks[task_id].oversight.raised
    )
    pauses = state.planner_settings.supervision_pauses
    if not new or not pauses or state.plan_status is not PlanStatus.ACTIVE:
        return new
    return (*new, paused_by(state, new))


def paused_by(state: ThreadState, raised: Sequence[SupervisionRaised]) -> PlanStatusChanged:
    """Return the pause that concerns bring, with what they are: a person asks for it later."""
    return PlanStatusChanged(
        plan_id=state.plan_id,
        status=PlanStatus.PAUSED,
        by=SUPERVISION,
        reason="; ".join(f"{task_name(each.task_id, '')}: {each.message}" for each in raised)[
            :MAX_REASON
        ],
    )


@THREAD_RULES.reacts
def raise_concerns(state: ThreadState) -> Iterable[EventBody]:
    """Raise what worries about the runs that are under way."""
    if state.plan_status.is_live:
        yield from raised(state, _found(state))


def _found(state: ThreadState) -> Iterable[tuple[TaskId, Concern]]:
    for task_id, entry in state.tasks.at_work():
        progress = entry.progress
        if progress is None:
            continue
        area, limits = entry.task.area, state.planner_settings
        for concern in concerns(entry.oversight.watch, progress, area, limits):
            yield task_id, concern


@THREAD_RULES.evolves
def apply_supervision_raised(event: SupervisionRaised, state: ThreadState) -> ThreadState:
    before = state.tasks[event.task_id].oversight
    oversight = before.model_copy(update={"raised": (*before.raised, event.concern)})
    notice = Notice(
        advice=event.advice,
        reason=event.message,
        task_id=event.task_id,
        run=event.run,
        concern=event.concern,
    )
    notices = (*state.notices, notice)[-MAX_NOTICES:]
    changed = state.model_copy(update={"notices": notices})
    return with_task(changed, event.task_id, oversight=oversight)


def heard(state: ThreadState, event: TaskProgressed) -> ThreadState:
    """Return the state after a run told how far it is."""
    progress = event.progress
    before = state.tasks[progress.task_id].oversight
    oversight = before.model_copy(
        update={
            "watch": watched(before.watch, progress),
            "heard_at": event.at or before.heard_at,
        }
    )
    return with_task(state, progress.task_id, progress=progress, oversight=oversight)


# --- no word for too long


def _should_report(state: ThreadState, task_id: TaskId) -> bool:
    """Tell whether a task should be heard of: it runs, and waits for nobody.

    A child thread that has begun tells changes alone, and looks after its own tasks itself.
    """
    entry = state.tasks[task_id]
    if not entry.status.is_at_work or entry.end is not None or entry.is_at_gate:
        return False
    child = state.family.child_of(task_id, entry.run)
    if child is not None:
        return child.report is None
    return entry.progress is None or not entry.progress.waits_for


def _watchable(state: ThreadState) -> dict[TaskId, ThreadTask]:
    """Return the tasks whose silence is noticed: those at work, where a setting says so."""
    if not state.planner_settings.supervision_quiet_seconds:
        return {}
    return {i: t for i, t in state.tasks.at_work() if t.end is None}


@THREAD_RULES.requires
def await_reports(state: ThreadState) -> Iterable[ThreadEffect]:
    watched = _watchable(state).items()
    if state.has_patch(RUNS_ARE_WATCHED_TOGETHER):
        moments = [at for _, entry in watched if (at := entry.oversight.look_at) is not None]
        if moments:
            yield WatchRuns(at=min(moments))
        return
    for task_id, entry in watched:
        if (moment := entry.oversight.look_at) is not None:
            yield WaitUntil(what=f"report:{task_id}:{entry.run}", at=moment)


@THREAD_RULES.reacts
def watch_tasks(state: ThreadState, now: datetime) -> Iterable[EventBody]:
    """Begin to watch each run, and raise the concern about one that has been silent for too long."""
    limit = state.planner_settings.supervision_quiet_seconds
    for task_id, entry in _watchable(state).items():
        oversight = entry.oversight
        if oversight.look_at is None:
            yield _watched(state, task_id, now)
        elif oversight.look_at <= now:
            last = oversight.heard_at or oversight.look_at
            is_silent = last + timedelta(seconds=limit) <= now
            if is_silent and _should_report(state, task_id):
                yield from raised(state, [(task_id, quiet(limit))])
            yield _watched(state, task_id, now if is_silent else last)


def _watched(state: ThreadState, task_id: TaskId, heard_at: datetime) -> TaskWatched:
    patience = timedelta(seconds=state.planner_settings.supervision_quiet_seconds)
    return TaskWatched(
        task_id=task_id,
        run=state.tasks[task_id].run,
        heard_at=heard_at,
        look_at=heard_at + patience,
    )


@THREAD_RULES.evolves
def apply_task_watched(event: TaskWatched, state: ThreadState) -> ThreadState:
    before = state.tasks[event.task_id].oversight
    changes = {"look_at": event.look_at, "heard_at": before.heard_at or event.heard_at}
    return with_task(state, event.task_id, oversight=before.model_copy(update=changes))
