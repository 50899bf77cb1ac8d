"""HostFilesWorkflow: one question about the files of a host, answered there."""

from temporalio import workflow

from activities.host_files import HostFileAnswers
from domain.core.errors import UnavailableError
from domain.core.ids import host_queue
from domain.hosts.file_calls import FileAnswer, FileCall
from workflows import options
from workflows.asking import ask_host
from workflows.starts import check_start


@workflow.defn(name="HostFiles")
class HostFilesWorkflow:
    """Short: one activity, and its result."""

    @workflow.run
    async def run(self, call: FileCall) -> FileAnswer:
        """Carry out the question; that nobody could is an answer, too."""
        check_start(call.query_id, call.query_id, is_carried=False, is_child=False)
        how = options.named(options.on(host_queue(call.host), options.LOOK), call.subject, call)
        return await ask_host(
            HostFileAnswers.answer_file_call,
            call,
            how,
            lambda why: FileAnswer(failure=why, error=UnavailableError.type),
        )
