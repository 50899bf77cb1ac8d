"""How a thread carries out what conflicts and coming collisions want under way."""

from temporalio.exceptions import ActivityError
from temporalio.workflow import ActivityConfig

from activities.collisions import Collisions
from activities.conflicts import Conflicts
from activities.turns import Sessions
from domain.conversations.calls import CloseSessionCall
from domain.core.ids import SessionId, TaskId, host_queue, run_workspace_id, task_workflow_id
from domain.core.workspaces import CommitSpec, WorkspaceKind, WorkspaceSpec
from domain.tasks.conflicts import Conflict, OfMerge
from domain.threads.merging.calls import (
    CommitConflictCall,
    PrepareConflictCall,
    TryAllMergesCall,
    TryMergesCall,
)
from domain.threads.merging.collisions import untried_works, works_of
from domain.threads.merging.effects import (
    CheckConflict,
    ConflictReady,
    DropConflictWork,
    EndConflictWork,
    NoteCollisions,
    PrepareConflict,
    TakeConflict,
    TryAllMerges,
    TryMerges,
)
from domain.threads.sessions import opened_of
from workflows import children, options
from workflows.failures import words_of
from workflows.thread_effects import carries
from workflows.thread_loop import ThreadLoop


def _here(thread: ThreadLoop, config: ActivityConfig) -> ActivityConfig:
    """Return the options of an activity on the thread's host."""
    opened = thread.state.opened
    return options.on(host_queue(opened.host if opened else ""), config)


def _by_hand(
    thread: ThreadLoop, whose: OfMerge, run: int, merging: str | None = None
) -> WorkspaceSpec:
    """Return the worktree in which a person resolves the conflict of a task, or of a chat.

    The run that goes on from there has one of its own: one workflow writes to a workspace. It can
    be named when the plan has the task no more.
    """
    opened = opened_of(thread.state)
    thread_id, session_id = thread.input.thread_id, whose.session_id
    place = WorkspaceSpec(
        workspace_id=f"{session_id}/by-hand-{run}",
        kind=WorkspaceKind.CHAT,
        repository=opened.facts.root,
        thread_id=thread_id,
        base=opened.branch,
        merging=merging,
        name=opened.name,
        beside=opened.others,
    )
    if session_id:
        return place
    of_task = {
        "workspace_id": f"{run_workspace_id(thread_id, whose.task_id, run)}/by-hand",
        "kind": WorkspaceKind.TASK,
        "task_id": whose.task_id,
        "branch": children.branch_of(thread.state, whose.task_id, run),
    }
    return place.model_copy(update=of_task)


def _conflict(thread: ThreadLoop, effect: PrepareConflict | CheckConflict) -> Conflict | None:
    """Return the conflict that an effect is about; None where it was ended meanwhile."""
    found = thread.state.merges.open.get(effect.subject)
    return None if found is None or found.run != effect.run else found.conflict


@carries
async def _prepare(effect: PrepareConflict, thread: ThreadLoop) -> None:
    """Have a worktree with the merge under way; what keeps it from being made is told."""
    if (conflict := _conflict(thread, effect)) is None:
        return
    ready = ConflictReady(subject=effect.subject, run=effect.run)
    place = _by_hand(thread, conflict, effect.run, conflict.commit)
    where = _here(thread, options.GIT_BRIEFLY)
    try:
        call = PrepareConflictCall(workspace=place)
        prepared = await thread.run_activity(Conflicts.prepare_conflict, call, where)
    except ActivityError as error:
        thread.submit(ready.model_copy(update={"failure": words_of(error)}))
        return
    thread.submit(ready.model_copy(update={"path": prepared.path}))


@carries
async def _check(effect: CheckConflict, thread: ThreadLoop) -> None:
    """Commit what a person resolved."""
    if (conflict := _conflict(thread, effect)) is None:
        return
    taken = TakeConflict(subject=effect.subject, run=effect.run)
    call = CommitConflictCall(
        workspace=_by_hand(thread, conflict, effect.run, conflict.commit),
        commit=_commit(thread, conflict, effect),
    )
    where = _here(thread, options.GIT_BRIEFLY)
    try:
        done = await thread.run_activity(Conflicts.commit_conflict, call, where)
    except ActivityError as error:
        thread.submit(taken.model_copy(update={"failure": words_of(error)}))
        return
    thread.submit(taken.model_copy(update={"snapshot": done.snapshot}))


def _commit(thread: ThreadLoop, conflict: Conflict, effect: CheckConflict) -> CommitSpec:
    """Return how what a person resolved is committed."""
    attempt = f"by-hand-{effect.number}"
    if conflict.session_id:
        attempt = f"by-hand-{effect.run}-{effect.number}"
        return CommitSpec(
            key=f"{conflict.session_id}/{attempt}",
            title=f"Resolve the conflict of {conflict.called}",
            trailers=(("Treadle-Thread", thread.input.thread_id),),
            checkpoint_ref=f"refs/treadle/{conflict.session_id}/{attempt}",
        )
    run = effect.run
    task = children.task_input(thread.input, thread.state, conflict.task_id, run)
    return CommitSpec(
        key=f"{task.workflow_id}/run-{run}/{attempt}",
        title=task.task.title,
        trailers=task.trailers(0),
        checkpoint_ref=f"refs/treadle/{task.workflow_id}/{run}/{attempt}",
    )


@carries
async def _drop(effect: DropConflictWork, thread: ThreadLoop) -> None:
    work = effect.work
    place = _by_hand(thread, work, work.run)
    nobody = f"{task_workflow_id(place.thread_id, work.task_id)}/by-hand-{work.run}"
    if work.session_id:
        nobody = place.workspace_id
    call = CloseSessionCall(session_id=SessionId(nobody), workspace=place)
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


@carries
async def _try_all(effect: TryAllMerges, thread: ThreadLoop) -> None:
    """Merge on trial what is to be tried now; where that can't be, nothing is told."""
    del effect
    opened, works = opened_of(thread.state), tuple(untried_works(thread.state))
    call = TryAllMergesCall(
        repository=opened.facts.root,
        works=works,
        others=tuple(works_of(thread.state)),
        branch=opened.branch,
    )
    try:
        found = (
            await thread.run_activity(
                Collisions.try_all_merges, call, _here(thread, options.GIT_BRIEFLY)
            )
        ).found
    except ActivityError:
        found = ()
    for work in works:
        own = tuple(each for each in found if work.name in {each.first, each.second})
        note = NoteCollisions(task_id=TaskId(work.name), commit=work.commit, found=own)
        thread.submit(note)
