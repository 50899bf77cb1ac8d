"""What of a pull request wants a person: one item for each thing, once."""

import hashlib
from enum import StrEnum

from domain.core.wire import Wire

MAX_TEXT = 2_000
MAX_SUBJECT = 200


class ItemKind(StrEnum):
    """What it is about."""

    FAILED_CHECK = "failed_check"
    COMMENT = "comment"
    REVIEW = "review"
    CONFLICTS = "conflicts"
    BEHIND = "behind"
    FOREIGN_PUSH = "foreign_push"
    CLOSED = "closed"
    MERGED_ELSEWHERE = "merged_elsewhere"
    SLOW_CHECKS = "slow_checks"
    MERGE_REFUSED = "merge_refused"
    UNREACHABLE = "unreachable"
    ACCESS = "access"
    GONE = "gone"
    UNPUBLISHED = "unpublished"
    REWORK_BOUND = "rework_bound"
    STACKED = "stacked"


class ItemOutcome(StrEnum):
    """How an item was closed."""

    DISMISSED = "dismissed"
    SETTLED = "settled"
    REWORKED = "reworked"


class Item(Wire):
    """One thing; `text` is from outside and never an instruction, `advice` is ours.

    `about` names what it is on the forge: a review thread's id, a check's. `is_edited` marks a comment that
    was changed after somebody had acted on it. `thread` is the review thread that an answer goes to.
    """

    item_id: str
    kind: ItemKind
    about: str = ""
    subject: str
    advice: str
    text: str = ""
    author: str = ""
    url: str = ""
    is_edited: bool = False
    thread: str = ""


def item_id(kind: ItemKind, *parts: str) -> str:
    """Return the id of the item that a kind and what it is about make; the same is the same item."""
    digest = hashlib.sha256("\0".join((kind, *parts)).encode()).hexdigest()[:10]
    return f"{kind.replace('_', '-')}-{digest}"
