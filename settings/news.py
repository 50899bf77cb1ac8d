"""The settings of news: the channels that tell people what waits for them."""

from pathlib import Path
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings

from domain.news.channel import Channel, ChannelKind, ChannelName, Content
from domain.news.quiet import checked_clock, checked_quiet, checked_zone
from domain.reading.inbox.item import InboxKind

_VARIABLE = "^[A-Za-z_][A-Za-z0-9_]*$"
_HOST = "^[A-Za-z0-9.:-]{1,253}$"
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def _address(url: str) -> str:
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        is_right = bool(host) and "@" not in parts.netloc and (parts.port or 1) > 0
    except ValueError:
        is_right, host, parts = False, "", urlsplit("")
    if not is_right or not (
        parts.scheme == "https" or (parts.scheme == "http" and host in _LOOPBACK)
    ):
        why = "a webhook is sent to https://…, or to http:// on this machine; without a password in the address"
        raise PydanticCustomError("address", "{why}", {"why": why})
    return url


class NewsTable(BaseModel):
    """One `[[news]]`: a channel, and which news it takes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: ChannelName
    """What the channel is called; news that were sent are remembered under it."""

    kind: ChannelKind
    """`webhook`, or `apprise` (Slack, Teams, Telegram, ntfy, mail …)."""

    url: Annotated[str, AfterValidator(_address)] | None = None
    """Of a webhook: where messages are sent to."""

    secret_env: Annotated[str, Field(pattern=_VARIABLE)] | None = None
    """Name of the variable with a webhook's signing key (`whsec_…`), or with apprise's URL."""

    secret_file: Path | None = None
    """File with the same, in place of a variable."""

    content: Content = Content.TITLE
    """How much a message says: `kind`, `title` (the kind and the thread's title), or `full`."""

    kinds: tuple[InboxKind, ...] = ()
    """Kinds of the inbox that are sent; all by default."""

    projects: tuple[str, ...] = ()
    """Repositories whose news are sent, by path, URL or last name; all by default."""

    people: tuple[str, ...] = ()
    """People whose news are sent, with where they are mentioned; by default what waits for anybody."""

    quiet: Annotated[str, AfterValidator(checked_quiet)] = ""
    """Hours in which nothing is sent, like `22:00-07:00`: it is sent afterwards, if it still waits."""

    digest: Annotated[str, AfterValidator(checked_clock)] = ""
    """Time of day of one message with all that waits, like `08:30`, in place of one for each."""

    time_zone: Annotated[str, AfterValidator(checked_zone)] = ""
    """Time zone of `quiet` and `digest`, like `Europe/Berlin`; UTC by default."""

    @model_validator(mode="after")
    def _check_whole(self) -> Self:
        """Refuse a channel that could send nothing."""
        has_secret = self.secret_env is not None or self.secret_file is not None
        lacking = {
            ChannelKind.WEBHOOK: not (self.url and has_secret)
            and "a webhook needs `url`, and `secret_env` or `secret_file` with its signing key",
            ChannelKind.APPRISE: not has_secret
            and "apprise needs `secret_env` or `secret_file` with its URL, which holds a token",
            ChannelKind.PUSH: "browsers are subscribed on the page, in Settings, not here",
        }.get(self.kind)
        if lacking:
            raise PydanticCustomError("news", "{why}", {"why": lacking})
        return self

    @property
    def channel(self) -> Channel:
        """The channel with its rules."""
        return Channel(
            name=self.name,
            kind=self.kind,
            content=self.content,
            kinds=self.kinds,
            projects=self.projects,
            people=self.people,
            quiet=self.quiet,
            digest=self.digest,
            zone=self.time_zone,
        )


def _named_once(tables: tuple[NewsTable, ...]) -> tuple[NewsTable, ...]:
    names = [table.name for table in tables]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        why = f"two channels are called {twice[0]!r}: each needs a name of its own"
        raise PydanticCustomError("news", "{why}", {"why": why})
    return tables


class NewsSettings(BaseSettings):
    """What tells people of what waits for them; a part of the settings, never read alone."""

    news: Annotated[tuple[NewsTable, ...], AfterValidator(_named_once)] = ()
    """The channels that news go out by, each a table `[[news]]`; in the environment a list in JSON."""

    push_services: tuple[Annotated[str, Field(pattern=_HOST)], ...] = ()
    """Hosts of push services whose addresses browsers may name, beside those of Google, Mozilla, Apple and Microsoft."""
