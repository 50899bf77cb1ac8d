"""What can be waited for in a thread: `treadle.wait_for(thread, until.planned)`. Any function of its view will do."""

from collections.abc import Callable

from treadle_client.models import ThreadView

Condition = Callable[[ThreadView], bool]

ENDED = frozenset({"completed", "cancelled", "terminated"})


def planned(view: ThreadView) -> bool:
    """A plan waits for approval, planning failed, or nothing of the thread can come any more."""
    return bool(view.requests) or bool(view.planning_failure) or ended(view)


def needs_person(view: ThreadView) -> bool:
    """Somebody is asked: to approve, to answer, or to decide how a failure goes on."""
    return view.shown_status == "waiting" or bool(view.requests or view.questions)


def ended(view: ThreadView) -> bool:
    """Its work is done, or was given up; one that failed may still be resumed."""
    return view.status in ENDED


def settled(view: ThreadView) -> bool:
    """Nothing goes on without a person: it ended, failed, or somebody is asked."""
    return ended(view) or view.status == "failed" or needs_person(view)
