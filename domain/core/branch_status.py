"""What became of a thread's branch, in a word: lists and the board go by it."""

from enum import StrEnum


class BranchStatus(StrEnum):
    """Where a thread's branch is, apart from whether anybody works on it."""

    OPEN = ""
    IN_REVIEW = "in_review"
    MERGED = "merged"
    CLOSED = "closed"
