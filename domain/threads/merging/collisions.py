"""Rules of coming conflicts: the commits of running tasks are merged on trial, and told once.

Each new commit of a task is tried with the thread's branch and the newest commit of every other task
at work, unless it is known that nobody else changed its files. A pair is told again only when other
files are at odds.
"""

from collections.abc import Iterable

from domain.core.decisions import Decided
from domain.core.ids import TaskId
from domain.core.progress import MAX_FILES
from domain.core.workspaces import Collision, Work
from domain.plans.status import PlanStatus
from domain.plans.supervision import MAX_SHOWN, Advice, ConcernKind
from domain.threads.effects import ThreadEffect
from domain.threads.merging.effects import NoteCollisions, TryAllMerges, TryMerges
from domain.threads.merging.events import CollisionsChecked
from domain.threads.patches import TRIALS_ARE_SHARED
from domain.threads.registry import THREAD_RULES
from domain.threads.running.events import SupervisionRaised
from domain.threads.running.state import ThreadTask
from domain.threads.running.supervision import paused_by
from domain.threads.state import ThreadState


def _commit(entry: ThreadTask) -> str | None:
    """Return the newest commit of a task that is at work."""
    return entry.commit or (entry.progress.commit if entry.progress else None)


@THREAD_RULES.requires
def try_merges(state: ThreadState) -> Iterable[ThreadEffect]:
    if not state.plan_status.is_live or state.opened is None:
        return
    works = works_of(state)
    untried = [w for w in works if state.merges.tried.get(TaskId(w.name)) != w.commit]
    if state.has_patch(TRIALS_ARE_SHARED):
        if any(not _is_apart(work, state) for work in untried):
            yield TryAllMerges()
        return
    for work in untried[:1]:
        others = tuple(other for other in works if other.name != work.name)
        yield TryMerges(work=work, others=others, branch=state.opened.branch)


def works_of(state: ThreadState) -> list[Work]:
    """Return the newest commits of the tasks that are at work; of candidates at most one is merged."""
    alone = ((i, e) for i, e in state.tasks.at_work() if not e.task.candidate_of)
    return [Work(name=i, commit=c) for i, e in alone if (c := _commit(e))]


def untried_works(state: ThreadState) -> list[Work]:
    """Return the commits that are to be tried."""
    tried = state.merges.tried
    untried = (w for w in works_of(state) if tried.get(TaskId(w.name)) != w.commit)
    return [work for work in untried if not _is_apart(work, state)]


def _is_apart(work: Work, state: ThreadState) -> bool:
    """Tell whether it is known that nobody changed a file of this work meanwhile.

    A merged chat's files are not known, nor those of a child thread, nor all of a large change.
    """
    progress = state.tasks[TaskId(work.name)].progress
    if progress is None or progress.commit != work.commit or len(progress.files) >= MAX_FILES:
        return False
    if state.lifecycle.merged or state.family.children:
        return False
    return state.tasks.is_apart(TaskId(work.name))


@THREAD_RULES.handles
def note_collisions(command: NoteCollisions, state: ThreadState) -> Decided:
    is_known = state.merges.tried.get(command.task_id) == command.commit
    if is_known or command.task_id not in state.tasks:
        return Decided()
    reported = set(state.merges.reported)
    new = tuple(c for c in command.found if f"{state.approved}:{c.key}" not in reported)
    checked = CollisionsChecked(task_id=command.task_id, commit=command.commit, found=new)
    raised = tuple(_raised(state, command.task_id, collision) for collision in new)
    if not raised or not state.planner_settings.supervision_pauses:
        return Decided((checked, *raised))
    if state.plan_status is not PlanStatus.ACTIVE:
        return Decided((checked, *raised))
    return Decided((checked, *raised, paused_by(state, raised)))


def _raised(state: ThreadState, task_id: TaskId, collision: Collision) -> SupervisionRaised:
    other = collision.first if collision.second == task_id else collision.second
    branch = state.opened.branch if state.opened else ""
    whose = "what is merged already" if other == branch else f"task {other}"
    named = ", ".join(collision.files[:MAX_SHOWN])
    more = f" and {len(collision.files) - MAX_SHOWN} more" if collision.files[MAX_SHOWN:] else ""
    return SupervisionRaised(
        plan_id=state.plan_id,
        concern=ConcernKind.COLLISION,
        task_id=task_id,
        run=state.tasks[task_id].run,
        message=f"{task_id} and {whose} will conflict in {named}{more} as they are now",
        advice=Advice.AMEND,
    )
