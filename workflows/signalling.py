"""Signals that end with their sender: what waits after one must hear that it was cancelled."""

import asyncio

from temporalio import workflow

from domain.wire import Wire


async def tell(workflow_id: str, name: str, message: Wire) -> None:
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
