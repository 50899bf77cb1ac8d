"""A thread's status in words, with its color."""

from cli.threads.list import STATUS_STYLES
from domain.core.status_words import shown_status, status_words
from domain.plans.status import PlanStatus
from domain.reading.views import ThreadView


def status_word(view: ThreadView) -> str:
    """Return a thread's status; one that is paused and waiting is both."""
    is_hidden = view.plan_status is PlanStatus.PAUSED and view.status != "paused"
    word = status_words(view.status, view.waiting_for)
    return f"{word}, paused" if is_hidden else word


def status_style(view: ThreadView) -> str:
    """Return the style of a thread's status."""
    return STATUS_STYLES.get(shown_status(view.status, view.waiting_for), "")
