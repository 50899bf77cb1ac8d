"""What happens to plan files, in words."""

from domain.core.event import EventBody
from domain.threads.plan_files.edits import PlanFileOp
from domain.threads.plan_files.events import PlanArchived, PlanFileChanged, PlanFilesSet

_DID = {
    PlanFileOp.INIT: "began",
    PlanFileOp.WRITE: "wrote",
    PlanFileOp.UPDATE: "changed",
    PlanFileOp.CLEAR: "removed",
}


def words_of(body: EventBody) -> str:
    """Return an event's words, empty where it is none of these."""
    match body:
        case PlanFilesSet(is_on=is_on):
            return "agents may keep plan files" if is_on else "agents keep no plan files any more"
        case PlanFileChanged(session_id=session_id):
            who = session_id.partition("/")[2]
            section = f", section {body.section!r}" if body.section else ""
            size = f" ({body.size_bytes} bytes)" if body.content_ref else ""
            return f"{who} {_DID[body.op]} {body.which}{section}{size}"
        case PlanArchived(name=name, files=files):
            return f"the plan so far is archived as {name}: {', '.join(files)}"
        case _:
            return ""
