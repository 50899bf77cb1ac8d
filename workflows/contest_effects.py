"""How a thread tells the candidates of a task what was decided of their work."""

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError

from activities.conflicts import Conflicts
from domain.core.ids import host_queue, task_workflow_id
from domain.core.workspaces import CommitSpec
from domain.tasks.commands import DecideCandidate
from domain.threads.contests.effects import (
    ComposeCall,
    ComposeWork,
    EndComposition,
    TellCandidate,
)
from workflows import children, options
from workflows.failures import words_of
from workflows.thread_effects import carries
from workflows.thread_loop import ThreadLoop


@carries
async def _tell_candidate(effect: TellCandidate, thread: ThreadLoop) -> None:
    """Signal what was decided, and wait until the candidate has gone on or has ended."""
    decision = effect.decision
    workflow_id = task_workflow_id(thread.input.thread_id, effect.task_id)
    message = DecideCandidate(
        request_id=decision.gate, content_hash=decision.content_hash, outcome=decision.outcome
    )
    try:
        handle = workflow.get_external_workflow_handle(workflow_id)
        await handle.signal("decide_candidate", message)
    except ApplicationError:
        workflow.logger.info("candidate has ended", extra={"task_id": effect.task_id})
    await workflow.wait_condition(lambda: not thread.is_required(effect))


@carries
async def _compose(effect: ComposeWork, thread: ThreadLoop) -> None:
    """Put files of several candidates on one commit, in the worktree of the new one's run."""
    task_id, run = effect.task_id, effect.run
    ended = EndComposition(candidate=task_id, run=run)
    task = children.task_input(thread.input, thread.state, task_id, run)
    commit = CommitSpec(
        key=f"{task.workflow_id}/run-{run}/composed",
        title=task.task.title,
        trailers=task.trailers(0),
        checkpoint_ref=f"refs/treadle/{task.workflow_id}/{run}/composed",
    )
    call = ComposeCall(workspace=task.workspace, parts=effect.composition.parts, commit=commit)
    where = options.on(host_queue(task.host), options.GIT_BRIEFLY)
    try:
        done = await thread.run_activity(Conflicts.compose_work, call, where)
    except ActivityError as error:
        thread.submit(ended.model_copy(update={"failure": words_of(error)}))
        return
    thread.submit(ended.model_copy(update={"snapshot": done.snapshot}))
