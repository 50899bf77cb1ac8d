"""Signals to other workflows, which may be gone."""

import asyncio

from temporalio import workflow
from temporalio.exceptions import ApplicationError

from domain.core.wire import Wire


async def reaches(workflow_id: str, name: str, message: Wire) -> bool:
    """Signal a workflow, as one that nobody cancels; tells whether it is there."""
    try:
        await workflow.get_external_workflow_handle(workflow_id).signal(name, message)
    except ApplicationError:
        workflow.logger.info("workflow is gone", extra={"workflow": workflow_id})
        return False
    return True


async def send_signal(workflow_id: str, name: str, message: Wire) -> None:
    """Signal a workflow, as one that may be cancelled meanwhile.

    Temporal's SDK swallows a cancellation of one who awaits a signal that is on its way already, as
    that cannot be taken back. Here it is raised, after the signal: nothing may overtake it.

    Raises:
        CancelledError: Whoever tells is wanted no more; the signal was sent all the same.
        ApplicationError: There is no such workflow, or it has ended.
    """
    handle = workflow.get_external_workflow_handle(workflow_id)
    sending = asyncio.create_task(handle.signal(name, message))
    try:
        await asyncio.shield(sending)
    except asyncio.CancelledError:
        await sending
        raise
