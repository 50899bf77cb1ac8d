"""RecipeCheckWorkflow: one check of a repository's recipe, carried out where its files are."""

from temporalio import workflow
from temporalio.exceptions import ActivityError

from activities.journal import Journaling
from activities.recipes import RecipeChecks
from domain.core.effects import JournalCall
from domain.core.event import Event
from domain.core.ids import SHARED_QUEUE, EventId, host_queue
from domain.core.seals import Unsealed
from domain.recipes.checks import RecipeCheckInput, RecipeCheckResult
from domain.recipes.events import RecipeCheckEnded
from workflows import options
from workflows.failures import words_of
from workflows.starts import check_start


@workflow.defn(name="RecipeCheck")
class RecipeCheckWorkflow:
    """Short: one activity, and its result. Whoever started it reads the rest in the journal."""

    @workflow.run
    async def run(self, check: RecipeCheckInput) -> RecipeCheckResult:
        """Carry out the check; that nobody could is a result, too."""
        check_start(check.stream, check.stream, is_carried=False, is_child=False)
        queue = host_queue(check.host) if check.host else SHARED_QUEUE
        how = options.named(options.on(queue, options.CHECK), "check", check)
        try:
            result: RecipeCheckResult | Unsealed = await workflow.execute_activity_method(
                RecipeChecks.check_recipe, check, **how
            )
        except ActivityError as error:
            return await self._failed(check, words_of(error))
        if isinstance(result, Unsealed):  # Temporal takes one from anybody local
            return await self._failed(check, "its result was not reported by a worker of Treadle")
        return result

    async def _failed(self, check: RecipeCheckInput, failure: str) -> RecipeCheckResult:
        """Journal an end that the check itself did not."""
        result = RecipeCheckResult(kind=check.kind, failure=failure, at=workflow.now())
        ended = RecipeCheckEnded(repository=check.repository, result=result)
        event = Event(
            id=EventId(f"{check.stream}:ended"),
            stream=check.stream,
            at=workflow.now(),
            body=ended,
        )
        call = JournalCall(events=(event,))
        how = options.named(options.SHORT, "end", call)
        await workflow.execute_activity_method(Journaling.append_events, call, **how)
        return result
