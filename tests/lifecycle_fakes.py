"""A fake of the ports that keep a thread's results and remove it; it notes what it was asked."""

from collections.abc import Collection

from domain.core.errors import WorkspaceError
from domain.core.ids import StreamId, ThreadId
from domain.core.project_map import PlanFolders
from domain.core.workspaces import MergeResult
from domain.threads.lifecycle.calls import MergeSessionCall, RemovalCall
from domain.threads.lifecycle.plan_document import PlanDocument


class PaperLifecycle:
    def __init__(self) -> None:
        self.merges: list[MergeSessionCall] = []
        self.kept = MergeResult(commit="c" * 40)
        self.documents: list[tuple[PlanFolders, PlanDocument]] = []
        self.committed: list[tuple[str, str]] = []
        self.refusal = ""
        self.removals: list[RemovalCall] = []
        self.stays: tuple[str, ...] = ()
        self.forgotten: list[str] = []

    async def merge_session(self, call: MergeSessionCall) -> MergeResult:
        self.merges.append(call)
        return MergeResult(commit="d" * 40) if call.commit else self.kept

    async def add_file(self, repository: str, branch: str, path: str, text: str) -> None:
        self.committed.append((branch, path))

    async def write(self, repository: str, folders: PlanFolders, document: PlanDocument) -> str:
        if self.refusal:
            raise WorkspaceError(self.refusal)
        self.documents.append((folders, document))
        return f"{folders.completed if document.is_over else folders.active}/{document.name}"

    async def remove(self, call: RemovalCall) -> tuple[str, ...]:
        self.removals.append(call)
        return self.stays

    async def forget(self, thread: StreamId) -> None:
        self.forgotten.append(thread)

    async def remove_homes(self, thread: ThreadId) -> None: ...

    async def await_ends(self, workflow_ids: Collection[str]) -> None: ...
