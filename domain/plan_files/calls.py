"""What the activity takes that changes plan files."""

from domain.effects import Effect
from domain.ids import ThreadId
from domain.plan_files.edits import PlanFileEdit


class PlanFileCall(Effect):
    """Carry out a change; the text of its content is in the journal."""

    thread_id: ThreadId
    edit: PlanFileEdit
    content_ref: str = ""
