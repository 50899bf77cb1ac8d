"""What a schedule does when it comes due."""

from temporalio import activity

from activities.errors import translated
from domain.core.ports import Journal
from domain.queue.commands import EnqueueScheduled
from domain.queue.schedules.schedule import DueCall, OverlapPolicy, ScheduledResult, Schedules


class DueSchedules:
    """Puts what is scheduled into the queue."""

    def __init__(self, schedules: Schedules, journal: Journal) -> None:
        self._schedules = schedules
        self._journal = journal

    @activity.defn
    async def enqueue_due(self, call: DueCall) -> ScheduledResult:
        """Put one time's entry into the queue; its id is the time's, so twice is once.

        A schedule that was removed or made anew since is passed over.
        """
        with translated():
            if await self._schedules.current(call.start.name) != call.start:
                return ScheduledResult(message="the schedule is no longer what it was: left out")
            _, spec = call.start.work.at(call.due)
            reference = await self._journal.put_text(spec)
            entry = call.start.entry(call.due, reference)
            scheduled = EnqueueScheduled(
                entry=entry, overlap=call.start.overlap.value, by=call.start.by
            )
            await self._schedules.enqueue(scheduled)
        unless = (
            ", unless an earlier one has not ended"
            if call.start.overlap is OverlapPolicy.SKIP
            else ""
        )
        message = f"{entry.entry_id} is added to the queue{unless}"
        return ScheduledResult(entry_id=entry.entry_id, message=message)
