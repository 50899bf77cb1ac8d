"""Events of a thread's plan files: that it has some, and each change of one."""

from typing import Literal

from domain.core.event import EventBody
from domain.core.ids import SessionId, TaskId
from domain.threads.plan_files.edits import PlanFileOp, StoredPlanFile
from domain.threads.plan_files.files import PlanFile


class PlanFilesSet(EventBody):
    """A person lets agents of the thread keep plan files, or lets them no more; files stay."""

    kind: Literal["plan_files_set"] = "plan_files_set"
    is_on: bool
    by: str = ""


class PlanFileChanged(EventBody):
    """A plan file is another one now; the whole of it is a text of the journal.

    One that was removed has no reference. `task_id` is that of the agent's task, where it has one.
    """

    kind: Literal["plan_file_changed"] = "plan_file_changed"
    which: PlanFile
    op: PlanFileOp
    section: str = ""
    size_bytes: int = 0
    content_ref: str = ""
    session_id: SessionId
    task_id: TaskId | None = None


class PlanArchived(EventBody):
    """The plan that was, with all of its files, is kept under a name."""

    kind: Literal["plan_archived"] = "plan_archived"
    name: str
    files: dict[PlanFile, StoredPlanFile] = {}
    session_id: SessionId


PlanFileEvent = PlanFilesSet | PlanFileChanged | PlanArchived
