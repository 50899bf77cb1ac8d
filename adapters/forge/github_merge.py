"""Merges on GitHub: now, by auto-merge, or through the merge queue."""

from pydantic import TypeAdapter

from adapters.forge.github_graph import Graph
from adapters.forge.github_queries import DEQUEUE, DISABLE, ENABLE, ENQUEUE
from adapters.forge.github_shapes import Merged, Pull
from adapters.forge.http import Session
from domain.forges.errors import ForgeConflictError
from domain.forges.pull_requests import (
    MergeAnswer,
    MergeRequest,
    MergeTiming,
    PullRequestId,
    PullRequestState,
)

_PULL, _MERGED = TypeAdapter(Pull), TypeAdapter(Merged)


class GitHubMerge:
    """One merge; `path` is the pull request's in the API."""

    def __init__(self, session: Session, graph: Graph, of: PullRequestId, path: str) -> None:
        self._session = session
        self._graph = graph
        self._of = of
        self._path = path
        self._about = f"{of.project.path}#{of.number}"

    async def merge(self, request: MergeRequest) -> MergeAnswer:
        """Merge, or have GitHub do so; one that is merged already is answered without another word."""
        pull = await self._pull()
        if pull.where is PullRequestState.MERGED:
            return MergeAnswer(is_merged=True, merge_commit=pull.merge_commit_sha or "")
        check_head(pull.head.sha, request, is_open=pull.where is PullRequestState.OPEN)
        is_later = request.timing is MergeTiming.WHEN_READY
        if is_later and (pull.auto_merge is not None or await self._later(pull, request)):
            return MergeAnswer(is_merged=False)
        return await self._now(request)

    async def cancel(self) -> None:
        """Leave the queue, and disable auto-merge.

        Raises:
            ForgeConflictError: GitHub refuses it, and would still merge.
        """
        pull = await self._pull()
        mutations = await self._standing(pull)
        try:
            for mutation in mutations:
                await self._graph.do(mutation, {"id": pull.node_id}, self._about)
        except ForgeConflictError:
            if await self._standing(await self._pull()):
                raise

    async def _standing(self, pull: Pull) -> list[str]:
        """Return the mutations that keep GitHub from merging what it would merge now."""
        if pull.where is not PullRequestState.OPEN:
            return []
        is_queued = await self._graph.is_queued(self._of, self._about)
        is_auto = pull.auto_merge is not None
        return [DISABLE] * is_auto + [DEQUEUE] * is_queued

    async def _pull(self) -> Pull:
        answer = await self._session.ask("GET", self._path, about=self._about)
        return answer.read(_PULL, self._session.title)

    async def _later(self, pull: Pull, request: MergeRequest) -> bool:
        """Have GitHub merge it; False where nothing stands in the way of doing so now."""
        given = {"id": pull.node_id, "commit": request.commit}
        method = {"method": request.method.upper(), "title": request.title or None}
        try:
            await self._graph.do(ENABLE, {**given, **method}, self._about)
        except ForgeConflictError as error:
            if "clean status" not in error.message:
                raise
        else:
            return True
        try:
            await self._graph.do(ENQUEUE, given, self._about)
        except ForgeConflictError as error:
            if "queue" not in error.message or "not" not in error.message:
                raise
            return False
        return True

    async def _now(self, request: MergeRequest) -> MergeAnswer:
        content = {"sha": request.commit, "merge_method": request.method.value}
        if request.title:
            content["commit_title"] = request.title
        answer = await self._session.ask(
            "PUT", f"{self._path}/merge", about=self._about, content=content
        )
        merged = answer.read(_MERGED, self._session.title)
        return MergeAnswer(is_merged=merged.merged, merge_commit=merged.sha)


def check_head(head: str, request: MergeRequest, *, is_open: bool) -> None:
    """Refuse to merge what is not open, or has another head than what was asked for."""
    about = f"{request.of.project.path}#{request.of.number}"
    if not is_open:
        raise ForgeConflictError(f"{about} is closed: reopen it, or publish again")
    if head != request.commit:
        raise ForgeConflictError(
            f"{about} is at {head[:12]}, not at {request.commit[:12]} that was verified: somebody pushed to it"
        )
