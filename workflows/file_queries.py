"""FileQueryWorkflow: one look into a worktree, made on the host where that is."""

from temporalio import workflow

from activities.file_queries import FileQueries
from domain.core.file_queries import FileQuery, FoundFiles
from domain.core.ids import host_queue
from workflows import options
from workflows.asking import ask_host
from workflows.starts import check_start


@workflow.defn(name="FileQuery")
class FileQueryWorkflow:
    """Short: one activity, and its result."""

    @workflow.run
    async def run(self, query: FileQuery) -> FoundFiles:
        """Find the files; that nobody could look is a result, too."""
        check_start(query.query_id, query.thread_id, is_carried=False, is_child=False)
        how = options.named(options.on(host_queue(query.host), options.LOOK), "find", query)
        return await ask_host(
            FileQueries.find_files, query, how, lambda why: FoundFiles(failure=why)
        )
