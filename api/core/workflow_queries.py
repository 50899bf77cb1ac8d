"""What the API asks hosts: short workflows that read a worktree, or two branches; and prunes."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, TypeVar

from temporalio.client import Client

from adapters.temporal import start_prune
from api.core.answering import answering
from domain.core.changes import BranchChanges, ChangesQuery
from domain.core.conflict_lines import ConflictLines, ConflictQuery
from domain.core.contents import ContentQuery, FileContent
from domain.core.errors import NotConfirmedError
from domain.core.file_queries import FileQuery, FoundFiles
from domain.core.ids import SHARED_QUEUE
from domain.hosts.file_calls import FileAnswer, FileCall
from domain.recipes.service_calls import ServiceAnswer, ServiceCall
from domain.retention.calls import PruneInput
from workflows import options
from workflows.branches import ChangesQueryWorkflow, ConflictQueryWorkflow, ContentQueryWorkflow
from workflows.file_queries import FileQueryWorkflow
from workflows.host_files import HostFilesWorkflow
from workflows.services import ServiceWorkflow

Q = TypeVar("Q", FileQuery, ChangesQuery, ConflictQuery, ContentQuery, FileCall)
R = TypeVar("R", FoundFiles, BranchChanges, ConflictLines, FileContent, FileAnswer)

ANSWER_SECONDS = 5.0
OPENING_SECONDS = 30.0
"""Opening a thread includes inspecting its repository, which may take git a while."""

SERVICES_SECONDS = 10.0
"""How long a person waits for services to be healthy before they look themselves."""

SERVICES_TIMEOUT = timedelta(hours=2)
LOOK_TIMEOUT = timedelta(seconds=30)


class WorkflowQueries:
    """Reads what only a host has."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def find_files(self, query: FileQuery) -> FoundFiles:
        """Search a worktree on its host.

        Raises:
            UnavailableError: Temporal or the host does not answer in time.
        """
        return await self._query(FileQueryWorkflow.run, query, ANSWER_SECONDS)

    async def ask_files(self, call: FileCall) -> FileAnswer:
        """Ask a host of its files.

        Raises:
            UnavailableError: Temporal or the host does not answer in time.
        """
        return await self._query(HostFilesWorkflow.run, call, ANSWER_SECONDS)

    async def compare_branch(self, query: ChangesQuery) -> BranchChanges:
        """Compare a thread's branch on its host.

        Raises:
            UnavailableError: Temporal or the host does not answer in time.
        """
        return await self._query(ChangesQueryWorkflow.run, query, OPENING_SECONDS)

    async def show_conflict(self, query: ConflictQuery) -> ConflictLines:
        """Read the lines of a merge that conflicts on its host.

        Raises:
            UnavailableError: Temporal or the host does not answer in time.
        """
        return await self._query(ConflictQueryWorkflow.run, query, OPENING_SECONDS)

    async def read_content(self, query: ContentQuery) -> FileContent:
        """Read a file of a commit on its host.

        Raises:
            UnavailableError: Temporal or the host does not answer in time.
        """
        return await self._query(ContentQueryWorkflow.run, query, OPENING_SECONDS)

    async def start_prune(self, prune: PruneInput) -> None:
        """Start a prune; one that was started before goes on.

        Raises:
            UnavailableError: Temporal does not answer.
        """
        async with answering(prune.prune_id, ANSWER_SECONDS):
            await start_prune(self._client, prune)

    async def run_services(self, call: ServiceCall) -> ServiceAnswer | None:
        """Start or stop services on their host; None where that is still under way.

        Raises:
            UnavailableError: Temporal does not answer.
        """
        async with answering(call.call_id, ANSWER_SECONDS):
            handle = await self._client.start_workflow(
                ServiceWorkflow.run,
                call,
                id=call.call_id,
                task_queue=SHARED_QUEUE,
                task_timeout=options.WORKFLOW_TASK,
                execution_timeout=SERVICES_TIMEOUT,
            )
        try:
            async with answering(call.call_id, SERVICES_SECONDS):
                return await handle.result()
        except NotConfirmedError:
            return None

    async def _query(
        self,
        run: Callable[[Any, Q], Awaitable[R]],
        query: Q,
        seconds: float,
    ) -> R:
        async with answering(query.query_id, seconds):
            return await self._client.execute_workflow(
                run,
                query,
                id=query.query_id,
                task_queue=SHARED_QUEUE,
                task_timeout=options.WORKFLOW_TASK,
                execution_timeout=LOOK_TIMEOUT,
            )
