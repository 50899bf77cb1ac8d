"""A thread's status as a word and a color."""

from cli.threads.list import STATUS_STYLES
from domain.plans.status import PlanStatus
from domain.reading.views import ThreadView


def status_word(view: ThreadView) -> str:
    """Return a thread's status; one that is paused and waiting is both.

    After failed planning it is waiting for you to try again.
    """
    is_hidden = view.plan_status is PlanStatus.PAUSED and view.status != "paused"
    word = "waiting for you" if _is_unplanned(view) else view.status
    return f"{word}, paused" if is_hidden else word


def status_style(view: ThreadView) -> str:
    """Return the style of a thread's status."""
    return STATUS_STYLES.get("waiting" if _is_unplanned(view) else view.status, "")


def _is_unplanned(view: ThreadView) -> bool:
    """Tell whether planning ended without a plan, so that a person can try again."""
    return view.status == "failed" and bool(view.planning_failure)
