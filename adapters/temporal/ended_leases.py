"""Leases of ports whose tasks ended while no worker was there to give them back."""

from temporalio.client import Client, WorkflowExecutionStatus
from temporalio.service import RPCError, RPCStatusCode

from domain.agents.ports import PortLeases


async def reap_leases(client: Client, leases: PortLeases) -> None:
    """Give back the ports of tasks that run no more; those that are still settled lease them again."""
    for owner in await leases.owners():
        task = owner.rpartition("/run-")[0] or owner
        if not await _is_running(client, task):
            await leases.release(owner)


async def _is_running(client: Client, workflow_id: str) -> bool:
    try:
        about = await client.get_workflow_handle(workflow_id).describe()
    except RPCError as error:
        # asked in vain, nothing is known: the lease stays
        return error.status is not RPCStatusCode.NOT_FOUND
    return about.status is WorkflowExecutionStatus.RUNNING
