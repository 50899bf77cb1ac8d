"""What a person decided, in words."""

from domain.core.approvals import Subject
from domain.core.ids import WORK
from domain.core.task_names import task_name
from domain.core.text import on_one_line
from domain.reading.views import OpenRequest, ThreadView

MAX_TITLE = 60


def _title(view: ThreadView) -> str:
    return repr(on_one_line(view.topic or view.goal)[:MAX_TITLE])


def subject_of(view: ThreadView, request: OpenRequest) -> str:
    """Say what a request asks about, as part of a sentence: `plan 1 of 'Add receipts'`."""
    asked = request.request
    number = asked.request_id.rpartition("-")[2]
    match asked.subject:
        case Subject.PLAN:
            return f"plan {number} of {_title(view)}"
        case Subject.AMENDMENT:
            return f"amendment {number} of {_title(view)}"
        case Subject.SUGGESTION:
            return "the suggestion to plan first"
        case Subject.GATE:
            return f"the work of {_title(view) if request.task_id == WORK else task_name(request.task_id or '')}"
        case Subject.BEST_OF:
            return f"the candidates of task {request.task_id}"
        case Subject.TASK_PLAN:
            return f"the plan of task {request.task_id}"


def decided(view: ThreadView, request: OpenRequest, choice: str) -> str:
    """Say what was decided: `Approved plan 1 of 'Add receipts'.`."""
    return f"{'Approved' if choice == 'approve' else 'Rejected'} {subject_of(view, request)}."
