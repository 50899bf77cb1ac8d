"""Whether Temporal answers from its database; its health check says only that the process does."""

from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from adapters.temporal.aged_connections import asked

_NOT_ALLOWED = (RPCStatusCode.PERMISSION_DENIED, RPCStatusCode.UNIMPLEMENTED)


async def is_answering(client: Client) -> bool:
    """Tell whether Temporal reads our namespace; where we may not, whether it is healthy.

    A server that is stopped or waits for its database leaves this without an answer: callers set a limit.

    Raises:
        RPCError: It does not answer, its database is locked, or there is no such namespace.
    """
    request = DescribeNamespaceRequest(namespace=client.namespace)
    try:
        await asked(client.workflow_service.describe_namespace, request)
    except RPCError as error:
        if error.status not in _NOT_ALLOWED:
            raise
        return await client.service_client.check_health()
    return True
