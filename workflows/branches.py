"""Looks at a thread's branch and at a merge that conflicts, made on the host where they are."""

from temporalio import workflow
from temporalio.exceptions import ActivityError

from activities.branches import BranchComparison
from domain.core.changes import BranchChanges, ChangesQuery
from domain.core.conflict_lines import ConflictLines, ConflictQuery
from domain.core.ids import host_queue
from domain.core.seals import Unsealed
from workflows import options
from workflows.failures import words_of
from workflows.starts import check_start

_UNREPORTED = "its result was not reported by a worker of Treadle"


@workflow.defn(name="ChangesQuery")
class ChangesQueryWorkflow:
    """Short: one activity, and its result."""

    @workflow.run
    async def run(self, query: ChangesQuery) -> BranchChanges:
        """Compare the branch; that nobody could look is a result, too."""
        check_start(query.query_id, query.thread_id, is_carried=False, is_child=False)
        how = options.named(options.on(host_queue(query.host), options.LOOK), "compare", query)
        try:
            found: BranchChanges | Unsealed = await workflow.execute_activity_method(
                BranchComparison.compare_branch, query, **how
            )
        except ActivityError as error:
            return BranchChanges(failure=words_of(error))
        if isinstance(found, Unsealed):
            return BranchChanges(failure=_UNREPORTED)
        return found


@workflow.defn(name="ConflictQuery")
class ConflictQueryWorkflow:
    """Short: one activity, and its result."""

    @workflow.run
    async def run(self, query: ConflictQuery) -> ConflictLines:
        """Read the lines that conflict; that nobody could look is a result, too."""
        check_start(query.query_id, query.thread_id, is_carried=False, is_child=False)
        how = options.named(options.on(host_queue(query.host), options.LOOK), "conflict", query)
        try:
            found: ConflictLines | Unsealed = await workflow.execute_activity_method(
                BranchComparison.show_conflict, query, **how
            )
        except ActivityError as error:
            return ConflictLines(failure=words_of(error))
        return ConflictLines(failure=_UNREPORTED) if isinstance(found, Unsealed) else found
