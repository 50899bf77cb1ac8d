"""Activities that a dead worker was at: failed by the next one, so that they go on in seconds.

Without this Temporal waits for a heartbeat timeout. One small file per running activity holds its
task token and who runs it; a token is of use to nobody once its activity has ended.
"""

import base64
import logging
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from temporalio import activity
from temporalio.client import Client
from temporalio.converter import ActivitySerializationContext
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError, RPCStatusCode
from temporalio.worker import (
    ActivityInboundInterceptor,
    ExecuteActivityInput,
    Interceptor,
)

from adapters.files.state_files import write_atomic
from adapters.processes.run_ledger import ProcessIdentity, is_alive, this_process
from domain.core.errors import WORKER_LOST
from domain.core.wire import Wire

logger = logging.getLogger(__name__)


class _Running(Wire):
    worker: ProcessIdentity
    task_token: str
    workflow_id: str | None = None
    activity_type: str = ""
    activity_id: str = ""


class LostActivities(Interceptor):
    """Writes down which activities run here; `reclaim` fails those of workers that are gone."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder = folder
        self._worker = this_process()

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:  # noqa: A002  (SDK's name)
        """Write down an activity while it runs."""
        return _WrittenDown(next, self)

    def open(self, info: activity.Info) -> Path:
        """Write an activity down before it does anything."""
        running = _Running(
            worker=self._worker,
            task_token=base64.b64encode(info.task_token).decode(),
            workflow_id=info.workflow_id,
            activity_type=info.activity_type,
            activity_id=info.activity_id,
        )
        path = self._folder / f"{uuid.uuid4().hex}.json"
        write_atomic(path, running.model_dump_json())
        return path

    async def reclaim(self, client: Client) -> int:
        """Fail what dead workers were at; returns how many activities go on by that."""
        count = 0
        for path in self._folder.glob("*.json"):
            try:
                running = _Running.model_validate_json(path.read_bytes())
            except (OSError, ValidationError):
                logger.warning("unreadable activity entry passed over: %s", path)
                with suppress(OSError):  # a folder in its place stays
                    path.unlink(missing_ok=True)
                continue
            if is_alive(running.worker):
                continue
            try:
                count += await _fail(client, running)
            except RPCError:
                # Temporal is away: its heartbeat timeout comes later, the next start tries again
                logger.warning("a lost activity could not be failed")
                continue
            path.unlink(missing_ok=True)
        return count


async def _fail(client: Client, running: _Running) -> bool:
    lost = ApplicationError("its worker is gone", type=WORKER_LOST)
    try:
        token = base64.b64decode(running.task_token)
        # sealed for its place: one that a person cancelled is told to its workflow
        place = ActivitySerializationContext(
            namespace=client.namespace,
            activity_id=running.activity_id,
            activity_type=running.activity_type,
            activity_task_queue=None,
            workflow_id=running.workflow_id,
            workflow_type=None,
            is_local=False,
        )
        await client.get_async_activity_handle(task_token=token).with_context(place).fail(lost)
    except RPCError as error:
        if error.status is not RPCStatusCode.NOT_FOUND:
            raise
        # it timed out meanwhile, or was taken by another worker
        logger.info("lost activity needs no help")
        return False
    return True


class _WrittenDown(ActivityInboundInterceptor):
    def __init__(self, inner: ActivityInboundInterceptor, ledger: LostActivities) -> None:
        super().__init__(inner)
        self._ledger = ledger

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:  # noqa: A002  (SDK's name)
        info = activity.info()
        if info.is_local:
            return await super().execute_activity(input)
        try:
            path = self._ledger.open(info)
        except OSError:
            # it only makes recovery faster, and the activity says itself what it lacks
            logger.warning("a running activity could not be written down", exc_info=True)
            return await super().execute_activity(input)
        try:
            return await super().execute_activity(input)
        finally:
            path.unlink(missing_ok=True)
