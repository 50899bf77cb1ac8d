"""The message that a channel carries: no more than its `content` allows, and a link that opens the card."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote

from domain.core.text import counted
from domain.core.wire import Wire
from domain.news.channel import Channel, Content
from domain.news.delivery import Delivery, DeliveryKind
from domain.reading.inbox.item import InboxItem, InboxKind

WORDS = {
    InboxKind.PLAN: "A plan waits for your approval",
    InboxKind.SUGGESTION: "An agent suggests planning",
    InboxKind.TASK_PLAN: "A task's plan waits for your approval",
    InboxKind.BEST_OF: "Candidates are ready for you to choose",
    InboxKind.AMENDMENT: "A change to a plan waits for your approval",
    InboxKind.GATE: "A task waits at its gate",
    InboxKind.DECISION: "A decision is yours",
    InboxKind.QUESTION: "An agent asks you",
    InboxKind.CONFLICT: "A conflict waits for you",
    InboxKind.REVIEW_HELD: "A review is held up",
    InboxKind.ESCALATION: "Something failed and needs you",
    InboxKind.FLOW_QUESTION: "A flow asks you",
    InboxKind.CONCERN: "A running turn is worth a look",
    InboxKind.SET_UP: "Setting up workspaces failed",
    InboxKind.HOST_SILENT: "A host is silent",
    InboxKind.PULL_REQUEST: "A pull request needs you",
    InboxKind.ISSUE: "An issue whose work goes on was closed, unlabelled or moved",
    InboxKind.MENTION: "You are mentioned",
    InboxKind.LIMIT: "Spending limit reached",
    InboxKind.LIMIT_NEAR: "Spending limit almost reached",
}
MAX_LISTED = 20


class Message(Wire):
    """What is sent: `message_id` is the same for each try, `tag` that of all about one card.

    Where only the kind may be said, a hash takes the place of the card's id, which is made of a goal's words.
    """

    message_id: str
    kind: str
    headline: str
    text: str = ""
    link: str
    tag: str = ""
    at: datetime
    item_id: str = ""
    items: int = 1


def message_of(
    channel: Channel, delivery: Delivery, items: Sequence[InboxItem], base_url: str, now: datetime
) -> Message | None:
    """Return the message of a delivery as it is now; None where nothing waits any more."""
    root = f"{base_url.rstrip('/')}/"
    about: dict[str, Any] = {
        "message_id": delivery.delivery_id,
        "at": now,
    }
    if delivery.kind is DeliveryKind.TEST:
        text = f"The channel {channel.name} works."
        return Message(
            **about, kind="test", headline="A test from Treadle", text=text, link=root, tag="test"
        )
    if delivery.kind is DeliveryKind.DIGEST:
        if not items:
            return None
        shown = [_line(channel.content, item) for item in items[:MAX_LISTED]]
        more = len(items) - len(shown)
        listed = "\n".join([*shown, *([f"and {more} more"] if more else [])])
        headline = f"{counted(len(items), 'item')} {'waits' if len(items) == 1 else 'wait'} for you"
        of: dict[str, Any] = {"kind": "digest", "items": len(items), "tag": "digest"}
        return Message(**about, **of, headline=headline, text=listed, link=root)
    item = next((each for each in items if each.item_id == delivery.item_id), None)
    if item is None:
        return None
    name = item.handle if channel.content is Content.KIND else item.item_id
    return Message(
        **about,
        kind=item.kind,
        headline=words_of(item.kind),
        text="\n".join(_facts(channel.content, item)),
        link=f"{root}?item={quote(name, safe='')}",
        tag=name,
        item_id=name,
    )


def words_of(kind: InboxKind) -> str:
    """Return what a message says of a kind; a newer part of a server may know one that this one has no words for."""
    return WORDS.get(kind, "Something waits for you")


def _line(content: Content, item: InboxItem) -> str:
    return ": ".join([words_of(item.kind), *_facts(content, item)])


def _facts(content: Content, item: InboxItem) -> list[str]:
    if content is Content.KIND:
        return []
    facts = [item.title]
    if content is Content.FULL:
        facts += [item.subject, item.project]
    return [fact for fact in facts if fact]
