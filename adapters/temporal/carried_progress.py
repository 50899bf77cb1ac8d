"""The worker's interceptor that tells a thread how far a run of a task is, where an activity of the run carries it."""

from typing import Any

from temporalio import activity
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput, Interceptor

from domain.core.effects import Effect
from domain.core.ids import thread_of
from domain.core.progress import TaskProgress
from domain.threads.commands import NoteProgress


class CarriedProgress(Interceptor):
    """Tells threads what activities carry for them, before the activity does its own work."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:  # noqa: A002  (SDK's name)
        """Put the word to the thread before an activity."""
        return _CarriedProgress(next, self._client)


class _CarriedProgress(ActivityInboundInterceptor):
    def __init__(self, inner: ActivityInboundInterceptor, client: Client) -> None:
        super().__init__(inner)
        self._client = client

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:  # noqa: A002  (SDK's name)
        for call in input.args:
            if isinstance(call, Effect) and call.progress is not None:
                await self._tell(call.progress)
        return await super().execute_activity(input)

    async def _tell(self, progress: TaskProgress) -> None:
        """Tell the thread; one that has ended needs no word. Told twice, or late, is told once."""
        thread = thread_of(activity.info().workflow_id or "")
        handle = self._client.get_workflow_handle(thread)
        try:
            await handle.signal("note_progress", NoteProgress(progress=progress))
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise
