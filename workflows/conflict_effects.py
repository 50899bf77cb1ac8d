"""How a thread carries out what conflicts and coming collisions want under way."""

from temporalio.exceptions import ActivityError
from temporalio.workflow import ActivityConfig

from activities.collisions import Collisions
from activities.conflicts import Conflicts
from activities.turns import Sessions
from domain.effects import CloseSessionCall
from domain.ids import SessionId, TaskId, host_queue
from domain.merge_calls import CommitConflictCall, PrepareConflictCall, TryMergesCall
from domain.tasks.inputs import TaskInput
from domain.threads.conflict_effects import (
    CheckConflict,
    ConflictReady,
    DropConflictWork,
    EndConflictWork,
    NoteCollisions,
    PrepareConflict,
    TakeConflict,
    TryMerges,
)
from domain.workspaces import CommitSpec, WorkspaceSpec
from workflows import children, options
from workflows.failures import words_of
from workflows.thread_effects import carries
from workflows.thread_loop import ThreadLoop


def _here(thread: ThreadLoop, config: ActivityConfig) -> ActivityConfig:
    """Return the options of an activity on the thread's host."""
    opened = thread.state.opened
    return options.on(host_queue(opened.host if opened else ""), config)


def _by_hand(task: TaskInput, merging: str | None = None) -> WorkspaceSpec:
    """Return the worktree in which a person resolves the conflict of a task.

    The run that goes on from there has one of its own: one workflow writes to a workspace.
    """
    spec = task.workspace
    changes = {"workspace_id": f"{spec.workspace_id}/by-hand", "merging": merging}
    return spec.model_copy(update=changes)


@carries
async def _prepare(effect: PrepareConflict, thread: ThreadLoop) -> None:
    """Have a worktree with the merge under way; what keeps it from being made is told."""
    task_id, run = effect.task_id, effect.run
    task = children.task_input(thread.input, thread.state, task_id, run)
    conflict = thread.state.merges.open[task_id].conflict
    call = PrepareConflictCall(workspace=_by_hand(task, conflict.commit))
    where = _here(thread, options.GIT_BRIEFLY)
    try:
        prepared = await thread.run_activity(Conflicts.prepare_conflict, call, where)
    except ActivityError as error:
        failure = words_of(error)
        thread.submit(ConflictReady(task_id=task_id, run=run, failure=failure))
        return
    thread.submit(ConflictReady(task_id=task_id, run=run, path=prepared.path))


@carries
async def _check(effect: CheckConflict, thread: ThreadLoop) -> None:
    """Commit what a person resolved."""
    task_id, run = effect.task_id, effect.run
    task = children.task_input(thread.input, thread.state, task_id, run)
    conflict = thread.state.merges.open[task_id].conflict
    commit = CommitSpec(
        key=f"{task.workflow_id}/run-{run}/by-hand-{effect.number}",
        title=task.task.title,
        trailers=task.trailers(0),
        checkpoint_ref=f"refs/treadle/{task.workflow_id}/{run}/by-hand-{effect.number}",
    )
    call = CommitConflictCall(workspace=_by_hand(task, conflict.commit), commit=commit)
    where = _here(thread, options.GIT_BRIEFLY)
    try:
        done = await thread.run_activity(Conflicts.commit_conflict, call, where)
    except ActivityError as error:
        failure = words_of(error)
        thread.submit(TakeConflict(task_id=task_id, run=run, failure=failure))
        return
    thread.submit(TakeConflict(task_id=task_id, run=run, snapshot=done.snapshot))


@carries
async def _drop(effect: DropConflictWork, thread: ThreadLoop) -> None:
    work = effect.work
    task = children.task_input(thread.input, thread.state, work.task_id, work.run)
    nobody = SessionId(f"{task.workflow_id}/by-hand-{work.run}")
    call = CloseSessionCall(session_id=nobody, workspace=_by_hand(task))
    where = _here(thread, options.GIT)
    await thread.run_activity(Sessions.close_session, call, where)
    thread.submit(EndConflictWork(work=work))


@carries
async def _try(effect: TryMerges, thread: ThreadLoop) -> None:
    """Merge on trial; where that can't be, nothing is told: the merge itself will."""
    opened = thread.state.opened
    call = TryMergesCall(
        repository=opened.facts.root if opened else "",
        work=effect.work,
        others=effect.others,
        branch=effect.branch,
    )
    where = _here(thread, options.GIT_BRIEFLY)
    task_id, commit = TaskId(effect.work.name), effect.work.commit
    try:
        tried = await thread.run_activity(Collisions.try_merges, call, where)
    except ActivityError:
        thread.submit(NoteCollisions(task_id=task_id, commit=commit))
        return
    thread.submit(NoteCollisions(task_id=task_id, commit=commit, found=tried.found))
