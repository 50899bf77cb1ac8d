"""What comments on an issue ask of Treadle: `/treadle approve CODE`, `/treadle reject CODE reason`, `/treadle status`.

A comment counts by its first line, and only as it was written: one that was edited is never acted upon.
"""

import hmac
from enum import StrEnum

from domain.core.wire import Wire
from domain.forges.issues import IssueComment
from domain.trackers.source import TrackerSource
from domain.trackers.state import ShownPlan

MAX_REPLIES = 20
"""Answers to comments on one issue that were no good; after that we say no more."""

MAX_REASON = 2_000
_PREFIX = "/treadle"


class Verb(StrEnum):
    """What is asked."""

    APPROVE = "approve"
    REJECT = "reject"
    STATUS = "status"


class Order(Wire):
    """What a comment asks; without a verb it is not known what."""

    verb: Verb | None = None
    code: str = ""
    reason: str = ""


class Ruling(Wire):
    """What becomes of a comment: a decision of a person, the status, or only a reply that says what to do."""

    verb: Verb | None = None
    person: str = ""
    reason: str = ""
    reply: str = ""


def order_of(comment: IssueComment) -> Order | None:
    """Return what a comment asks of Treadle; None where it asks nothing of it."""
    first, _, rest = comment.body.strip().partition("\n")
    words = first.split()
    if not words or words[0].casefold() != _PREFIX:
        return None
    try:
        verb = Verb(words[1].casefold()) if len(words) > 1 else None
    except ValueError:
        verb = None
    reason = "\n".join((" ".join(words[3:]), rest)).strip()
    return Order(verb=verb, code=words[2] if len(words) > 2 else "", reason=reason[:MAX_REASON])  # noqa: PLR2004


def rule_on(
    order: Order, comment: IssueComment, shown: ShownPlan | None, source: TrackerSource
) -> Ruling:
    """Return what becomes of a comment that asks something."""
    if comment.edited_at is not None:
        return Ruling(reply="A comment that was edited is not acted upon: write a new one.")
    person = source.person_of(comment.author)
    if not person:
        return Ruling(reply=_STRANGER)
    if order.verb is Verb.STATUS:
        return Ruling(verb=Verb.STATUS, person=person)
    if order.verb is None:
        return Ruling(reply=_USAGE)
    if shown is None:
        return Ruling(reply="No plan waits for approval here now.")
    if not _is_code(order.code, shown):
        return Ruling(reply=_WRONG_CODE)
    if not shown.is_whole and order.verb is Verb.APPROVE:
        return Ruling(reply="This plan is too long to be shown here: approve it in Treadle.")
    return Ruling(verb=order.verb, person=person, reason=order.reason)


def _is_code(code: str, shown: ShownPlan) -> bool:
    return hmac.compare_digest(code.casefold().encode(), shown.code.encode())


_STRANGER = (
    "Your account is not among those that may decide here. An admin names it under `approvers` of this "
    "tracker in config.toml."
)
_USAGE = (
    "Not understood. Write `/treadle approve CODE`, `/treadle reject CODE reason` or `/treadle status`, with "
    "the code of the newest plan."
)
_WRONG_CODE = "This is not the code of the plan that waits now. Read the newest plan above, then write the line below it."
