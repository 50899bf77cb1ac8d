"""EndedWorkflow: one command for a thread or run of a flow that was terminated in Temporal."""

from collections.abc import Sequence

from temporalio import workflow
from temporalio.exceptions import ActivityError

from activities.journal import Journaling
from activities.lifecycle import ThreadLifecycle
from domain.core.command import Answer
from domain.core.effects import JournalCall
from domain.core.event import EventBody
from domain.core.ids import host_queue
from domain.threads.lifecycle.calls import RemovalCall
from domain.threads.lifecycle.ended import EndedInput
from workflows import options
from workflows.carrying import Carrying
from workflows.failures import words_of
from workflows.hosting import HostActivities
from workflows.outbox import Outbox
from workflows.starts import check_start


@workflow.defn(name="Ended")
class EndedWorkflow(Carrying):
    """Short: it journals what was decided, or removes everything; nothing else keeps the stream."""

    @workflow.init
    def __init__(self, given: EndedInput) -> None:
        self._outbox = Outbox(given.stream, given.workflow_id)
        self._hosting = HostActivities()

    @workflow.run
    async def run(self, given: EndedInput) -> Answer:
        """Carry the command out; that something can't be removed is an answer, too."""
        check_start(given.workflow_id, "", is_carried=False, is_child=False)
        if given.removal is not None:
            return await self._remove(given.removal, given.host)
        self.record(given.events)
        if given.headline is not None:
            self._outbox.show(given.headline)
        await self.run_activity(Journaling.append_events, JournalCall(), options.SHORT)
        return Answer(message="recorded")

    async def _remove(self, removal: RemovalCall, host: str) -> Answer:
        where = options.on(host_queue(host), options.SETTLE)
        where = options.within(options.REMOVAL_PATIENCE, where)
        try:
            removed = await self.run_activity(ThreadLifecycle.remove_thread, removal, where)
        except ActivityError as error:
            return Answer(message=f"{removal.thread_id} cannot be removed: {words_of(error)}")
        return Answer(message=removed.words, data={"is_over": True})

    def record(self, events: Sequence[EventBody]) -> None:
        """Put events on their way to the journal."""
        self._outbox.add(events)
