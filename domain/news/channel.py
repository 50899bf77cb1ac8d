"""A channel that news go out by, and which of them it takes."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from domain.core.wire import Wire
from domain.reading.inbox.item import InboxItem, InboxKind

ChannelName = Annotated[str, Field(pattern="^[a-z0-9][a-z0-9-]{0,39}$")]


class ChannelKind(StrEnum):
    """What carries the messages of a channel."""

    WEBHOOK = "webhook"
    APPRISE = "apprise"
    PUSH = "push"
    """A browser that somebody has subscribed on the page; never in the settings."""


class Content(StrEnum):
    """How much a message says of what waits."""

    KIND = "kind"
    """Only what kind of thing waits."""
    TITLE = "title"
    """The kind, and what the thread is called."""
    FULL = "full"
    """Also what is asked, and the project."""


class Channel(Wire):
    """Which news a channel takes, and when.

    Empty rules take everything. `people` are those whom a channel is for: it then takes what is theirs to decide,
    and where they are mentioned; a channel for nobody in particular takes what waits for anybody, and no mentions.
    """

    name: str
    kind: ChannelKind
    content: Content = Content.TITLE
    kinds: tuple[InboxKind, ...] = ()
    projects: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    quiet: str = ""
    digest: str = ""
    zone: str = ""

    @property
    def is_idempotent(self) -> bool:
        """Whether a receiver sees by a message's id that it has it already."""
        return self.kind in {ChannelKind.WEBHOOK, ChannelKind.PUSH}

    def takes(self, item: InboxItem) -> bool:
        """Tell whether the rules take what waits, whomever it is for."""
        if self.kinds and item.kind not in self.kinds:
            return False
        return not self.projects or any(_is_in(item.project, name) for name in self.projects)


def _is_in(project: str, named: str) -> bool:
    """Tell whether a project is the one named, by its path or its last name."""
    path = project.rstrip("/")
    return named.rstrip("/") in {path, path.rpartition("/")[2]}
