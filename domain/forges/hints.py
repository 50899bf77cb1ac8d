"""Hints that something changed on a forge or a tracker: they make us look, and never carry what to do.

A hint comes by a webhook. A workflow that looks at a forge takes it by its signal `look` and looks
earlier than its clock says; a hint that is false, late, doubled or out of order costs one look at most.
"""

from pydantic import Field

from domain.core.wire import Wire
from domain.forges.issues import IssueId
from domain.forges.projects import ForgeProject

LOOK = "look"
"""The signal that carries a hint to a workflow."""

WATCHERS = ("publication", "tracker", "stack")
"""The kinds, in their listings, of the workflows that take hints."""

MAX_HINT_ID = 200


class ForgeHint(Wire):
    """What may have changed; whatever is not given may be any of the project.

    `tracker` is the name of a tracker that has no project on a forge (Linear, Jira). `hint_id` is the delivery.
    One `is_of_code` says that a branch moved, which concerns no issue.
    """

    hint_id: str = Field(max_length=MAX_HINT_ID)
    project: ForgeProject | None = None
    tracker: str = ""
    pull_request: int | None = None
    issue: IssueId | None = None
    commit: str = ""
    is_of_code: bool = False

    @property
    def watched(self) -> str:
        """What a workflow that takes this hint watches: see `Listing.watches`."""
        return watch_of(self.project) if self.project else self.tracker

    def concerns_pull_request(self, number: int, commits: frozenset[str] = frozenset()) -> bool:
        """Tell whether a pull request of the project may have changed, one of these commits its head."""
        if self.pull_request is not None:
            return self.pull_request == number
        if self.issue is not None:
            return False
        return not self.commit or not commits or self.commit in commits

    @property
    def concerns_issues(self) -> bool:
        """Whether an issue may have changed."""
        if self.issue is not None:
            return True
        return self.pull_request is None and not self.commit and not self.is_of_code


def watch_of(project: ForgeProject) -> str:
    """Return what the workflows that look at a project are found by: its address without regard to case."""
    return f"{project.host}/{project.path}".lower()
