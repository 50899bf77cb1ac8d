"""When the work on an issue is over: with its pull request, where there is one."""

from domain.core.markdown import address, code
from domain.core.status_words import ENDED
from domain.core.wire import Wire
from domain.threads.landing.calls import LandingStage
from domain.threads.publishing.publication import FinishedPullRequest
from domain.threads.state import ThreadState

COMPLETED = "completed"


class Ending(Wire):
    """How far the work on an issue is.

    `has_ended` says that its thread did; `outcome` is set once nothing more is to come, which
    of completed work is the end of its pull request. `merged` is that pull request, if it was merged.
    """

    has_ended: bool = False
    outcome: str = ""
    merged: FinishedPullRequest | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to come."""
        return self.outcome != ""


def ending_of(state: ThreadState, status: str, *, is_archived: bool = False) -> Ending:
    """Return how far the work on an issue is, by its thread and the status of that."""
    has_ended = status in ENDED
    finished = _finished(state)
    merged = finished if finished is not None and finished.is_merged else None
    if not has_ended:
        return Ending(merged=merged)
    if status != COMPLETED:
        outcome = status
    elif merged is not None:
        outcome = f"merged as #{merged.number}"
    elif finished is not None:
        outcome = f"the pull request #{finished.number} was closed without being merged"
    elif state.landing.stage is LandingStage.MERGED:
        outcome = f"merged into {state.landing.target}"
    else:
        outcome = "completed, and archived" if is_archived else ""
    return Ending(has_ended=True, outcome=outcome, merged=merged)


def _finished(state: ThreadState) -> FinishedPullRequest | None:
    """Return the end of the newest pull request; of an older one it says nothing."""
    finished, newest = state.publication.finished, state.publication.pull_request
    is_older = finished is None or (newest is not None and newest.number != finished.number)
    return None if is_older else finished


def merged_words(url: str, merged: FinishedPullRequest) -> str:
    """Return the comment on an issue whose pull request was merged."""
    commit = f" as {code(merged.merge_commit[:12])}" if merged.merge_commit else ""
    return f"Merged{commit}: {address(url or f'#{merged.number}')}"
