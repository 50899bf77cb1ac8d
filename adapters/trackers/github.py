"""Issues over GitHub's REST API; GitHub Enterprise speaks the same."""

from datetime import datetime
from typing import Any
from urllib.parse import quote

from adapters.forge.github_queries import VIEWER
from adapters.forge.tokens import Tokens
from adapters.trackers.asking import Asking
from adapters.trackers.paging import late_page_of
from domain.core.errors import NotFoundError
from domain.forges.errors import ForgeAccessError, ForgeBusyError
from domain.forges.issues import Issue, IssueComment, IssueId, IssuePage, IssueQuery
from domain.forges.markers import bears, marked
from domain.forges.projects import Account
from domain.trackers.source import BY_ID

_SEARCH = "/search/issues"
_MEMBERS = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})


class GitHubIssues:
    """Implements `Tracker` for one project of GitHub."""

    def __init__(self, project: str, root: str, tokens: Tokens) -> None:
        """`root` is the API's address."""
        headers = {
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        self._asking = Asking(root, headers, tokens)
        self._graph = Asking(root.removesuffix("/v3"), headers, tokens)
        self._project = project
        self._repo = f"/repos/{quote(project)}"
        self._own = ""

    async def changed_issues(
        self, query: IssueQuery, cursor: str, tags: dict[str, str]
    ) -> IssuePage:
        """Return the issues of a query that changed since `cursor`, closed ones too."""
        if query.text:
            return await self._search(query, cursor, tags)
        asked = {"state": "all", "sort": "updated", "direction": "asc"}
        asked |= {"labels": ",".join(sorted(query.labels))} if query.labels else {}
        asked |= {"assignee": query.assignee} if _is_login(query.assignee) else {}
        asked |= {"since": cursor} if cursor else {}
        path = f"{self._repo}/issues"
        listed = await self._asking.changed(path, asked, cursor, tags.get(path, ""))
        if listed is None:
            return IssuePage(cursor=cursor, tags=tags)
        found = listed.items
        last = found[-1]["updated_at"] if found else cursor
        # with another cursor it is another question, to which the tag is no answer
        kept = {path: listed.tag} if last == cursor and listed.tag else {}
        issues = tuple(self._issue(each) for each in found if "pull_request" not in each)
        return IssuePage(issues=issues, cursor=last, tags=kept, has_more=listed.has_more)

    async def _search(self, query: IssueQuery, cursor: str, tags: dict[str, str]) -> IssuePage:
        """Return the issues that a search finds; what its index took up late is found all the same."""
        words = [query.text, f"repo:{self._project}", "is:issue"]
        words += [f"label:{_quoted(label)}" for label in sorted(query.labels)]
        words += [f"assignee:{query.assignee}"] if _is_login(query.assignee) else []
        words += [f"updated:>={cursor}"] if cursor else []
        asked = {"q": " ".join(words), "sort": "updated", "order": "asc"}
        tag = tags.get(_SEARCH, "")
        listed = await self._asking.changed(_SEARCH, asked, cursor, tag, self._found)
        if listed is None:
            return IssuePage(cursor=cursor, tags=tags)
        issues = [self._issue(each) for each in listed.items]
        page = late_page_of(issues, cursor, tags, has_more=listed.has_more)
        if page.cursor != cursor or not listed.tag:
            return page
        return page.model_copy(update={"tags": {**page.tags, _SEARCH: listed.tag}})

    def _found(self, content: Any) -> list[Any]:
        """Return the issues of this project in an answer of the search."""
        if content["incomplete_results"]:
            raise ForgeBusyError("GitHub's search gave up before it had found all")
        own = f"/repos/{self._project}".casefold()
        return [
            each
            for each in content["items"]
            if "pull_request" not in each and each["repository_url"].casefold().endswith(own)
        ]

    async def issue(self, ref: IssueId) -> Issue:
        """Return an issue as it is now."""
        answered = await self._asking.ask("GET", self._path(ref))
        return self._issue(answered.content)

    async def labelled_by(self, ref: IssueId, label: str) -> Account | None:
        """Return who set a label on an issue last."""
        events = await self._asking.all_pages(f"{self._path(ref)}/events", {})
        of_it = [
            each["actor"]
            for each in events
            if each["event"] == "labeled"
            and each.get("label", {}).get("name", "").casefold() == label.casefold()
        ]
        return _account(of_it[-1]) if of_it else None

    async def comments(self, ref: IssueId, after: str) -> tuple[IssueComment, ...]:
        """Return the comments behind the one with the id `after`, oldest first."""
        found = [_comment(each) for each in await self._said(ref)]
        return tuple(each for each in found if not after or int(each.id) > int(after))

    async def comment(self, ref: IssueId, text: str, key: str) -> str:
        """Comment on an issue, once for each key: where our own is there, its text is replaced."""
        own = await self._account()
        body = {"body": marked(text, key)}
        for each in await self._said(ref, whole=ref.key):
            if each["user"] and str(each["user"]["id"]) == own and bears(each["body"], key):
                if each["body"].strip() != body["body"].strip():
                    path = f"{self._repo}/issues/comments/{each['id']}"
                    await self._asking.ask("PATCH", path, json=body)
                return str(each["id"])
        made = await self._asking.ask("POST", f"{self._path(ref)}/comments", json=body)
        return str(made.content["id"])

    async def close(self, ref: IssueId) -> None:
        """Close an issue as done."""
        done = {"state": "closed", "state_reason": "completed"}
        await self._asking.ask("PATCH", self._path(ref), json=done)

    async def _said(self, ref: IssueId, whole: str = "") -> list[Any]:
        return await self._asking.all_pages(f"{self._path(ref)}/comments", {}, whole=whole)

    async def _account(self) -> str:
        """Return the id of whose token it is: a mark in anybody else's comment is no mark of ours.

        REST does not tell that to an App.
        """
        if not self._own:
            asked = await self._graph.ask("POST", "/graphql", json={"query": VIEWER})
            data: Any = asked.content.get("data") or {}
            viewer: Any = data.get("viewer")
            if not viewer:
                raise ForgeAccessError("GitHub does not say whose the token is: make another one")
            self._own = str(viewer["databaseId"])
        return self._own

    def _path(self, ref: IssueId) -> str:
        number = ref.key.rpartition("#")[2]
        if not number.isdecimal():
            raise NotFoundError(f"{ref.key[:80]!r} names no issue of {self._project}")
        return f"{self._repo}/issues/{number}"

    def _issue(self, found: Any) -> Issue:
        return Issue(
            ref=IssueId(
                tracker="github", id=str(found["id"]), key=f"{self._project}#{found['number']}"
            ),
            url=found["html_url"],
            title=found["title"],
            body=found.get("body") or "",
            author=_account(found.get("user")),
            author_is_member=found.get("author_association") in _MEMBERS,
            labels=frozenset(
                each if isinstance(each, str) else each["name"] for each in found["labels"]
            ),
            assignees=tuple(_account(each) for each in found.get("assignees") or ()),
            is_open=found["state"] == "open",
            created_at=datetime.fromisoformat(found["created_at"]),
            updated_at=datetime.fromisoformat(found["updated_at"]),
        )


def _is_login(assignee: str) -> bool:
    """Tell whether GitHub can be asked for an assignee: it knows logins; ids are compared with what it answers."""
    return bool(assignee) and not assignee.startswith(BY_ID)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _account(found: Any) -> Account:
    """Return an account; one that was deleted has neither id nor login."""
    if not found:
        return Account(id="", login="")
    return Account(
        id=str(found["id"]), login=found["login"], is_bot=found.get("type", "User") == "Bot"
    )


def _comment(found: Any) -> IssueComment:
    is_edited = found["updated_at"] != found["created_at"]
    return IssueComment(
        id=str(found["id"]),
        author=_account(found.get("user")),
        body=found.get("body") or "",
        url=found.get("html_url", ""),
        created_at=datetime.fromisoformat(found["created_at"]),
        edited_at=datetime.fromisoformat(found["updated_at"]) if is_edited else None,
    )
