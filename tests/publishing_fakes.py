"""Fake ports of publishing, for workflow tests."""

from collections.abc import Collection

from domain.core.changes import BranchChanges, ChangesQuery
from domain.core.conflict_lines import ConflictingFile, ConflictLines, ConflictQuery
from domain.core.errors import TreadleError
from domain.core.workspaces import MergeCandidate, MergeResult
from domain.forges.projects import ForgeProject
from domain.forges.pull_requests import PullRequest, PullRequestDraft
from domain.threads.bases.calls import BaseCall, BaseLook, BaseQuery
from domain.threads.landing.calls import LandCall
from domain.threads.publishing.calls import PushCall
from domain.threads.publishing.publication import PushedBranch


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

    async def begin(self, query: BaseQuery) -> str:
        self.looked.append(query)
        return ""

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
        self.project: ForgeProject | None = ForgeProject(host="github.com", owner="o", name="r")

    async def push(self, call: PushCall) -> PushedBranch:
        self.pushes.append(call)
        if self.failure is not None:
            raise self.failure
        return PushedBranch(
            remote=call.remote or "origin",
            address="https://github.com/o/r.git",
            branch=call.branch,
            commit="c" * 40,
            project=self.project,
        )


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
