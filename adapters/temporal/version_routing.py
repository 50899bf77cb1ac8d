"""Which version new work goes to, and what becomes of runs whose version has no worker any more."""

import asyncio
import logging
import time

from google.protobuf.field_mask_pb2 import FieldMask
from temporalio.api.common.v1 import WorkflowExecution
from temporalio.api.deployment.v1 import WorkerDeploymentInfo
from temporalio.api.enums.v1 import TaskQueueType, WorkerStatus
from temporalio.api.taskqueue.v1 import TaskQueue
from temporalio.api.workflow.v1 import VersioningOverride, WorkflowExecutionOptions
from temporalio.api.workflowservice.v1 import (
    DescribeTaskQueueRequest,
    DescribeWorkerDeploymentRequest,
    ListWorkersRequest,
    SetWorkerDeploymentCurrentVersionRequest,
    SetWorkerDeploymentRampingVersionRequest,
    UpdateWorkflowExecutionOptionsRequest,
)
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from adapters.temporal.versions import Deployment
from domain.core.ids import SHARED_QUEUE

_LOG = logging.getLogger(__name__)

LOOK_SECONDS = 5.0
RETRY_SECONDS = 0.5
SILENT_SECONDS = 35.0
"""A worker that sent no heartbeat for so long is gone; it sends one every ten seconds."""

_NOT_YET = (
    RPCStatusCode.NOT_FOUND,
    RPCStatusCode.FAILED_PRECONDITION,
    RPCStatusCode.RESOURCE_EXHAUSTED,
    RPCStatusCode.UNAVAILABLE,
)
_PINNED = (
    "ExecutionStatus = 'Running' AND TemporalWorkflowVersioningBehavior = 'Pinned' "
    "AND TemporalWorkerDeployment = '{name}'"
)


class VersionRouting:
    """Keeps the versions of the shared queue; each worker has one, and what two of them do is done once.

    A version becomes the current one when its first worker starts, unless a newer one has workers.
    A pinned run stays with its version as long as that has a worker, and is moved to a version that
    has one after that: it is never stranded.
    """

    def __init__(self, client: Client, deployment: Deployment | None) -> None:
        self._client = client
        self._deployment = deployment
        self._service = client.workflow_service

    async def keep(self) -> None:
        """Make this worker's version the current one where that is right, then look after runs."""
        if self._deployment is not None:
            await self._begin(self._deployment)
        while True:
            try:
                if self._deployment is None:
                    await self._without_versions()
                else:
                    await self._look(self._deployment)
            except RPCError as error:  # Temporal is away, or too old for versions
                _LOG.debug("the versions of workers could not be looked at: %s", error)
            await asyncio.sleep(LOOK_SECONDS)

    async def _begin(self, ours: Deployment) -> None:
        while True:
            try:
                known = await self._describe(ours.name)
                if _is_newest(known, ours.build_id):
                    await self._take_over(known, ours)
            except RPCError as error:
                if error.status in _NOT_YET:  # it has not seen this worker poll, for one
                    await asyncio.sleep(RETRY_SECONDS)
                    continue
                _LOG.warning("version %s is not current: %s", ours.build_id, error.message)
            return

    async def _take_over(self, known: WorkerDeploymentInfo, ours: Deployment) -> None:
        current = known.routing_config.current_deployment_version.build_id
        if current == ours.build_id:
            return
        is_replaced = ours.ramp_percent == 100 or current not in await self._alive()  # noqa: PLR2004
        if current and not is_replaced:
            await self._service.set_worker_deployment_ramping_version(
                SetWorkerDeploymentRampingVersionRequest(
                    namespace=self._client.namespace,
                    deployment_name=ours.name,
                    build_id=ours.build_id,
                    percentage=ours.ramp_percent,
                )
            )
            _LOG.warning("version %s gets %d %%", ours.build_id, ours.ramp_percent)
        else:
            await self._make_current(ours.name, ours.build_id)

    async def _look(self, ours: Deployment) -> None:
        known = await self._describe(ours.name)
        current = known.routing_config.current_deployment_version.build_id
        alive = await self._alive() | {ours.build_id}
        if current not in alive:
            await self._make_current(ours.name, ours.build_id)
            current = ours.build_id
        query = _PINNED.format(name=ours.name)
        for build_id in alive:
            query += f" AND TemporalWorkerDeploymentVersion != '{ours.name}:{build_id}'"
        override = VersioningOverride()
        override.pinned.behavior = VersioningOverride.PINNED_OVERRIDE_BEHAVIOR_PINNED
        override.pinned.version.deployment_name = ours.name
        override.pinned.version.build_id = current
        await self._move(query, override, current)

    async def _without_versions(self) -> None:
        """Take back what versioned workers left, once none of them is there: this worker has no version."""
        found = await self._service.describe_task_queue(
            DescribeTaskQueueRequest(
                namespace=self._client.namespace,
                task_queue=TaskQueue(name=SHARED_QUEUE),
                task_queue_type=TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
            )
        )
        current = found.versioning_info.current_deployment_version
        if not current.build_id or current.build_id in await self._alive():
            return
        await self._make_current(current.deployment_name, "")
        query = _PINNED.format(name=current.deployment_name)
        await self._move(query, VersioningOverride(auto_upgrade=True), "no version")

    async def _move(self, query: str, override: VersioningOverride, to: str) -> None:
        async for run in self._client.list_workflows(query):
            options = WorkflowExecutionOptions(versioning_override=override)
            await self._service.update_workflow_execution_options(
                UpdateWorkflowExecutionOptionsRequest(
                    namespace=self._client.namespace,
                    workflow_execution=WorkflowExecution(workflow_id=run.id, run_id=run.run_id),
                    workflow_execution_options=options,
                    update_mask=FieldMask(paths=["versioning_override"]),
                )
            )
            _LOG.warning("%s goes on with %s: its version has no worker", run.id, to)

    async def _make_current(self, name: str, build_id: str) -> None:
        await self._service.set_worker_deployment_current_version(
            SetWorkerDeploymentCurrentVersionRequest(
                namespace=self._client.namespace,
                deployment_name=name,
                build_id=build_id,
                ignore_missing_task_queues=not build_id,
            )
        )
        _LOG.warning("%s of deployment %r is current", build_id or "no version", name)

    async def _describe(self, name: str) -> WorkerDeploymentInfo:
        found = await self._service.describe_worker_deployment(
            DescribeWorkerDeploymentRequest(namespace=self._client.namespace, deployment_name=name)
        )
        return found.worker_deployment_info

    async def _alive(self) -> set[str]:
        """Return the versions that have a worker of the shared queue."""
        found = await self._service.list_workers(
            ListWorkersRequest(
                namespace=self._client.namespace,
                page_size=1000,
                query=f"TaskQueue = '{SHARED_QUEUE}'",
            )
        )
        since = time.time() - SILENT_SECONDS
        return {
            worker.worker_heartbeat.deployment_version.build_id
            for worker in found.workers_info
            if worker.worker_heartbeat.status == WorkerStatus.WORKER_STATUS_RUNNING
            and worker.worker_heartbeat.heartbeat_time.ToSeconds() > since
        }


def _is_newest(known: WorkerDeploymentInfo, build_id: str) -> bool:
    """Tell whether no version was seen for the first time after ours."""
    first = {v.deployment_version.build_id: v.create_time for v in known.version_summaries}
    if build_id not in first:
        raise RPCError("not seen yet", RPCStatusCode.NOT_FOUND, b"")
    ours = first[build_id].ToNanoseconds()
    return all(other.ToNanoseconds() <= ours for other in first.values())
