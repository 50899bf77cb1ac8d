"""What the activity takes that changes plan files."""

from domain.core.effects import Effect
from domain.core.ids import ThreadId
from domain.threads.plan_files.edits import PlanFileEdit
from domain.threads.plan_files.files import PlanFile


class PlanFileCall(Effect):
    """Carry out a change; the text of its content is in the journal.

    `known` are the files as the thread knows them: what is not on the disk any more comes back first.
    """

    thread_id: ThreadId
    edit: PlanFileEdit
    content_ref: str = ""
    known: dict[PlanFile, str] = {}

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"plan files: {self.edit.op} {self.edit.which.file_name}"
