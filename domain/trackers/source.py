"""What is configured of a tracker: which issues are taken, into which repository, and who may do what."""

from collections.abc import Iterator

from pydantic import Field

from domain.core.wire import Wire
from domain.forges.issues import Issue, IssueQuery, TrackerKind
from domain.forges.projects import Account

BY_ID = "id:"
"""What the name of an account begins with where it is the tracker's id, which nobody can take over."""


class TrackerSource(Wire):
    """A tracker as `[[trackers]]` of config.toml has it; the token is in no model.

    At least one of `label`, `assignee` and `query` is set, and all that are must hold. `allowed` are
    the accounts whose issues are taken, or who may set the label; nobody named are the project's members.
    `approvers` maps accounts to people. An account is `id:` with the tracker's id, or a login.
    """

    name: str
    kind: TrackerKind
    host: str = ""
    project: str
    label: str = ""
    assignee: str = ""
    query: str = ""
    repository: str
    template: str | None = None
    agent: str = ""
    allowed: tuple[str, ...] = ()
    approvers: dict[str, str] = Field(default_factory=dict)
    close: bool = True
    """Whether an issue is closed once its pull request was merged."""

    @property
    def issues(self) -> IssueQuery:
        """Which issues are wanted."""
        labels = frozenset({self.label}) if self.label else frozenset[str]()
        return IssueQuery(
            project=self.project, labels=labels, assignee=self.assignee, text=self.query
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know of this source."""
        return tuple(self._warnings())

    def _warnings(self) -> Iterator[str]:
        for name in (*self.allowed, *self.approvers):
            if not name.startswith(BY_ID):
                yield (
                    f"{self.name} names {name!r} by login, which an account can give up and another take: "
                    f"name it by its id, as {BY_ID}NUMBER"
                )

    def reason_against(self, issue: Issue) -> str:
        """Return why an issue is not wanted any more; empty where it is, as far as the issue itself says."""
        if self.is_elsewhere(issue):
            return f"the issue was moved to another project, as {issue.ref.key}"
        if not issue.is_open:
            return "the issue was closed"
        if self.label and self.label.casefold() not in {name.casefold() for name in issue.labels}:
            return f"the label {self.label!r} was removed"
        if self.assignee and not any(is_named(each, self.assignee) for each in issue.assignees):
            return f"it is no longer assigned to {self.assignee!r}"
        return ""

    def is_elsewhere(self, issue: Issue) -> bool:
        """Tell whether an issue is of another project now; on forges such an issue is not found any more."""
        if self.kind in {TrackerKind.GITHUB, TrackerKind.GITLAB}:
            return False
        return issue.ref.key.rpartition("-")[0].casefold() != self.project.casefold()

    def takes_from(self, issue: Issue, labelled_by: Account | None) -> bool:
        """Tell whether an issue may become work: by its author, or by whoever set the label.

        Where nobody is named, its author or whoever labelled it must be a member of the project. Trackers let
        members only set a label, but an issue's own form may set some: what its author set proves nothing.
        """
        if self.allowed:
            people = (issue.author, *((labelled_by,) if labelled_by else ()))
            return any(is_named(who, name) for who in people for name in self.allowed)
        return issue.author_is_member or (
            labelled_by is not None and labelled_by.id != issue.author.id
        )

    def person_of(self, account: Account) -> str:
        """Return the person that an account stands for, empty where it stands for nobody."""
        by_id = self.approvers.get(f"{BY_ID}{account.id}")
        if by_id is not None:
            return by_id
        return next((p for name, p in self.approvers.items() if is_named(account, name)), "")


def is_named(account: Account, name: str) -> bool:
    """Tell whether a name of the settings is that of an account."""
    if name.startswith(BY_ID):
        return account.id == name.removeprefix(BY_ID)
    return bool(account.login) and account.login.casefold() == name.casefold()
