"""Signals to other workflows, which may be gone."""

import asyncio

from temporalio import workflow
from temporalio.exceptions import ApplicationError, CancelledError

from domain.core.wire import Wire
from workflows.patches import SIGNALS_ARE_SENT


async def reaches(workflow_id: str, name: str, message: Wire) -> bool:
    """Signal a workflow, whoever cancels meanwhile; tells whether it is there."""
    handle = workflow.get_external_workflow_handle(workflow_id)
    try:
        try:
            await handle.signal(name, message)
        except CancelledError:  # Temporal's own: it was cancelled before it was sent
            if not workflow.patched(SIGNALS_ARE_SENT):
                raise
            await handle.signal(name, message)
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
