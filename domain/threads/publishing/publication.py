"""Publishing a thread's branch: remotes and their forge, pull requests, and where it stands."""

import re
from collections.abc import Iterable
from enum import StrEnum

from domain.core.ids import TaskId
from domain.core.markdown import inline
from domain.core.wire import Wire
from domain.forges.issues import IssueLink
from domain.forges.projects import ForgeProject
from domain.forges.pull_requests import MAX_BODY, MAX_TITLE, PullRequest
from domain.forges.stacks import Layer
from domain.plans.plan import Plan

_NO_LINK = re.compile(r"[<>\s\\]")
_USERINFO = re.compile(r"(https?://)[^/@\s]*@")


class Pushed(Wire):
    """What was pushed: the remote, its address without any password, the commit and its tree."""

    remote: str
    address: str
    branch: str
    commit: str
    tree: str = ""
    project: ForgeProject | None = None


class PushedBeside(Pushed):
    """What was pushed together with it from a repository beside, by that one's name."""

    name: str


class PushedBranch(Pushed):
    """What was pushed from the thread's own repository, and from those beside that have changed.

    `note_failure` is why its receipt is not there as a note.
    """

    beside: tuple[PushedBeside, ...] = ()
    note_failure: str = ""


class PublishStage(StrEnum):
    """Where publishing stands."""

    IDLE = "idle"
    PUSHING = "pushing"
    OPENING = "opening"
    PUBLISHED = "published"
    FAILED = "failed"


class FinishedPullRequest(Wire):
    """How a pull request ended; a merge may have squashed `head_commit` into `merge_commit`."""

    number: int
    is_merged: bool = False
    merge_commit: str = ""
    head_commit: str = ""


class ThreadRework(Wire):
    """The newest rework of the pull request: `plan` is its revision, 0 while it waits for its turn.

    `by_policy` is how many of the pull request nobody asked for, `items` what they were about, `usd` what all of them
    have cost so far, as their agents told it.
    """

    pull_request: int
    number: int
    subject: str
    text: str
    by: str = ""
    is_by_policy: bool = False
    by_policy: int = 0
    items: tuple[str, ...] = ()
    usd: float = 0.0
    plan: int = 0
    is_ended: bool = False
    is_done: bool = False
    reason: str = ""
    is_told: bool = False


class Publication(Wire):
    """Publishing as a thread remembers it; `number` counts the times that it was asked for.

    `address` is the address that a person gave for the remote, `commit` what they were shown; `plan` is
    the revision of the plan that was published by its template last. `watched` is the pull request that is
    watched, and `watched_commit` the pushed commit that its watch knows; `finished` is how the last one ended.
    `on_remote` is the commit that was pushed last, whatever became of publishing since; `is_by_policy` that what is
    published is a base that was taken in unasked. `rework` is its newest rework; `reworked` the one that was done when publishing was asked for last, and
    `watched_rework` the one that the watch knows to be pushed. A thread that is published by task
    has a `stack` of pull requests, the lowest of which goes into `stack_base`; `pull_request` is then the one to be
    merged next.
    """

    number: int = 0
    stage: PublishStage = PublishStage.IDLE
    remote: str = ""
    address: str = ""
    wants_pull_request: bool = True
    plan: int = 0
    commit: str = ""
    is_by_policy: bool = False
    pushed: PushedBranch | None = None
    on_remote: str = ""
    pull_request: PullRequest | None = None
    compare_url: str = ""
    failure: str = ""
    watched: int = 0
    watched_commit: str = ""
    finished: FinishedPullRequest | None = None
    rework: ThreadRework | None = None
    reworked: int = 0
    watched_rework: int = 0
    is_by_task: bool = False
    stack: tuple[Layer, ...] = ()
    stack_base: str = ""

    @property
    def is_under_way(self) -> bool:
        """Whether it is being published now."""
        return self.stage in {PublishStage.PUSHING, PublishStage.OPENING}

    @property
    def is_confirmed(self) -> bool:
        """Whether a person was shown the commit, and said that this one is to be published."""
        return self.commit != "" and not self.is_by_policy

    @property
    def pushed_commit(self) -> str:
        """The commit that was pushed last; empty where none was."""
        return self.on_remote or (self.pushed.commit if self.pushed else "")


def without_secrets(text: str) -> str:
    """Return text without what stands before the host of a web address: it may hold a token."""
    return _USERINFO.sub(r"\1", text)


def issue_words(issue: IssueLink) -> str:
    """Return a goal that names an issue and links it; empty without a title.

    There is no word in it by which a forge closes the issue: the tracker's settings say whether it is.
    """
    key, url = inline(issue.key), issue.url
    link = f"[{key}](<{url}>)" if url and not _NO_LINK.search(url) else key
    return f"{issue.title}\n\nFor the issue {link}." if issue.title else ""


def draft_text(
    goal: str, plan: Plan | None, tasks: Iterable[tuple[TaskId, str]]
) -> tuple[str, str]:
    """Return title and body of a pull request, of the goal, the plan's summary and its tasks."""
    first, _, rest = goal.strip().partition("\n")
    title = " ".join(first.split())[:MAX_TITLE] or "Work by Treadle"
    listed = "\n".join(f"- {task_id}: {' '.join(words.split())}" for task_id, words in tasks)
    parts = (
        rest.strip(),
        plan.summary.strip() if plan else "",
        f"## Tasks\n\n{listed}" if listed else "",
        "Planned, verified and approved with Treadle.",
    )
    return title, "\n\n".join(part for part in parts if part)[:MAX_BODY]
