"""Keeping a chat's changes, writing a plan's file, and removing a whole thread."""

from dataclasses import dataclass

from temporalio import activity

from activities.claims import claim_of
from activities.errors import translated
from activities.heartbeats import beating
from domain.agents.hosting import Terminals
from domain.agents.ports import AgentRunner
from domain.core.errors import TreadleError
from domain.core.event import Event
from domain.core.ids import StreamId
from domain.core.ports import Fences, Journal
from domain.core.workspaces import MergeResult
from domain.reading.exports.plan_document import plan_document
from domain.threads.lifecycle.calls import (
    DocumentAnswer,
    DocumentCall,
    MergeSessionCall,
    RemovalAnswer,
    RemovalCall,
)
from domain.threads.lifecycle.plan_document import PlanDocument
from domain.threads.lifecycle.ports import PlanFiles, Removal, ThreadBranches
from domain.threads.plan_files.edits import PlanFileStore
from domain.threads.ports import Workspaces

_BATCH = 500


@dataclass(frozen=True)
class ThreadResources:
    """What is kept of threads on this host, and how it is removed."""

    work: ThreadBranches
    files: PlanFiles
    removal: Removal
    terminals: Terminals
    plan_files: PlanFileStore


class ThreadLifecycle:
    """Looks after what is left of a thread's work, to its end."""

    def __init__(
        self,
        journal: Journal,
        workspaces: Workspaces,
        runner: AgentRunner,
        fences: Fences,
        kept: ThreadResources,
    ) -> None:
        self._journal = journal
        self._workspaces = workspaces
        self._runner = runner
        self._fences = fences
        self._kept = kept

    @activity.defn
    async def merge_session(self, call: MergeSessionCall) -> MergeResult:
        """Merge a session's newest checkpoint into the thread's branch; again is once, by its key."""
        with translated():
            async with beating():
                return await self._kept.work.merge_session(call)

    @activity.defn
    async def write_document(self, call: DocumentCall) -> DocumentAnswer:
        """Write a plan's file as the journal has it now; again gives the same file.

        What is in the way is an answer: no plan waits for its file.
        """
        async with beating():
            try:
                document = await self._document(call)
                path = await self._kept.files.write(call.repository, call.folders, document)
                if call.branch is not None:
                    await self._kept.work.add_file(
                        call.repository, call.branch, path, document.text
                    )
            except TreadleError as error:
                return DocumentAnswer(problem=f"the plan's file is not written: {error.message}")
        return DocumentAnswer(path=path)

    async def _document(self, call: DocumentCall) -> PlanDocument:
        events: list[Event] = []
        after, stream = 0, StreamId(call.thread_id)
        while batch := await self._journal.read(stream, after=after, limit=_BATCH):
            events += (journaled.event for journaled in batch)
            after = batch[-1].position
        return plan_document(call.thread_id, call.plan_id, events)

    @activity.defn
    async def remove_thread(self, call: RemovalCall) -> RemovalAnswer:
        """Remove all that a thread holds, its events last; what is gone already is fine."""
        kept, claim = self._kept, claim_of(call, is_release=True)
        with translated():
            async with beating():
                await kept.removal.await_ends(call.workflows)
                for session_id in call.sessions:
                    await self._runner.close(session_id)
                for workflow_id in call.workflows:
                    await kept.terminals.end_all(StreamId(workflow_id), "ended with its thread")
                for workspace in call.workspaces:
                    async with self._fences.held(workspace.workspace_id, claim):
                        await self._workspaces.release(workspace)
                branches = await kept.work.remove(call)
                await kept.removal.remove_homes(call.thread_id)
                await kept.plan_files.remove(call.thread_id)
                await kept.removal.forget(StreamId(call.thread_id))
        return RemovalAnswer(kept_branches=branches)
