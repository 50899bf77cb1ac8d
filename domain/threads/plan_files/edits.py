"""What is done to plan files: by which request, and with which result."""

from datetime import datetime
from enum import StrEnum
from typing import Protocol

from domain.core.ids import ThreadId
from domain.core.wire import Wire
from domain.threads.plan_files.files import PlanFile


class PlanFileOp(StrEnum):
    """What a change of plan files is."""

    INIT = "init"
    WRITE = "write"
    UPDATE = "update"
    CLEAR = "clear"


class PlanFileEdit(Wire):
    """One change; `at` names an archive, and the day of a new plan; the same `key` is the same change.

    `which` and `content` are of a write and an update, the latter of one `section`; `title` and
    `is_forced` of a new plan.
    """

    op: PlanFileOp
    at: datetime
    key: str = ""
    which: PlanFile = PlanFile.TASK_PLAN
    section: str = ""
    content: str = ""
    title: str = ""
    is_forced: bool = False


class PlanFileEdited(Wire):
    """What a change made: the files as they are now, and those of a plan that was archived by it."""

    message: str
    files: dict[PlanFile, str] = {}
    archive: str = ""
    archived: dict[PlanFile, str] = {}


class StoredPlanFile(Wire):
    """A plan file as the journal has it; a removed one has no reference."""

    size_bytes: int = 0
    content_ref: str = ""


class PlanFileAnswer(Wire):
    """What a change made, with the texts in the journal; or the type of the error that refused it."""

    message: str
    refusal: str = ""
    files: dict[PlanFile, StoredPlanFile] = {}
    archive: str = ""
    archived: dict[PlanFile, StoredPlanFile] = {}


class ListedPlan(Wire):
    """A plan in a list: the current one has no name."""

    name: str = ""
    title: str = ""
    files: dict[PlanFile, int] = {}
    """Their sizes in bytes."""


class PlanFileStore(Protocol):
    """The plan files of threads on this host; no agent and no tool for users' files reaches them."""

    async def edit(self, thread: ThreadId, edit: PlanFileEdit) -> PlanFileEdited:
        """Carry out a change; one that was cut off is finished by the next, and twice is once.

        Raises:
            TreadleError: Of domain/plan_files/errors.py; nothing has changed.
            WorkspaceError: The disk refuses; each file is its old self or the new one, whole.
        """
        ...

    async def read(self, thread: ThreadId, which: PlanFile, archive: str = "") -> str:
        """Return a file of the current plan, or of an archived one.

        Raises:
            NoPlanError: There is none.
        """
        ...

    async def listed(self, thread: ThreadId) -> tuple[ListedPlan, ...]:
        """Return the current plan, where there is one, and the archived ones, the newest first."""
        ...

    async def has_folder(self, thread: ThreadId) -> bool:
        """Tell whether there is a folder of the thread's plans, be it empty."""
        ...

    async def remove(self, thread: ThreadId) -> None:
        """Remove all plan files of a thread, the archived ones too; none are fine."""
        ...
