"""What a thread knows of its plan files; their texts are in the journal."""

from domain.plan_files.edits import KeptFile
from domain.plan_files.files import PlanFile
from domain.wire import Wire

MAX_ARCHIVED = 50
"""Archived plans that a thread knows by name; all of them are on the disk."""


class ArchivedPlan(Wire):
    """A plan that was completed or replaced."""

    name: str
    files: dict[PlanFile, KeptFile] = {}


class ThreadPlanFiles(Wire):
    """Whether agents may keep plan files, which there are, and the newest archived plans."""

    is_on: bool = False
    files: dict[PlanFile, KeptFile] = {}
    archived: tuple[ArchivedPlan, ...] = ()
