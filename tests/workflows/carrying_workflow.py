"""A workflow that does nothing but have an activity carry events to the journal."""

from temporalio import workflow

from activities.journal import Journaling
from domain.core.effects import JournalCall
from workflows import options


@workflow.defn
class CarryingWorkflow:
    """Carries."""

    @workflow.run
    async def run(self, call: JournalCall) -> None:
        """Have the events journaled."""
        await workflow.execute_activity_method(
            Journaling.append_events, call, activity_id="1", **options.SHORT
        )
