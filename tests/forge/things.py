"""What is on a forge double: accounts, projects, pull requests, issues, and what is said and checked there."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

CheckWord = Literal["pending", "passed", "failed", "skipped"]


@dataclass
class Somebody:
    """An account of the forge."""

    id: int
    login: str
    is_bot: bool = False


@dataclass
class Words:
    """A comment; edited where `updated_at` is later than `created_at`."""

    id: int
    author: Somebody
    body: str
    created_at: datetime
    updated_at: datetime


@dataclass
class Placed:
    """A review thread."""

    id: str
    path: str
    line: int
    comments: list[Words]
    is_resolved: bool = False
    review: int = 0


@dataclass
class Reviewed:
    """A review: approved, changes_requested or commented."""

    id: int
    author: Somebody
    state: str
    body: str
    commit: str
    at: datetime


@dataclass
class Checked:
    """A check of a commit; a status has no log."""

    id: int
    name: str
    state: CheckWord
    log: str = ""
    summary: str = ""
    url: str = ""
    is_status: bool = False


@dataclass
class Project:
    """A repository; its name has slashes where groups are nested."""

    id: int
    path: str
    branches: dict[str, str] = field(default_factory=dict)
    protected: set[str] = field(default_factory=set)
    needs: dict[str, tuple[int, str]] = field(default_factory=dict)  # approvals, and a check's name
    fork_of: str = ""
    is_archived: bool = False
    is_gone: bool = False
    moved_to: str = ""
    has_queue: bool = False
    merge_method: str = "merge"


@dataclass
class Pull:
    """A pull request; GitLab's pipeline may be of a `merged_result`, made of the head `result_of`."""

    id: int
    number: int
    project: Project
    head_project: Project
    head: str
    base: str
    title: str
    body: str
    author: Somebody
    created_at: datetime
    state: Literal["open", "closed", "merged"] = "open"
    commit: str = ""
    merge_commit: str = ""
    merged_with: str = ""
    mergeability: Literal["unknown", "clean", "behind", "conflicts", "blocked"] = "clean"
    will_merge_itself: bool = False
    auto_method: str = "merge"
    is_draft: bool = False
    is_locked: bool = False
    merged_result: str = ""
    result_of: str = ""
    is_stubborn: bool = False  # it goes on merging itself
    comments: list[Words] = field(default_factory=list)
    threads: list[Placed] = field(default_factory=list)
    reviews: list[Reviewed] = field(default_factory=list)


@dataclass
class Ticket:
    """An issue."""

    id: int
    number: int
    project: Project
    title: str
    body: str
    author: Somebody
    created_at: datetime
    updated_at: datetime
    labels: set[str] = field(default_factory=set)
    labelled: list[tuple[str, Somebody]] = field(default_factory=list)
    """Who set which label, in order."""
    assignees: list[Somebody] = field(default_factory=list)
    is_open: bool = True
    is_locked: bool = False
    comments: list[Words] = field(default_factory=list)


def now() -> datetime:
    """Return the time as forges have it: to the second."""
    return datetime.now(UTC).replace(microsecond=0)
