"""What became of a thread's branch, as the thread itself knows it."""

from domain.core.branch_status import BranchStatus
from domain.threads.landing.calls import LandingStage
from domain.threads.state import ThreadState


def branch_status(state: ThreadState) -> BranchStatus:
    """Return what became of it: of the newest pull request, or of a merge on this machine.

    A merge counts for the plan that was carried out then: what a later one makes is not merged yet.
    """
    landing, published = state.landing, state.publication
    if landing.stage is LandingStage.MERGED and landing.plan == (state.approved or 0):
        return BranchStatus.MERGED
    opened, finished = published.pull_request, published.finished
    if opened is None:
        return BranchStatus.OPEN
    if finished is None or finished.number != opened.number:
        return BranchStatus.IN_REVIEW
    return BranchStatus.MERGED if finished.is_merged else BranchStatus.CLOSED
