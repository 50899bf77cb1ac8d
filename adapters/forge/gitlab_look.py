"""Looks at a merge request of GitLab."""

from pydantic import TypeAdapter

from adapters.forge.gitlab_shapes import (
    Approvals,
    Commit,
    Discussion,
    Pipeline,
    Pull,
    Reviewer,
    Status,
)
from adapters.forge.http import Session
from adapters.forge.looks import Paging, Reader, bounded, look_with
from domain.forges.errors import ForgeGoneError
from domain.forges.pull_requests import Check, Look, PullRequestReview, PullRequestView, ReviewState

_PULL, _STATUSES = TypeAdapter(Pull), TypeAdapter(list[Status])
_APPROVALS, _REVIEWERS = TypeAdapter(Approvals), TypeAdapter(list[Reviewer])
_COMMIT = TypeAdapter(Commit)
_DISCUSSIONS = TypeAdapter(list[Discussion])


class GitLabLook:
    """One look; `root` is the path of its project in the API."""

    def __init__(self, session: Session, root: str, number: int, about: str) -> None:
        self._session = session
        self._root = root
        self._path = f"{root}/merge_requests/{number}"
        self._about = about

    async def look(self, tags: dict[str, str]) -> Look:
        """Return what changed since the look that gave `tags`."""
        return await look_with(self._session, tags, self._probe, self._read)

    async def _probe(self, path: str, tag: str) -> str:
        return (await self._session.ask("GET", path, about=self._about, tag=tag)).tag

    async def _read(self) -> tuple[PullRequestView, dict[str, str]]:
        reader = Reader(self._session, self._about, Paging())
        pull = await reader.one(self._path, _PULL)
        reviews = await self._reviews(reader, pull.sha or "")
        found = await reader.every(f"{self._path}/discussions", _DISCUSSIONS, list)
        threads = [each.thread(pull.web_url) for each in found]
        view = PullRequestView(
            number=pull.iid,
            url=pull.web_url,
            state=pull.where,
            title=bounded(pull.title),
            author=pull.author.account if pull.author else None,
            head=pull.source_branch,
            head_commit=pull.sha or "",
            base=pull.target_branch,
            base_commit=(pull.diff_refs.base_sha or "") if pull.diff_refs else "",
            merge_commit=pull.merged_as,
            is_draft=pull.draft,
            is_locked=bool(pull.discussion_locked),
            will_merge_itself=pull.merge_when_pipeline_succeeds,
            mergeability=pull.mergeability,
            checks=await self._checks(reader, pull),
            reviews=reviews,
            threads=tuple(each for each in threads if each is not None),
        )
        return view, reader.tags

    async def _checks(self, reader: Reader, pull: Pull) -> tuple[Check, ...]:
        """Return what was said of the head, and the jobs of its pipeline where that is elsewhere.

        A fork's may run in the target's project, and one of merged results is of a commit of its own.
        """
        if not pull.sha:
            return ()
        source = f"/projects/{pull.source_project_id}" if pull.source_project_id else self._root
        path = f"{source}/repository/commits/{pull.sha}/statuses"
        statuses = await reader.every(path, _STATUSES, list)
        checks = {each.id: each.check(pull.source_project_id) for each in statuses}
        pipeline = pull.head_pipeline
        if pipeline and await self._is_elsewhere(reader, pull, pipeline):
            project = pipeline.project_id or pull.target_project_id
            jobs = f"/projects/{project}/pipelines/{pipeline.id}/jobs"
            for job in await reader.every(jobs, _STATUSES, list):
                checks.setdefault(job.id, job.check(project))
        return tuple(checks.values())

    async def _is_elsewhere(self, reader: Reader, pull: Pull, pipeline: Pipeline) -> bool:
        """Tell whether a pipeline says something of the head that the head's own statuses do not.

        After a push GitLab shows the last head's pipeline for a while: a merged result has its head
        among its parents, or is another head's.
        """
        if pipeline.sha == pull.sha:
            return pipeline.project_id not in {None, pull.source_project_id}
        project = pipeline.project_id or pull.target_project_id
        path = f"/projects/{project}/repository/commits/{pipeline.sha}"
        try:
            return pull.sha in (await reader.one(path, _COMMIT)).parent_ids
        except ForgeGoneError:
            return False  # it was cleaned up

    async def _reviews(self, reader: Reader, commit: str) -> tuple[PullRequestReview, ...]:
        """Return who approved and who wants changes; GitLab does not say at which commit they did."""
        approvals = await reader.one(f"{self._path}/approvals", _APPROVALS)
        reviewers = await reader.every(f"{self._path}/reviewers", _REVIEWERS, list)
        approved = [
            PullRequestReview(
                id=f"approval:{each.user.id}",
                author=each.user.account,
                state=ReviewState.APPROVED,
                commit=commit,
            )
            for each in approvals.approved_by
        ]
        refused = [
            PullRequestReview(
                id=f"review:{each.user.id}",
                author=each.user.account,
                state=ReviewState.CHANGES_REQUESTED,
                commit=commit,
                submitted_at=each.created_at,
            )
            for each in reviewers
            if each.state == "requested_changes"
        ]
        return (*approved, *refused)
