"""Looks at a thread's branch, at its files and at a merge that conflicts, made on the host where they are."""

from temporalio import workflow

from activities.branches import BranchComparison
from domain.core.changes import BranchChanges, ChangesQuery
from domain.core.conflict_lines import ConflictLines, ConflictQuery
from domain.core.contents import ContentQuery, FileContent
from domain.core.ids import host_queue
from workflows import options
from workflows.asking import ask_host
from workflows.starts import check_start


@workflow.defn(name="ChangesQuery")
class ChangesQueryWorkflow:
    """Short: one activity, and its result."""

    @workflow.run
    async def run(self, query: ChangesQuery) -> BranchChanges:
        """Compare the branch; that nobody could look is a result, too."""
        check_start(query.query_id, query.thread_id, is_carried=False, is_child=False)
        how = options.named(options.on(host_queue(query.host), options.LOOK), "compare", query)
        return await ask_host(
            BranchComparison.compare_branch, query, how, lambda why: BranchChanges(failure=why)
        )


@workflow.defn(name="ConflictQuery")
class ConflictQueryWorkflow:
    """Short: one activity, and its result."""

    @workflow.run
    async def run(self, query: ConflictQuery) -> ConflictLines:
        """Read the lines that conflict; that nobody could look is a result, too."""
        check_start(query.query_id, query.thread_id, is_carried=False, is_child=False)
        how = options.named(options.on(host_queue(query.host), options.LOOK), "conflict", query)
        return await ask_host(
            BranchComparison.show_conflict, query, how, lambda why: ConflictLines(failure=why)
        )


@workflow.defn(name="ContentQuery")
class ContentQueryWorkflow:
    """Short: one activity, and its result."""

    @workflow.run
    async def run(self, query: ContentQuery) -> FileContent:
        """Read the file; that nobody could look is a result, too."""
        check_start(query.query_id, query.thread_id, is_carried=False, is_child=False)
        how = options.named(options.on(host_queue(query.host), options.LOOK), "content", query)
        return await ask_host(
            BranchComparison.read_content, query, how, lambda why: FileContent(failure=why)
        )
