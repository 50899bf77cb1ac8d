"""ScheduledWorkflow: one time at which a schedule comes due."""

from temporalio import workflow
from temporalio.exceptions import ApplicationError

from activities.schedules import DueSchedules
from domain.core.ids import due_at, schedule_id, schedule_of
from domain.core.seals import Unsealed
from domain.queue.schedules.schedule import DueCall, ScheduledInput, ScheduledResult
from workflows import options


@workflow.defn(name="Scheduled")
class ScheduledWorkflow:
    """Short: one activity. Temporal starts it, and whether it overlaps the queue decides."""

    @workflow.run
    async def run(self, start: ScheduledInput) -> ScheduledResult:
        """Put what is scheduled into the queue, under an id that the time decides.

        What it starts with is sealed for this schedule, so nobody else can make it up.
        """
        workflow_id = workflow.info().workflow_id
        due = due_at(workflow_id)
        if due is None or schedule_of(workflow_id) != schedule_id(start.name):
            raise ApplicationError("not started by Treadle", type="forbidden", non_retryable=True)
        call = DueCall(start=start, due=due)
        how = options.named(options.SHORT, "enqueue", call)
        result: ScheduledResult | Unsealed = await workflow.execute_activity_method(
            DueSchedules.enqueue_due, call, **how
        )
        if isinstance(result, Unsealed):  # Temporal takes one from anybody local
            return ScheduledResult(message="its result was not reported by a worker of Treadle")
        return result
