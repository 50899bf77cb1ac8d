"""Whether a thread moves by itself: a turn in the editor lasts as long as it does."""

from collections.abc import Iterator

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
    if any(_moves(view)) or view.landing.is_under_way:
        return True
    is_held = asks(view) or bool(view.over_limits)
    match view.status:
        case "planning":
            return not is_held
        case "running":
            return not (is_held or view.waiting_for)
        case _:
            return False


def _moves(view: ThreadView) -> Iterator[bool]:
    """Yield of each that works whether it does now; of a task that several do, those do."""
    for session in view.sessions:
        yield session.is_working and not (session.questions or session.is_over_limit)
    contests = {each.task_id for each in view.contests}
    for run in view.runs:
        is_over_limit = any(session.is_over_limit for session in run.sessions)
        yield run.activity in ACTIVE and run.task_id not in contests and not is_over_limit
