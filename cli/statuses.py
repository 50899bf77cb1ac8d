"""How a thread stands in a word, and in a colour."""

from domain.core.event import Headline
from domain.plans.status import PlanStatus
from domain.reading.views import ThreadView
from domain.threads.planning.state import UNPLANNED

STATUS_STYLES = {"completed": "green", "waiting": "yellow", "failed": "red", "running": "cyan"}


def status(view: ThreadView) -> str:
    """Return a thread's status; a paused one that also asks something is both.

    Planning that ended without a plan is over for its agents only: it waits for a word.
    """
    is_hidden = view.plan_status is PlanStatus.PAUSED and view.status != "paused"
    word = "waiting for you" if _is_unplanned(view) else view.status
    return f"{word}, paused" if is_hidden else word


def status_style(view: ThreadView) -> str:
    """Return the style of a thread's status."""
    return STATUS_STYLES.get("waiting" if _is_unplanned(view) else view.status, "")


def listed_status(thread: Headline) -> tuple[str, str]:
    """Return the word and the style of a thread in a list, as its own page has them."""
    is_unplanned = thread.status == "failed" and thread.waiting_for.startswith(UNPLANNED)
    word = "waiting for you" if is_unplanned else thread.status
    return word, STATUS_STYLES.get("waiting" if is_unplanned else thread.status, "")


def _is_unplanned(view: ThreadView) -> bool:
    """Tell whether planning ended without a plan, which another word of a person mends."""
    return view.status == "failed" and bool(view.planning_failure)
