"""Fake ports of publishing, for workflow tests."""

import hashlib
from collections.abc import Collection

from domain.core.changes import BranchChanges, ChangesQuery
from domain.core.conflict_lines import ConflictingFile, ConflictLines, ConflictQuery
from domain.core.contents import ContentQuery, FileContent, content_of
from domain.core.errors import TreadleError
from domain.core.workspaces import MergeCandidate, MergeResult
from domain.forges.errors import ForgeConflictError
from domain.forges.projects import Account, ForgeProject
from domain.forges.pull_requests import (
    CommitStatus,
    Look,
    MergeAnswer,
    MergeRequest,
    PullRequest,
    PullRequestDraft,
    PullRequestId,
    PullRequestState,
    PullRequestView,
)
from domain.threads.bases.calls import BaseCall, BaseQuery
from domain.threads.bases.looks import BaseLook
from domain.threads.landing.calls import LandCall
from domain.threads.publishing.calls import PushCall
from domain.threads.publishing.errors import PushError
from domain.threads.publishing.publication import PushedBranch
from domain.threads.publishing.stack_calls import (
    LayerCall,
    ReplayCall,
    Replayed,
    StackCall,
    StackFound,
)

FOUND = ForgeProject(host="github.com", owner="o", name="r")


class PaperBranches:
    """Branches as the test says they are."""

    def __init__(self) -> None:
        self.found = BranchChanges(branch="b", base="a" * 40, commit="c" * 40)
        self.queries: list[ChangesQuery] = []
        self.failure: TreadleError | None = None

    async def compare(self, query: ChangesQuery) -> BranchChanges:
        self.queries.append(query)
        if self.failure is not None:
            raise self.failure
        return self.found

    async def conflict(self, query: ConflictQuery) -> ConflictLines:
        if self.failure is not None:
            raise self.failure
        about = f"{query.ours} and {query.theirs}"
        return ConflictLines(files=(ConflictingFile(path="app.py", about=about),))

    async def content(self, query: ContentQuery) -> FileContent:
        if self.failure is not None:
            raise self.failure
        return content_of(f"{query.path} at {query.commit}\n".encode(), query.offset)


class PaperBases:
    """Bases as a test says that they have moved."""

    def __init__(self) -> None:
        self.looked: list[BaseQuery] = []
        self.updates: list[BaseCall] = []
        self.found = BaseLook(remote="origin", base="main", commit="b" * 40, tip="0" * 40)
        self.answers: list[MergeResult | MergeCandidate] = []

    async def look(self, query: BaseQuery) -> BaseLook:
        self.looked.append(query)
        return self.found

    async def begin(self, query: BaseQuery) -> BaseLook:
        self.looked.append(query)
        return self.found

    async def update(
        self, call: BaseCall, look: BaseLook, verified: Collection[str] | None = None
    ) -> MergeResult | MergeCandidate:
        self.updates.append(call)
        answer = self.answers.pop(0) if self.answers else MergeResult(commit="d" * 40)
        if isinstance(answer, MergeResult) and answer.commit:
            self.found = look.model_copy(update={"behind": 0, "tip": answer.commit})
        return answer


class PaperLandings:
    """Merges that all go well, or fail as the test says."""

    def __init__(self) -> None:
        self.calls: list[LandCall] = []
        self.failure: TreadleError | None = None

    async def land(self, call: LandCall) -> str:
        self.calls.append(call)
        if self.failure is not None:
            raise self.failure
        return "e" * 40


class PaperRemotes:
    """Remotes that take every push, or fail as the test says."""

    def __init__(self) -> None:
        self.pushes: list[PushCall] = []
        self.failure: TreadleError | None = None
        self.commit = "c" * 40
        self.project: ForgeProject | None = ForgeProject(host="github.com", owner="o", name="r")

    async def push(self, call: PushCall) -> PushedBranch:
        self.pushes.append(call)
        if self.failure is not None:
            raise self.failure
        return PushedBranch(
            remote=call.remote or "origin",
            address="https://github.com/o/r.git",
            branch=call.branch,
            commit=self.commit,
            project=self.project,
        )


class PaperStacks:
    """Stacks on paper: a replayed commit is named by what it is and what it is on."""

    def __init__(self) -> None:
        self.head = "c" * 40
        self.base = "b" * 40
        self.has = set[str]()
        self.replays: list[ReplayCall] = []
        self.pushes: list[tuple[str, str]] = []
        self.remote: dict[str, str] = {}
        self.conflicts = ""
        self.found = FOUND

    async def find(self, call: StackCall) -> StackFound:
        pushed = PushedBranch(
            remote="origin",
            address="https://github.com/o/r.git",
            branch=call.branch,
            commit=self.head,
            project=self.found,
        )
        return StackFound(pushed=pushed, tasks=tuple(call.tasks))

    async def replay(self, call: ReplayCall) -> Replayed:
        self.replays.append(call)
        if self.conflicts:
            return Replayed(failure=self.conflicts)
        onto = call.onto or self.base
        if onto == call.since or (not call.onto and call.since in self.has):
            return Replayed(commit=call.commit, begins_at=call.since)
        commit = hashlib.sha1(f"{call.commit}{onto}".encode(), usedforsecurity=False).hexdigest()
        return Replayed(commit=commit, begins_at=onto)

    async def push(self, call: LayerCall) -> None:
        branch = call.draft.head
        at = self.remote.get(branch, "")
        if at == call.commit:
            return
        if at and at not in call.made:
            raise PushError(f"{branch} is at {at}, which was not pushed from here")
        self.pushes.append((branch, call.commit))
        self.remote[branch] = call.commit


class PaperForge:
    """A forge that opens pull requests on paper; its answers to come are the test's."""

    def __init__(self) -> None:
        self.drafts: list[PullRequestDraft] = []
        self.failures: list[TreadleError] = []
        self.missing = ""

    def obstacle(self, project: ForgeProject) -> str:
        return self.missing

    async def open_pull_request(self, draft: PullRequestDraft) -> PullRequest:
        if self.failures:
            raise self.failures.pop(0)
        self.drafts.append(draft)
        return PullRequest(number=7, url="https://github.com/o/r/pull/7")


class PaperPullRequests(PaperForge):
    """A forge whose one pull request is as the test says; `counts` are the writes that it took.

    Of the writes it does what the port promises: what was done and is asked for again changes nothing.
    """

    def __init__(self) -> None:
        super().__init__()
        self.view = PullRequestView(
            number=7,
            url="https://github.com/o/r/pull/7",
            state=PullRequestState.OPEN,
            author=Account(id="1", login="treadle-bot"),
            head="treadle/x",
            head_commit="c" * 40,
            base="develop",
        )
        self.looks = 0
        self.look_failures: list[TreadleError] = []
        self.merge_failures: list[TreadleError] = []
        self.merged: list[MergeRequest] = []
        self.deleted: list[tuple[str, str]] = []
        self.cancelled = 0
        self.log = ""
        self.answers: dict[str, tuple[str, str]] = {}
        self.answer_failures: list[TreadleError] = []
        self.resolved: list[str] = []
        self.text = ""
        self.statuses: list[tuple[str, CommitStatus]] = []

    def changes(self, **more: object) -> None:
        self.view = self.view.model_copy(update=more)

    async def look(self, of: PullRequestId, tags: dict[str, str]) -> Look:
        self.looks += 1
        if self.look_failures:
            raise self.look_failures.pop(0)
        tag = self.view.model_dump_json()
        is_same = tags.get("view") == tag
        return Look(view=None if is_same else self.view, tags={"view": tag})

    async def merge(self, request: MergeRequest) -> MergeAnswer:
        if self.view.state is not PullRequestState.MERGED:
            if request.commit != self.view.head_commit:
                raise ForgeConflictError("the head is another commit")
            self.merged.append(request)
            self.changes(state=PullRequestState.MERGED, merge_commit="e" * 40)
        if self.merge_failures:  # after it was done: the answer is lost
            raise self.merge_failures.pop(0)
        return MergeAnswer(is_merged=True, merge_commit=self.view.merge_commit)

    async def check_log(self, of: PullRequestId, check: str, most: int) -> str:
        return self.log[-most:]

    async def reply(self, of: PullRequestId, thread: str, text: str, key: str) -> str:
        self.answers.setdefault(key, (thread, text))
        if self.answer_failures:  # after it was done: the answer is lost
            raise self.answer_failures.pop(0)
        return key

    async def resolve(self, of: PullRequestId, thread: str) -> None:
        self.resolved.append(thread)

    async def body(self, of: PullRequestId) -> str:
        return self.text

    async def edit(
        self, of: PullRequestId, *, body: str | None = None, base: str | None = None
    ) -> None:
        self.text = self.text if body is None else body

    async def set_status(self, project: ForgeProject, commit: str, status: CommitStatus) -> None:
        self.statuses.append((commit, status))

    async def cancel_merge(self, of: PullRequestId) -> None:
        self.cancelled += 1

    async def delete_branch(self, project: ForgeProject, branch: str, commit: str) -> None:
        self.deleted.append((branch, commit))
