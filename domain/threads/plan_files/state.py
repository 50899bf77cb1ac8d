"""What a thread knows of its plan files; their texts are in the journal."""

from domain.core.ids import SessionId
from domain.core.wire import Wire
from domain.threads.plan_files.edits import StoredPlanFile
from domain.threads.plan_files.files import PlanFile

MAX_ARCHIVED = 50
"""Archived plans that a thread knows by name; all of them are on the disk."""


MAX_WRITERS = 20
"""Writers of one file that are remembered."""


class KnownPlanFile(StoredPlanFile):
    """A plan file as it is now; `writers` have changed it since one of them wrote it as a whole."""

    writers: tuple[SessionId, ...] = ()


class ArchivedPlan(Wire):
    """A plan that was completed or replaced."""

    name: str
    files: dict[PlanFile, StoredPlanFile] = {}


class ThreadPlanFiles(Wire):
    """Whether agents may keep plan files, which there are, and the newest archived plans."""

    is_on: bool = False
    files: dict[PlanFile, KnownPlanFile] = {}
    archived: tuple[ArchivedPlan, ...] = ()
