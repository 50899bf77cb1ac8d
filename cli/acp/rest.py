"""Whether a thread moves by itself: a turn in the editor lasts as long as it does."""

from domain.reading.task_activity import TaskActivity
from domain.reading.views import ThreadView

ACTIVE = frozenset(
    {
        TaskActivity.STARTING,
        TaskActivity.PLANNING,
        TaskActivity.WORKING,
        TaskActivity.VERIFYING,
        TaskActivity.MERGING,
        TaskActivity.WAITING_FOR_PROVIDER,
    }
)


def asks(view: ThreadView) -> bool:
    """Tell whether a person is asked anything."""
    held = any(task.is_review_held for task in view.works)
    return bool(view.requests or view.questions or view.decisions or view.conflicts or held)


def is_moving(view: ThreadView) -> bool:
    """Tell whether something goes on without a person."""
    if any(session.is_working and not session.questions for session in view.sessions):
        return True
    if any(task.activity in ACTIVE for task in view.works) or view.landing.is_under_way:
        return True
    match view.status:
        case "planning":
            return not asks(view)
        case "running":
            return not (asks(view) or view.waiting_for)
        case _:
            return False
