"""Pull requests of GitHub; GitHub Enterprise speaks the same."""

from contextlib import suppress
from typing import Any
from urllib.parse import quote

from pydantic import TypeAdapter

from adapters.forge.github_graph import Graph
from adapters.forge.github_look import GitHubLook
from adapters.forge.github_merge import GitHubMerge
from adapters.forge.github_queries import RESOLVE
from adapters.forge.github_shapes import Comment, Opened, Pull, Ref
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
    MergeRequest,
    PullRequest,
    PullRequestDraft,
    PullRequestId,
)

_OPENED, _LISTED, _PULL = TypeAdapter(Opened), TypeAdapter(list[Opened]), TypeAdapter(Pull)
_COMMENT, _COMMENTS, _REF = TypeAdapter(Comment), TypeAdapter(list[Comment]), TypeAdapter(Ref)
_STATES = {
    CheckState.PENDING: "pending",
    CheckState.PASSED: "success",
    CheckState.FAILED: "failure",
    CheckState.SKIPPED: "pending",  # it has none for what was not run, and success would be green
}
_MAX_DESCRIPTION = 140
_ENTERPRISE = "/api/v3"


class GitHub(RestForge):
    """GitHub's REST API, and its GraphQL where REST cannot."""

    title = "GitHub"
    accept = "application/vnd.github+json"

    async def open_pull_request(self, draft: PullRequestDraft) -> PullRequest:
        """Return the open pull request of head and base, opened now where there is none."""
        await self.check_can(draft.project)
        async with self.session() as session:
            found = await self._find(session, draft)
            return found or await self._make(session, draft)

    async def _find(self, session: Session, draft: PullRequestDraft) -> PullRequest | None:
        where = f"{(draft.head_project or draft.project).owner}:{draft.head}"
        path = f"{_path(draft.project)}/pulls?state=open&head={quote(where, safe='')}"
        path += f"&base={quote(draft.base, safe='')}"
        answer = await session.ask("GET", path, about=draft.project.path)
        listed = answer.read(_LISTED, self.title)
        if not listed:
            return None
        return PullRequest(number=listed[0].number, url=listed[0].html_url, is_new=False)

    async def _make(self, session: Session, draft: PullRequestDraft) -> PullRequest:
        source = draft.head_project
        content = {"title": draft.title, "body": draft.body, "head": draft.head, "base": draft.base}
        if source is not None and source != draft.project:
            content |= {"head": f"{source.owner}:{draft.head}", "head_repo": source.name}
        path = f"{_path(draft.project)}/pulls"
        try:
            made = await session.ask("POST", path, about=draft.project.path, content=content)
        except ForgeError as error:
            if "already exists" not in error.message:
                raise
            found = await self._find(session, draft)
            if found is None:
                words = f"a pull request exists already: look at {draft.compare_url}"
                raise ForgeConflictError(words) from error
            return found
        opened = made.read(_OPENED, self.title)
        return PullRequest(number=opened.number, url=opened.html_url)

    async def look(self, of: PullRequestId, tags: dict[str, str]) -> Look:
        """Look at a pull request, conditionally."""
        await self.check_can(of.project)
        async with self.session() as session:
            return await GitHubLook(session, self._graph(session), of, _path(of.project)).look(tags)

    async def check_log(self, of: PullRequestId, check: str, most: int) -> str:
        """Return the end of the log of an Actions job; GitHub keeps none of other checks."""
        kind, job = thread_parts(check)
        if kind != "run":
            return ""
        path = f"{_path(of.project)}/actions/jobs/{quote(job, safe='')}/logs"
        async with self.session() as session:
            with suppress(ForgeGoneError):  # another app's, or its log has expired
                return await session.tail(path, about=of.project.path, most=most)
        return ""

    async def reply(self, of: PullRequestId, thread: str, text: str, key: str) -> str:
        """Answer a review thread, once for each key; one of the whole pull request gets a comment."""
        node, first = thread_parts(thread)
        if node == "comment":
            return await self.comment(of, text, key)
        about, content = name_of(of), {"body": text_of(text, key)}
        async with self.session() as session:
            threads, _, _ = await self._graph(session).threads(of, about)
            found = next((each for each in threads if each.id == node), None)
            if found and (own := await self.own(session, found.comments.nodes, key)):
                return own.key
            if found and not found.is_whole:
                raise ForgeConflictError(
                    f"a thread of {about} has too many comments: answer there by hand"
                )
            path = f"{_pull(of)}/comments/{quote(first, safe='')}/replies"
            made = await session.ask("POST", path, about=about, content=content)
            return made.read(_COMMENT, self.title).key

    async def resolve(self, of: PullRequestId, thread: str) -> None:
        """Mark a review thread as resolved."""
        node, _ = thread_parts(thread)
        if node == "comment":
            return
        async with self.session() as session:
            await self._graph(session).do(RESOLVE, {"thread": node}, name_of(of))

    async def comment(self, of: PullRequestId, text: str, key: str) -> str:
        """Comment on a pull request, once for each key: where it is there, its text is replaced."""
        about, root = name_of(of), _path(of.project)
        content = {"body": text_of(text, key)}
        path = f"{root}/issues/{of.number}/comments"
        async with self.session() as session:
            listed = await every_item(session, path, about, self.paging, _COMMENTS)
            own = await self.own(session, listed, key)
            if own is None:
                made = await session.ask("POST", path, about=about, content=content)
                return made.read(_COMMENT, self.title).key
            if own.text != content["body"]:
                there = f"{root}/issues/comments/{own.key}"
                await session.ask("PATCH", there, about=about, content=content)
            return own.key

    async def body(self, of: PullRequestId) -> str:
        """Return the whole text of a pull request."""
        async with self.session() as session:
            answer = await session.ask("GET", _pull(of), about=name_of(of))
            return answer.read(_PULL, self.title).body or ""

    async def edit(
        self, of: PullRequestId, *, body: str | None = None, base: str | None = None
    ) -> None:
        """Replace the body of a pull request, or change what it is merged into."""
        given = {"body": body, "base": base}
        await self._change(of, {name: said for name, said in given.items() if said is not None})

    async def close(self, of: PullRequestId) -> None:
        """Close a pull request without merging it."""
        await self._change(of, {"state": "closed"})

    async def _change(self, of: PullRequestId, content: dict[str, Any]) -> None:
        async with self.session() as session:
            await session.ask("PATCH", _pull(of), about=name_of(of), content=content)

    async def merge(self, request: MergeRequest) -> MergeAnswer:
        """Merge a pull request, or have GitHub do so by itself."""
        await self.check_can(request.of.project)
        async with self.session() as session:
            return await self._merging(session, request.of).merge(request)

    async def cancel_merge(self, of: PullRequestId) -> None:
        """Take back that GitHub merges by itself."""
        async with self.session() as session:
            await self._merging(session, of).cancel()

    def _merging(self, session: Session, of: PullRequestId) -> GitHubMerge:
        return GitHubMerge(session, self._graph(session), of, _pull(of))

    async def delete_branch(self, project: ForgeProject, branch: str, commit: str) -> None:
        """Delete a branch that is still at `commit`; GitHub has no way to compare and delete at once."""
        root, name = f"{_path(project)}/git", quote(branch, safe="")
        async with self.session() as session:
            with suppress(ForgeGoneError):
                found = await session.ask("GET", f"{root}/ref/heads/{name}", about=project.path)
                check_branch(branch, found.read(_REF, self.title).object.sha, commit)
                await session.ask("DELETE", f"{root}/refs/heads/{name}", about=project.path)

    async def set_status(self, project: ForgeProject, commit: str, status: CommitStatus) -> None:
        """Set a status of a commit; the newest one of a context is shown."""
        content = {
            "context": status.context,
            "state": _STATES[status.state],
            "description": status.description[:_MAX_DESCRIPTION],
            **({"target_url": status.url} if status.url else {}),
        }
        path = f"{_path(project)}/statuses/{quote(commit, safe='')}"
        async with self.session() as session:
            await session.ask("POST", path, about=project.path, content=content)

    async def who(self, opened: Session) -> str:
        """Ask whose token it is; REST does not tell Apps."""
        return await self._graph(opened).viewer()

    def _graph(self, session: Session) -> Graph:
        root = self._root
        if root.endswith(_ENTERPRISE):
            return Graph(session, f"{root.removesuffix('/v3')}/graphql")
        return Graph(session, f"{root}/graphql")


def _path(project: ForgeProject) -> str:
    return f"/repos/{quote(project.owner, safe='')}/{quote(project.name, safe='')}"


def _pull(of: PullRequestId) -> str:
    return f"{_path(of.project)}/pulls/{of.number}"


def check_branch(branch: str, found: str, commit: str) -> None:
    """Refuse to delete a branch that is elsewhere."""
    if found != commit:
        raise ForgeConflictError(
            f"{branch} is at {found[:12]}, not at {commit[:12]}: it is kept, since somebody pushed to it"
        )
