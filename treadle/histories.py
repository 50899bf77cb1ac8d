"""How long Temporal keeps the histories of what has ended: set on the embedded server, read on any other."""

import asyncio
import logging
from datetime import timedelta

from google.protobuf.duration_pb2 import Duration
from temporalio.api.namespace.v1 import NamespaceConfig
from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest, UpdateNamespaceRequest
from temporalio.client import Client
from temporalio.service import RPCError

from settings import Settings
from treadle.cluster import connected
from treadle.finding import Finding

SHORTEST = timedelta(days=1)
_LOG = logging.getLogger(__name__)


async def keep_histories(settings: Settings) -> None:
    """Have the embedded server keep histories as long as the settings say.

    A server that does not take it stays as it is until the next start; `doctor` shows the current retention.
    """
    client = await connected(settings)
    if client is None:
        return
    duration = Duration()
    duration.FromTimedelta(timedelta(days=settings.temporal_retention_days))
    config = NamespaceConfig(workflow_execution_retention_ttl=duration)
    try:
        if await _kept_for(client) != duration.ToTimedelta():
            await client.workflow_service.update_namespace(
                UpdateNamespaceRequest(namespace=client.namespace, config=config)
            )
    except RPCError as error:
        _LOG.warning(
            "Temporal did not take its retention (%s): the next start tries again; "
            "`treadle doctor` shows the current one",
            error.message,
        )


def history_findings(settings: Settings) -> list[Finding]:
    """Return for how long histories are kept; nothing where no Temporal answers."""
    return asyncio.run(_findings(settings))


async def _findings(settings: Settings) -> list[Finding]:
    client = await connected(settings)
    if client is None:
        return []
    try:
        kept = await _kept_for(client)
    except RPCError as error:  # not everybody may ask, as in Temporal Cloud
        found = f"Temporal does not say for how long it keeps what has ended: {error.message}"
        return [Finding(name="histories", is_well=True, is_required=False, found=found)]
    return [
        Finding(
            name="histories",
            is_well=kept >= SHORTEST,
            is_required=False,
            found=f"Temporal keeps what has ended for {_words(kept)}",
            fix=f"`temporal operator namespace update --retention 7d -n {client.namespace}`: threads stay, but "
            "what is damaged in the journal cannot be repaired from their histories",
        )
    ]


async def _kept_for(client: Client) -> timedelta:
    request = DescribeNamespaceRequest(namespace=client.namespace)
    found = await client.workflow_service.describe_namespace(request)
    return found.config.workflow_execution_retention_ttl.ToTimedelta()


def _words(kept: timedelta) -> str:
    hours = kept // timedelta(hours=1)
    count, unit = (hours // 24, "day") if hours % 24 == 0 else (hours, "hour")
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
