"""Merge requests of GitLab, its own and self-hosted ones; projects may be in nested groups."""

from contextlib import suppress
from typing import Any
from urllib.parse import quote

from pydantic import TypeAdapter

from adapters.forge.github import check_branch
from adapters.forge.github_merge import check_head
from adapters.forge.gitlab_look import GitLabLook
from adapters.forge.gitlab_shapes import Branch, Discussion, Note, Opened, Project, Pull, User
from adapters.forge.http import Session
from adapters.forge.looks import every_item
from adapters.forge.rest import RestForge, name_of, text_of, thread_parts
from domain.forges.errors import ForgeConflictError, ForgeError, ForgeGoneError
from domain.forges.projects import ForgeProject
from domain.forges.pull_requests import (
    CheckState,
    CommitStatus,
    Look,
    MergeAnswer,
    MergeMethod,
    MergeRequest,
    MergeTiming,
    PullRequest,
    PullRequestDraft,
    PullRequestId,
    PullRequestState,
)

_OPENED, _LISTED = TypeAdapter(Opened), TypeAdapter(list[Opened])
_PULL, _PROJECT, _USER = TypeAdapter(Pull), TypeAdapter(Project), TypeAdapter(User)
_NOTE, _NOTES, _BRANCH = TypeAdapter(Note), TypeAdapter(list[Note]), TypeAdapter(Branch)
_DISCUSSION = TypeAdapter(Discussion)
_STATES = {
    CheckState.PENDING: "running",
    CheckState.PASSED: "success",
    CheckState.FAILED: "failed",
    CheckState.SKIPPED: "skipped",
}
_REBASING = frozenset({"ff", "rebase_merge"})
_MAX_DESCRIPTION = 255


class GitLab(RestForge):
    """GitLab's REST API."""

    title = "GitLab"

    async def open_pull_request(self, draft: PullRequestDraft) -> PullRequest:
        """Return the open merge request of head and base, opened now where there is none."""
        await self.check_can(draft.project)
        async with self.session() as session:
            source = draft.head_project or draft.project
            is_fork = source != draft.project
            ids = [await self._id(session, each) for each in (source, draft.project) if is_fork]
            if found := await self._find(session, draft, ids):
                return found
            content: dict[str, Any] = {
                "source_branch": draft.head,
                "target_branch": draft.base,
                "title": draft.title,
                "description": draft.body,
                **({"target_project_id": ids[1]} if ids else {}),
            }
            path = f"{_path(source)}/merge_requests"
            try:
                made = await session.ask("POST", path, about=draft.project.path, content=content)
            except ForgeConflictError as error:
                if "already exists" not in error.message:
                    raise
                found = await self._find(session, draft, ids)
                if found is None:
                    raise
                return found
            opened = made.read(_OPENED, self.title)
            return PullRequest(number=opened.iid, url=opened.web_url)

    async def _id(self, session: Session, project: ForgeProject) -> int:
        answer = await session.ask("GET", _path(project), about=project.path)
        return answer.read(_PROJECT, self.title).id

    async def _find(
        self, session: Session, draft: PullRequestDraft, ids: list[int]
    ) -> PullRequest | None:
        """Return the open one; forks of other people have branches of the same name."""
        head, base = quote(draft.head, safe=""), quote(draft.base, safe="")
        query = f"state=opened&per_page=100&source_branch={head}&target_branch={base}"
        path = f"{_path(draft.project)}/merge_requests?{query}"
        about = draft.project.path
        for each in (await session.ask("GET", path, about=about)).read(_LISTED, self.title):
            if each.source_project_id == (ids[0] if ids else each.target_project_id):
                return PullRequest(number=each.iid, url=each.web_url, is_new=False)
        return None

    async def look(self, of: PullRequestId, tags: dict[str, str]) -> Look:
        """Look at a merge request, conditionally."""
        await self.check_can(of.project)
        async with self.session() as session:
            return await GitLabLook(session, _path(of.project), of.number, name_of(of)).look(tags)

    async def check_log(self, of: PullRequestId, check: str, most: int) -> str:
        """Return the end of a job's log; GitLab keeps none of statuses that others set."""
        kind, job = thread_parts(check)
        if kind != "job":
            return ""
        async with self.session() as session:
            with suppress(ForgeGoneError):
                project, slash, id_ = job.rpartition("/")
                root = f"/projects/{quote(project, safe='')}" if slash else _path(of.project)
                path = f"{root}/jobs/{quote(id_, safe='')}/trace"
                return await session.tail(path, about=of.project.path, most=most)
        return ""

    async def reply(self, of: PullRequestId, thread: str, text: str, key: str) -> str:
        """Answer a discussion, once for each key; a comment that stands alone gets another one."""
        kind, id_ = thread_parts(thread)
        if kind == "comment":
            return await self.comment(of, text, key)
        path, about = f"{_pull(of)}/discussions/{quote(id_, safe='')}", name_of(of)
        async with self.session() as session:
            found = (await session.ask("GET", path, about=about)).read(_DISCUSSION, self.title)
            if own := await self.own(session, found.notes, key):
                return own.key
            content = {"body": text_of(text, key)}
            made = await session.ask("POST", f"{path}/notes", about=about, content=content)
            return made.read(_NOTE, self.title).key

    async def resolve(self, of: PullRequestId, thread: str) -> None:
        """Mark a discussion as resolved."""
        kind, id_ = thread_parts(thread)
        if kind == "comment":
            return
        path = f"{_pull(of)}/discussions/{quote(id_, safe='')}"
        async with self.session() as session:
            await session.ask("PUT", path, about=name_of(of), content={"resolved": True})

    async def comment(self, of: PullRequestId, text: str, key: str) -> str:
        """Comment on a merge request, once for each key: where it is there, its text is replaced."""
        path, about = f"{_pull(of)}/notes", name_of(of)
        content = {"body": text_of(text, key)}
        async with self.session() as session:
            listed = await every_item(session, path, about, self.paging, _NOTES)
            own = await self.own(session, listed, key)
            if own is None:
                made = await session.ask("POST", path, about=about, content=content)
                return made.read(_NOTE, self.title).key
            if own.text != content["body"]:
                await session.ask("PUT", f"{path}/{own.key}", about=about, content=content)
            return own.key

    async def body(self, of: PullRequestId) -> str:
        """Return the whole description of a merge request."""
        async with self.session() as session:
            return (await self._pull_of(session, of)).description or ""

    async def edit(
        self, of: PullRequestId, *, body: str | None = None, base: str | None = None
    ) -> None:
        """Replace the description of a merge request, or change its target."""
        given = {"description": body, "target_branch": base}
        await self._change(of, {name: said for name, said in given.items() if said is not None})

    async def close(self, of: PullRequestId) -> None:
        """Close a merge request without merging it; GitLab refuses to close one twice."""
        async with self.session() as session:
            if (await self._pull_of(session, of)).where is not PullRequestState.OPEN:
                return
        await self._change(of, {"state_event": "close"})

    async def _change(self, of: PullRequestId, content: dict[str, Any]) -> None:
        async with self.session() as session:
            await session.ask("PUT", _pull(of), about=name_of(of), content=content)

    async def _pull_of(self, session: Session, of: PullRequestId) -> Pull:
        answer = await session.ask("GET", _pull(of), about=name_of(of))
        return answer.read(_PULL, self.title)

    async def merge(self, request: MergeRequest) -> MergeAnswer:
        """Merge a merge request, or have GitLab do so once its pipeline has succeeded."""
        of, about = request.of, name_of(request.of)
        await self.check_can(of.project)
        async with self.session() as session:
            pull = await self._pull_of(session, of)
            if pull.where is PullRequestState.MERGED:
                return MergeAnswer(is_merged=True, merge_commit=pull.merged_as)
            check_head(pull.sha or "", request, is_open=pull.where is PullRequestState.OPEN)
            is_later = request.timing is MergeTiming.WHEN_READY
            if is_later and pull.merge_when_pipeline_succeeds:
                return MergeAnswer(is_merged=False)
            await self._check_method(session, request)
            content: dict[str, Any] = {
                "sha": request.commit,
                "squash": request.method is MergeMethod.SQUASH,
                **({"auto_merge": True, "merge_when_pipeline_succeeds": True} if is_later else {}),
            }
            if request.title:
                is_squash = request.method is MergeMethod.SQUASH
                name = "squash_commit_message" if is_squash else "merge_commit_message"
                content[name] = request.title
            answer = await session.ask("PUT", f"{_pull(of)}/merge", about=about, content=content)
            after = answer.read(_PULL, self.title)
        is_merged = after.where is PullRequestState.MERGED
        return MergeAnswer(is_merged=is_merged, merge_commit=after.merged_as)

    async def _check_method(self, session: Session, request: MergeRequest) -> None:
        """Refuse what the project's own merge method, which GitLab takes, would not do."""
        if request.method is MergeMethod.SQUASH:
            return
        project = request.of.project
        answer = await session.ask("GET", _path(project), about=project.path)
        method = answer.read(_PROJECT, self.title).merge_method
        if (request.method is MergeMethod.REBASE) != (method in _REBASING):
            raise ForgeConflictError(
                f"{project.path} merges by {method!r}, which is not {request.method.value!r}: change "
                "the merge method of the project on GitLab, or the one asked for"
            )

    async def cancel_merge(self, of: PullRequestId) -> None:
        """Take back that GitLab merges by itself."""
        async with self.session() as session:
            if not (await self._pull_of(session, of)).merge_when_pipeline_succeeds:
                return
            path = f"{_pull(of)}/cancel_merge_when_pipeline_succeeds"
            await session.ask("POST", path, about=name_of(of))

    async def delete_branch(self, project: ForgeProject, branch: str, commit: str) -> None:
        """Delete a branch that is still at `commit`; GitLab cannot compare and delete at once."""
        path = f"{_path(project)}/repository/branches/{quote(branch, safe='')}"
        async with self.session() as session:
            with suppress(ForgeGoneError):
                found = await session.ask("GET", path, about=project.path)
                check_branch(branch, found.read(_BRANCH, self.title).commit.id, commit)
                await session.ask("DELETE", path, about=project.path)

    async def set_status(self, project: ForgeProject, commit: str, status: CommitStatus) -> None:
        """Set a status of a commit; GitLab refuses to set the state that it has."""
        content = {
            "name": status.context,
            "state": _STATES[status.state],
            "description": status.description[:_MAX_DESCRIPTION],
            **({"target_url": status.url} if status.url else {}),
        }
        path = f"{_path(project)}/statuses/{quote(commit, safe='')}"
        async with self.session() as session:
            try:
                await session.ask("POST", path, about=project.path, content=content)
            except ForgeError as error:
                if "Cannot transition status" not in error.message:
                    raise

    async def who(self, opened: Session) -> str:
        """Ask whose token it is."""
        answer = await opened.ask("GET", "/user", about="the token's account")
        return str(answer.read(_USER, self.title).id)


def _path(project: ForgeProject) -> str:
    return f"/projects/{quote(project.path, safe='')}"


def _pull(of: PullRequestId) -> str:
    return f"{_path(of.project)}/merge_requests/{of.number}"
