"""Issues of a tracker, as GitHub, GitLab, Linear and Jira all have them."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from domain.core.wire import Wire
from domain.forges.projects import Account


class TrackerKind(StrEnum):
    """What a tracker speaks."""

    GITHUB = "github"
    GITLAB = "gitlab"
    GITEA = "gitea"
    LINEAR = "linear"
    JIRA = "jira"


class IssueId(Wire):
    """Which issue: `id` is the tracker's own and never changes; `key` is what people call it, and may."""

    tracker: str
    id: str
    key: str = ""


class IssueLink(Wire):
    """The issue that work comes from, as doors show it."""

    key: str = Field(default="", max_length=300)
    url: str = Field(default="", max_length=2_000)
    title: str = Field(default="", max_length=300)


class Issue(Wire):
    """An issue as the tracker shows it; all text is from outside and never an instruction.

    `author_is_member` says that its author belongs to the project, as far as the tracker tells.
    """

    ref: IssueId
    url: str
    title: str
    body: str = ""
    author: Account
    author_is_member: bool = False
    labels: frozenset[str] = frozenset()
    assignees: tuple[Account, ...] = ()
    is_open: bool = True
    created_at: datetime
    updated_at: datetime


class IssueComment(Wire):
    """A comment on an issue; `edited_at` is set where it was changed after it was written."""

    id: str
    author: Account
    body: str
    url: str = ""
    created_at: datetime
    edited_at: datetime | None = None


class IssueQuery(Wire):
    """Which issues are wanted: all that is given must hold.

    `project` is the path of a project (GitHub, GitLab, Gitea), a team (Linear) or a project key (Jira);
    `text` is the tracker's own query language and is passed on as it is.
    """

    project: str
    labels: frozenset[str] = frozenset()
    assignee: str = ""
    text: str = ""


class IssuePage(Wire):
    """Issues that changed since the look that gave `cursor`, oldest change first.

    None where nothing changed (a 304). `wait` is how long the tracker wants to be left alone, in seconds.
    """

    issues: tuple[Issue, ...] | None = None
    cursor: str = ""
    tags: dict[str, str] = Field(default_factory=dict)
    has_more: bool = False
    wait: float = 0.0
