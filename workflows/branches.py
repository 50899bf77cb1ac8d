"""ChangesQueryWorkflow: one look at a thread's branch, made on the host where that is."""

from temporalio import workflow
from temporalio.exceptions import ActivityError
from temporalio.workflow import ActivityConfig

from activities.branches import BranchComparison
from domain.core.changes import BranchChanges, ChangesQuery
from domain.core.ids import host_queue
from domain.core.seals import Unsealed
from workflows import options
from workflows.failures import words_of
from workflows.starts import check_start


@workflow.defn(name="ChangesQuery")
class ChangesQueryWorkflow:
    """Short: one activity, and its result."""

    @workflow.run
    async def run(self, query: ChangesQuery) -> BranchChanges:
        """Compare the branch; that nobody could look is a result, too."""
        check_start(query.query_id, query.thread_id, is_carried=False, is_child=False)
        how: ActivityConfig = {
            **options.on(host_queue(query.host), options.LOOK),
            "activity_id": "compare",
        }
        try:
            found: BranchChanges | Unsealed = await workflow.execute_activity_method(
                BranchComparison.compare_branch, query, **how
            )
        except ActivityError as error:
            return BranchChanges(failure=words_of(error))
        if isinstance(found, Unsealed):
            return BranchChanges(failure="its result was not reported by a worker of Treadle")
        return found
