"""The queue's door for what comes from trackers: an entry that it has no room for is told, not lost."""

from temporalio.client import Client

from adapters.temporal.starting import Starter
from domain.queue.arrivals import EntryStanding
from domain.queue.commands import EnqueueScheduled
from domain.queue.entry import QueueLimits
from domain.queue.errors import QueueFullError
from domain.queue.inputs import QUEUE, QueueInput


class QueueEntries:
    """Puts entries into the queue and asks it whether they are there."""

    def __init__(self, client: Client, limits: QueueLimits) -> None:
        """`limits` are the settings', which a queue begins with."""
        self._client = client
        self._limits = limits

    async def enqueue(self, scheduled: EnqueueScheduled) -> None:
        """Tell the queue of an entry; one that it knows is passed over.

        Raises:
            QueueFullError: There is no room for it now.
        """
        await Starter(self._client).open_queue(QueueInput(defaults=self._limits))
        queue = self._client.get_workflow_handle(QUEUE)
        ask = ("standing", scheduled.entry)
        standing = await queue.query(*ask, result_type=EntryStanding)
        if standing is EntryStanding.ROOM:
            # a signal is not answered, and others may have come first
            await queue.signal("enqueue_scheduled", scheduled)
            standing = await queue.query(*ask, result_type=EntryStanding)
        if standing is not EntryStanding.KNOWN:
            raise QueueFullError("the queue is full: the issue goes in once entries have ended")
