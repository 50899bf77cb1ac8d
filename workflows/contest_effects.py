"""How a thread tells the candidates of a task what was decided of their work."""

from temporalio import workflow
from temporalio.exceptions import ApplicationError

from domain.core.ids import task_workflow_id
from domain.tasks.commands import DecideCandidate
from domain.threads.contests.effects import TellCandidate
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
