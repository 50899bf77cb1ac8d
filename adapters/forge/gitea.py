"""Pull requests of Gitea and Forgejo, Codeberg among them."""

from contextlib import suppress
from typing import Any
from urllib.parse import quote

from pydantic import TypeAdapter

from adapters.forge.gitea_look import PAGING, GiteaLook
from adapters.forge.gitea_shapes import Branch, Job, Placed, Pull, ReviewShape
from adapters.forge.github import check_branch
from adapters.forge.github_merge import check_head
from adapters.forge.github_shapes import Comment, User
from adapters.forge.http import Session
from adapters.forge.looks import every_item
from adapters.forge.rest import RestForge, name_of, text_of, thread_parts
from domain.forges.errors import ForgeConflictError, ForgeGoneError
from domain.forges.projects import ForgeProject
from domain.forges.pull_requests import (
    CheckState,
    CommitStatus,
    Look,
    MergeAnswer,
    MergeRequest,
    MergeTiming,
    PullRequest,
    PullRequestDraft,
    PullRequestId,
    PullRequestState,
)

_PULL, _PULLS = TypeAdapter(Pull), TypeAdapter(list[Pull])
_COMMENT, _COMMENTS = TypeAdapter(Comment), TypeAdapter(list[Comment])
_REVIEWS, _PLACED = TypeAdapter(list[ReviewShape]), TypeAdapter(list[Placed])
_USER, _BRANCH, _JOB = TypeAdapter(User), TypeAdapter(Branch), TypeAdapter(Job)
_STATES = {
    CheckState.PENDING: "pending",
    CheckState.PASSED: "success",
    CheckState.FAILED: "failure",
    CheckState.SKIPPED: "pending",  # it has none for what was not run, and success would be green
}
_SCHEDULED = 201
_OLD = "Gitea before 1.27 and Forgejo cannot be asked to: do it on the page"


class Gitea(RestForge):
    """Gitea's REST API, which Forgejo speaks too."""

    title = "Gitea"
    paging = PAGING

    async def open_pull_request(self, draft: PullRequestDraft) -> PullRequest:
        """Return the open pull request of head and base, opened now where there is none."""
        await self.check_can(draft.project)
        source = draft.head_project or draft.project
        head = draft.head if source == draft.project else f"{source.owner}:{draft.head}"
        content = {"title": draft.title, "body": draft.body, "head": head, "base": draft.base}
        async with self.session() as session:
            if found := await self._find(session, draft):
                return found
            path = f"{_path(draft.project)}/pulls"
            try:
                made = await session.ask("POST", path, about=draft.project.path, content=content)
            except ForgeConflictError:
                found = await self._find(session, draft)
                if found is None:
                    raise
                return found
            opened = made.read(_PULL, self.title)
            return PullRequest(number=opened.number, url=opened.html_url)

    async def _find(self, session: Session, draft: PullRequestDraft) -> PullRequest | None:
        """Return the open one, among all that are open: Gitea cannot be asked for one branch's."""
        about, source = draft.project.path, (draft.head_project or draft.project).path
        path = f"{_path(draft.project)}/pulls?state=open&sort=recentupdate"
        for each in await every_item(session, path, about, self.paging, _PULLS):
            repo = each.head.repo.full_name if each.head.repo else ""
            if (each.head.ref, each.base.ref) == (draft.head, draft.base) and (
                repo.lower() == source.lower()
            ):
                return PullRequest(number=each.number, url=each.html_url, is_new=False)
        return None

    async def look(self, of: PullRequestId, tags: dict[str, str]) -> Look:
        """Look at a pull request, conditionally."""
        await self.check_can(of.project)
        async with self.session() as session:
            return await GiteaLook(session, _path(of.project), of.number, name_of(of)).look(tags)

    async def check_log(self, of: PullRequestId, check: str, most: int) -> str:
        """Return the end of the log of an Actions job; Forgejo, and Gitea before 1.25, give out none."""
        kind, job = thread_parts(check)
        if kind != "job":
            return ""
        async with self.session() as session:
            with suppress(ForgeGoneError):
                return await self._log(session, of.project, job, most)
        return ""

    async def _log(self, session: Session, project: ForgeProject, job: str, most: int) -> str:
        """Return the end of a job's log; a link of old versions counts jobs, and names another one."""
        _, _, id_ = job.partition("/")
        path, about = f"{_path(project)}/actions/jobs/{quote(id_, safe='')}", project.path
        found = (await session.ask("GET", path, about=about)).read(_JOB, self.title)
        if found.link != job:
            return ""
        return await session.tail(f"{path}/logs", about=about, most=most)

    async def reply(self, of: PullRequestId, thread: str, text: str, key: str) -> str:
        """Answer a review thread, once for each key.

        Forgejo, and Gitea before 1.27, know no replies: another comment on the same line is one.
        """
        kind, first = thread_parts(thread)
        if kind == "comment":
            return await self.comment(of, text, key)
        about, content = name_of(of), {"body": text_of(text, key)}
        async with self.session() as session:
            placed = await self._placed(session, of)
            if own := await self.own(session, placed, key):
                return own.key
            path = f"{_pull(of)}/comments/{quote(first, safe='')}/replies"
            try:
                made = await session.ask("POST", path, about=about, content=content)
                return made.read(_COMMENT, self.title).key
            except ForgeGoneError:
                beside = next((each for each in placed if each.key == first), None)
                if beside is None:
                    raise
            await self._review(session, of, beside, content["body"])
            own = await self.own(session, await self._placed(session, of), key)
            return own.key if own else ""

    async def _placed(self, session: Session, of: PullRequestId) -> list[Placed]:
        """Return all comments on lines."""
        about, path = name_of(of), f"{_pull(of)}/reviews"
        placed: list[Placed] = []
        for review in await every_item(session, path, about, self.paging, _REVIEWS):
            if review.comments_count:
                answer = await session.ask("GET", f"{path}/{review.id}/comments", about=about)
                placed += answer.read(_PLACED, self.title)
        return placed

    async def _review(self, session: Session, of: PullRequestId, beside: Placed, text: str) -> None:
        where = {"new_position": beside.position, "old_position": beside.original_position}
        comment: dict[str, Any] = {"path": beside.path, "body": text, **where}
        content = {"event": "COMMENT", "comments": [comment]}
        await session.ask("POST", f"{_pull(of)}/reviews", about=name_of(of), content=content)

    async def resolve(self, of: PullRequestId, thread: str) -> None:
        """Mark a review thread as resolved, where the forge can be asked to.

        Raises:
            ForgeGoneError: It cannot: the message says that a person must.
        """
        kind, first = thread_parts(thread)
        if kind == "comment":
            return
        path = f"{_path(of.project)}/pulls/comments/{quote(first, safe='')}/resolve"
        async with self.session() as session:
            try:
                await session.ask("POST", path, about=name_of(of))
            except ForgeGoneError as error:
                raise ForgeGoneError(f"{error.message} ({_OLD})") from None

    async def comment(self, of: PullRequestId, text: str, key: str) -> str:
        """Comment on a pull request, once for each key: where it is there, its text is replaced."""
        about, root = name_of(of), f"{_path(of.project)}/issues"
        path, content = f"{root}/{of.number}/comments", {"body": text_of(text, key)}
        async with self.session() as session:
            listed = (await session.ask("GET", path, about=about)).read(_COMMENTS, self.title)
            own = await self.own(session, listed, key)
            if own is None:
                made = await session.ask("POST", path, about=about, content=content)
                return made.read(_COMMENT, self.title).key
            if own.text != content["body"]:
                there = f"{root}/comments/{own.key}"
                await session.ask("PATCH", there, about=about, content=content)
            return own.key

    async def body(self, of: PullRequestId) -> str:
        """Return the whole text of a pull request."""
        async with self.session() as session:
            return (await self._pull_of(session, of)).body or ""

    async def edit(
        self, of: PullRequestId, *, body: str | None = None, base: str | None = None
    ) -> None:
        """Replace the body of a pull request, or change what it is merged into."""
        given = {"body": body, "base": base}
        await self._change(of, {name: said for name, said in given.items() if said is not None})

    async def close(self, of: PullRequestId) -> None:
        """Close a pull request without merging it."""
        async with self.session() as session:
            if (await self._pull_of(session, of)).where is not PullRequestState.OPEN:
                return
        await self._change(of, {"state": "closed"})

    async def _change(self, of: PullRequestId, content: dict[str, Any]) -> None:
        async with self.session() as session:
            await session.ask("PATCH", _pull(of), about=name_of(of), content=content)

    async def _pull_of(self, session: Session, of: PullRequestId) -> Pull:
        answer = await session.ask("GET", _pull(of), about=name_of(of))
        return answer.read(_PULL, self.title)

    async def merge(self, request: MergeRequest) -> MergeAnswer:
        """Merge a pull request, or have Gitea do so once its checks have succeeded."""
        of, about = request.of, name_of(request.of)
        await self.check_can(of.project)
        is_later = request.timing is MergeTiming.WHEN_READY
        method, title = request.method.value, request.title
        content = {  # some names are others in 1.27 than before
            "Do": method,
            "do": method,
            "head_commit_id": request.commit,
            **({"MergeTitleField": title, "merge_title_field": title} if title else {}),
            **({"merge_when_checks_succeed": True} if is_later else {}),
        }
        async with self.session() as session:
            pull = await self._pull_of(session, of)
            if pull.where is PullRequestState.MERGED:
                return MergeAnswer(is_merged=True, merge_commit=pull.merge_commit_sha or "")
            check_head(pull.head.sha, request, is_open=pull.where is PullRequestState.OPEN)
            path = f"{_pull(of)}/merge"
            try:
                answer = await session.ask("POST", path, about=about, content=content)
            except ForgeConflictError as error:
                if is_later and "auto merge already exists" in error.message:
                    return MergeAnswer(is_merged=False)
                raise
            if answer.status == _SCHEDULED:
                return MergeAnswer(is_merged=False)
            after = await self._pull_of(session, of)
        is_merged = after.where is PullRequestState.MERGED
        return MergeAnswer(is_merged=is_merged, merge_commit=after.merge_commit_sha or "")

    async def cancel_merge(self, of: PullRequestId) -> None:
        """Take back that Gitea merges by itself; what is not scheduled is not there to be deleted."""
        async with self.session() as session:
            try:
                await session.ask("DELETE", f"{_pull(of)}/merge", about=name_of(of))
            except ForgeGoneError as error:
                if "is archived" in error.message:
                    raise
                await self._pull_of(session, of)  # raises where it is the pull request that is gone

    async def delete_branch(self, project: ForgeProject, branch: str, commit: str) -> None:
        """Delete a branch that is still at `commit`; Gitea cannot compare and delete at once."""
        path = f"{_path(project)}/branches/{quote(branch, safe='')}"
        async with self.session() as session:
            with suppress(ForgeGoneError):
                found = await session.ask("GET", path, about=project.path)
                check_branch(branch, found.read(_BRANCH, self.title).commit.id, commit)
                await session.ask("DELETE", path, about=project.path)

    async def set_status(self, project: ForgeProject, commit: str, status: CommitStatus) -> None:
        """Set a status of a commit; the newest one of a context is shown."""
        content = {
            "context": status.context,
            "state": _STATES[status.state],
            "description": status.description,
            **({"target_url": status.url} if status.url else {}),
        }
        path = f"{_path(project)}/statuses/{quote(commit, safe='')}"
        async with self.session() as session:
            await session.ask("POST", path, about=project.path, content=content)

    async def who(self, opened: Session) -> str:
        """Ask whose token it is."""
        answer = await opened.ask("GET", "/user", about="the token's account")
        return str(answer.read(_USER, self.title).id)


def _path(project: ForgeProject) -> str:
    return f"/repos/{quote(project.owner, safe='')}/{quote(project.name, safe='')}"


def _pull(of: PullRequestId) -> str:
    return f"{_path(of.project)}/pulls/{of.number}"
