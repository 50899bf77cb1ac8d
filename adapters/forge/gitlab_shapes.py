"""What GitLab answers, as far as it is read, and what it means here."""

from datetime import datetime

from pydantic import BaseModel

from adapters.forge.looks import bounded
from domain.forges.projects import Account
from domain.forges.pull_requests import (
    Check,
    CheckState,
    Mergeability,
    PullRequestState,
    ReviewComment,
    ReviewThread,
)

_MAX_SUMMARY = 2_000
_STATES = {
    "merged": PullRequestState.MERGED,
    "closed": PullRequestState.CLOSED,
}
_MERGEABILITIES = {
    "mergeable": Mergeability.CLEAN,
    "need_rebase": Mergeability.BEHIND,
    "conflict": Mergeability.CONFLICTS,
    "checking": Mergeability.UNKNOWN,
    "unchecked": Mergeability.UNKNOWN,
    "preparing": Mergeability.UNKNOWN,
    "approvals_syncing": Mergeability.UNKNOWN,
    "not_open": Mergeability.UNKNOWN,
}
_STATUSES = {
    "success": CheckState.PASSED,
    "failed": CheckState.FAILED,
    "canceled": CheckState.FAILED,
    "skipped": CheckState.SKIPPED,
}


class User(BaseModel):
    """An account."""

    id: int
    username: str
    bot: bool = False

    @property
    def account(self) -> Account:
        """The same, as all forges have it."""
        is_bot = self.bot or (
            self.username.startswith(("project_", "group_")) and "_bot" in self.username
        )
        return Account(id=str(self.id), login=self.username, is_bot=is_bot)


class _Refs(BaseModel):
    base_sha: str | None = None


class Pipeline(BaseModel):
    """The pipeline of a merge request; one of merged results is of another commit than the head."""

    id: int
    project_id: int | None = None
    sha: str = ""


class Commit(BaseModel):
    """A commit."""

    parent_ids: list[str] = []


class Opened(BaseModel):
    """A merge request in a list, or one just opened."""

    iid: int
    web_url: str
    source_project_id: int | None = None
    target_project_id: int | None = None


class Pull(Opened):
    """A whole merge request."""

    title: str = ""
    description: str | None = None
    state: str
    author: User | None = None
    source_branch: str
    target_branch: str
    sha: str | None = None
    diff_refs: _Refs | None = None
    merge_commit_sha: str | None = None
    squash_commit_sha: str | None = None
    detailed_merge_status: str = ""
    merge_when_pipeline_succeeds: bool = False
    head_pipeline: Pipeline | None = None
    draft: bool = False
    discussion_locked: bool | None = None

    @property
    def where(self) -> PullRequestState:
        """Its state."""
        return _STATES.get(self.state, PullRequestState.OPEN)

    @property
    def mergeability(self) -> Mergeability:
        """Whether GitLab would merge it; what is not known here blocks it."""
        return _MERGEABILITIES.get(self.detailed_merge_status, Mergeability.BLOCKED)

    @property
    def merged_as(self) -> str:
        """The commit on the base; a merge that fast-forwards has none of its own."""
        if self.where is not PullRequestState.MERGED:
            return ""
        return self.merge_commit_sha or self.squash_commit_sha or self.sha or ""


class Project(BaseModel):
    """A project."""

    id: int
    merge_method: str = "merge"


class Status(BaseModel):
    """A job of a pipeline, or a status that somebody set; the former has a log."""

    id: int
    name: str
    status: str
    description: str | None = None
    target_url: str | None = None
    web_url: str | None = None
    allow_failure: bool = False

    def check(self, project: int | None) -> Check:
        """Return the same, as all forges have it, of a project; a job that may fail does not fail."""
        state = _STATUSES.get(self.status, CheckState.PENDING)
        if self.status == "manual" or (state is CheckState.FAILED and self.allow_failure):
            state = CheckState.SKIPPED
        return Check(
            id=f"job:{project}/{self.id}" if project else f"job:{self.id}",
            name=self.name,
            state=state,
            url=self.target_url or self.web_url or "",
            summary=(self.description or "")[:_MAX_SUMMARY],
            has_log=self.description is None,
        )


class Approval(BaseModel):
    """Who approved."""

    user: User


class Approvals(BaseModel):
    """The approvals of a merge request."""

    approved_by: list[Approval] = []


class Reviewer(BaseModel):
    """Who was asked for a review, and what they said."""

    user: User
    state: str = ""
    created_at: datetime | None = None


class _Position(BaseModel):
    new_path: str | None = None
    old_path: str | None = None
    new_line: int | None = None
    old_line: int | None = None


class Note(BaseModel):
    """A comment; GitLab writes some itself."""

    id: int
    author: User
    body: str
    system: bool = False
    resolvable: bool = False
    resolved: bool = False
    created_at: datetime
    updated_at: datetime
    position: _Position | None = None

    @property
    def key(self) -> str:
        """Its id."""
        return str(self.id)

    @property
    def text(self) -> str:
        """Its whole text."""
        return self.body

    @property
    def by(self) -> str:
        """The id of its author."""
        return str(self.author.id)

    def comment(self, page: str) -> ReviewComment:
        """Return the same, as all forges have it; `page` is the merge request's address."""
        is_edited = self.updated_at > self.created_at and not self.resolved
        return ReviewComment(
            id=self.key,
            author=self.author.account,
            body=bounded(self.body),
            url=f"{page}#note_{self.id}",
            created_at=self.created_at,
            edited_at=self.updated_at if is_edited else None,
        )


class Discussion(BaseModel):
    """A thread, or a comment that stands alone."""

    id: str
    individual_note: bool = False
    notes: list[Note]

    def thread(self, page: str) -> ReviewThread | None:
        """Return the same, as all forges have it; None for what GitLab wrote itself."""
        notes = [note for note in self.notes if not note.system]
        if not notes:
            return None
        resolvable = [note for note in notes if note.resolvable]
        where = notes[0].position or _Position()
        return ReviewThread(
            id=f"{'comment' if self.individual_note else 'discussion'}:{self.id}",
            path=where.new_path or where.old_path or "",
            line=where.new_line or where.old_line or 0,
            is_resolved=bool(resolvable) and all(note.resolved for note in resolvable),
            is_resolvable=bool(resolvable),
            comments=tuple(note.comment(page) for note in notes),
        )


class Branch(BaseModel):
    """A branch."""

    class Target(BaseModel):
        """What it is at."""

        id: str

    commit: Target
