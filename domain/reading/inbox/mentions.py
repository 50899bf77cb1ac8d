"""Mentions of people: what of an event names somebody, and the items that it makes in their inboxes."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from domain.agents.agents import PromptName
from domain.conversations.events import MessageQueued
from domain.core.acting import program_of
from domain.core.event import EventBody, Headline
from domain.core.ids import ThreadId
from domain.core.wire import Wire
from domain.people.mentions import names_in
from domain.reading.inbox.item import InboxItem, InboxKind, line

_NO_PERSON = frozenset({"", "treadle", "a person"})


class Mention(Wire):
    """A person was named in a message of another one; `top` is the thread."""

    event_id: str
    person: str
    top: str
    by: str
    at: datetime


def named_by(body: EventBody) -> tuple[str, ...]:
    """Return whom an event may mention: the message of a person does, and no text of an agent."""
    if not isinstance(body, MessageQueued) or body.by in _NO_PERSON or program_of(body.by):
        return ()
    if body.prompt.name is not PromptName.MESSAGE or body.prompt.by != body.by:
        return ()
    names = names_in(body.prompt.fields.get("text", ""))
    return tuple(name for name in names if name != body.by)


def mention_items(
    mentions: Sequence[Mention], lines: Mapping[str, Headline]
) -> tuple[InboxItem, ...]:
    """Return an item for each thread that somebody is mentioned in and may see, with who did it last."""
    newest = {mention.top: mention for mention in sorted(mentions, key=lambda one: one.at)}
    return tuple(
        _item(mention, lines[top]) for top, mention in sorted(newest.items()) if top in lines
    )


def _item(mention: Mention, thread: Headline) -> InboxItem:
    title = line(thread.title or thread.goal)
    return InboxItem(
        item_id=f"{mention.top}#{InboxKind.MENTION}",
        kind=InboxKind.MENTION,
        thread_id=ThreadId(mention.top),
        workflow_id=mention.top,
        project=thread.project,
        title=title,
        subject=line(f"{mention.by} mentioned you in {title}"),
        since=mention.at,
    )
