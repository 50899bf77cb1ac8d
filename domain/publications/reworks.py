"""Reworks of a pull request: what the thread is asked to change because of an item, and how many there were."""

from datetime import datetime, timedelta
from enum import StrEnum

from domain.core.wire import Wire
from domain.forges.untrusted import untrusted
from domain.publications.items import Item, ItemKind

REWORKABLE = frozenset({ItemKind.FAILED_CHECK, ItemKind.COMMENT, ItemKind.REVIEW})
REWORK_TURNS = 12
"""Turns of an agent that a rework takes which nobody asked for; then it has failed, and a person is asked."""
PUSH_PATIENCE = timedelta(minutes=15)
"""How long a rework that is done may take to be pushed until a person is told."""
UNCHANGED = "it changed nothing"
MAX_LOG = 6_000
"""Characters of a log's end that an agent is given."""


class ReworkStage(StrEnum):
    """Where a rework stands: asked for, at work, done but not pushed, or pushed and to be answered."""

    ASKING = "asking"
    RUNNING = "running"
    DONE = "done"
    ANSWERING = "answering"


class Rework(Wire):
    """A rework that is under way; `commit` is what the thread had pushed before, then what it pushed.

    `usd` is what it has cost, once the thread has told; `done_at` is since when it is to be pushed without a person.
    """

    number: int
    item: Item
    by: str = ""
    is_by_policy: bool = False
    stage: ReworkStage = ReworkStage.ASKING
    commit: str = ""
    usd: float = 0.0
    done_at: datetime | None = None


class EndedRework(Wire):
    """A rework that is over: pushed as `commit`, else nothing was, for a `reason`; `subject` is from outside in part."""

    number: int
    kind: ItemKind
    subject: str = ""
    url: str = ""
    by: str = ""
    is_by_policy: bool = False
    commit: str = ""
    reason: str = ""
    usd: float = 0.0


class ReworkCount(Wire):
    """How many reworks there were: all of them, and those that nobody asked for.

    `items` are those that were reworked, by their ids, `usd` is what all have cost. The thread gives the numbers to the next watch.
    """

    number: int = 0
    by_policy: int = 0
    items: tuple[str, ...] = ()
    usd: float = 0.0


def rework_words(item: Item, number: int, log: str = "", failure: str = "") -> str:
    """Return what an agent is told of an item; what is from outside is quoted and marked as such."""
    named = f"pull request #{number}"
    if item.kind is ItemKind.FAILED_CHECK:
        parts = [
            f"A check of {named} failed. Find out why, fix it, and run what you can of it yourself.",
            untrusted(item.subject, f"the name of a check of {named}"),
            untrusted(item.text, f"the summary of that check of {named}") if item.text else "",
            untrusted(log[-MAX_LOG:], f"the end of that check's log, {named}") if log else "",
            f"Its log could not be read: {failure}." if failure and not log else "",
        ]
    else:
        parts = [
            f"Somebody commented on {named}. Change the work as far as the comment is right.",
            untrusted(item.text, f"{item.subject} ({named})"),
        ]
    return "\n\n".join(part for part in parts if part)
