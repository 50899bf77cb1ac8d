"""The board of threads: which column a thread is in, by one rule for the page, its counts and the API.

Every thread is in exactly one. What asks a person comes first, then what moves by itself; only where nothing
does either, it matters what became of the branch.
"""

from enum import StrEnum

from domain.core.branch_status import BranchStatus
from domain.core.status_words import COMPLETED, FAILED, NO_MORE, UNDER_WAY, WAITING


class Column(StrEnum):
    """The columns of the board, from the left; the last one holds what ended without a merge."""

    PLANNED = "planned"
    RUNNING = "running"
    WAITING = "waiting"
    IN_REVIEW = "in_review"
    MERGED = "merged"
    CLOSED = "closed"


_OF_BRANCH = {
    BranchStatus.IN_REVIEW: Column.IN_REVIEW,
    BranchStatus.MERGED: Column.MERGED,
    BranchStatus.CLOSED: Column.CLOSED,
}


def column_of(
    status: str,
    *,
    asks: bool = False,
    is_working: bool = False,
    branch: BranchStatus = BranchStatus.OPEN,
    has_changes: bool = False,
) -> Column:
    """Return the column of a thread by its status and what is known besides.

    `asks` says whether a person is asked anything, `is_working` whether one of its agents works, and
    `has_changes` whether its tasks changed a line. A status of a later version is one that is planned.
    """
    if status in NO_MORE:
        return _OF_BRANCH[branch] if branch is BranchStatus.MERGED else Column.CLOSED
    if asks or status in {WAITING, FAILED}:
        return Column.WAITING
    if is_working or status in UNDER_WAY:
        return Column.RUNNING
    if branch in _OF_BRANCH:
        return _OF_BRANCH[branch]
    if status == COMPLETED:
        return Column.IN_REVIEW if has_changes else Column.CLOSED
    return Column.PLANNED
