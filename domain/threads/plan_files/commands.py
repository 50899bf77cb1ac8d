"""What agents do with plan files by their tools, and what people decide about them."""

from pydantic import Field

from domain.core.command import MAX_NAME, AgentCommand, Coded
from domain.threads.plan_files.edits import PlanFileOp
from domain.threads.plan_files.files import PlanFile

MAX_SECTION = 1000
"""Characters of a heading."""


class ChangePlanFile(AgentCommand):
    """Change a plan file of the thread; its text is in the journal.

    It is carried out before it is answered, one at a time. `known_ref` names the file's text as the
    session has read it: what another one wrote meanwhile is not replaced unseen.
    """

    door = "change_plan_file"

    op: PlanFileOp
    which: PlanFile = PlanFile.TASK_PLAN
    section: str = Field(default="", max_length=MAX_SECTION)
    title: str = Field(default="", max_length=MAX_NAME)
    content_ref: str = Field(default="", max_length=64)
    known_ref: str = Field(default="", max_length=64)
    is_forced: bool = False
    is_confirmed: bool = False


class SetPlanFiles(Coded):
    """Let agents of the thread keep plan files, or let them no more; what is written stays."""

    door = "set_plan_files"

    is_on: bool

    @property
    def content(self) -> str:
        """On or off."""
        return "on" if self.is_on else "off"
