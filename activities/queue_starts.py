"""Starting what waited in the queue."""

from temporalio import activity

from activities.errors import translated
from activities.heartbeats import beating
from domain.core.errors import TreadleError
from domain.core.ports import Journal
from domain.hosts.ports import Placements
from domain.queue.inputs import StartedQueued, StartQueuedCall
from domain.queue.ports import Starts


class QueueStarts:
    """Starts threads and flow runs."""

    def __init__(
        self, journal: Journal, starts: Starts, placements: Placements | None = None
    ) -> None:
        self._journal = journal
        self._starts = starts
        self._placements = placements

    @activity.defn
    async def start_queued(self, call: StartQueuedCall) -> StartedQueued:
        """Start an entry's thread or flow run; one that runs already is left as it is.

        What is refused is a result; what nobody answers is tried again.
        """
        async with beating():
            with translated():
                return await self._start(call)

    async def _start(self, call: StartQueuedCall) -> StartedQueued:
        spec = await self._journal.text(call.spec_ref)
        if spec is None:
            words = "what it is to be started with is not in the journal: remove it, queue it anew"
            return StartedQueued(refusal="not_found", reason=words)
        try:
            await self._starts.start(call, spec)
        except TreadleError as error:
            if error.is_retryable:
                raise
            return StartedQueued(refusal=error.type, reason=error.message)
        host = "" if self._placements is None else await self._placements.id_of(call.entry_id)
        return StartedQueued(host=host)
