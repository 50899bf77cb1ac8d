"""Issues over GitLab's REST API, of gitlab.com and of other hosts."""

from datetime import datetime
from typing import Any
from urllib.parse import quote

from adapters.forge.tokens import Tokens
from adapters.trackers.asking import Asking
from domain.core.errors import NotFoundError
from domain.forges.errors import ForgeGoneError
from domain.forges.issues import Issue, IssueComment, IssueId, IssuePage, IssueQuery
from domain.forges.markers import bears, marked
from domain.forges.projects import Account
from domain.trackers.queries import parameters_of
from domain.trackers.source import BY_ID

_REPORTER = 20
"""The access level from which GitLab lets somebody label issues."""


class GitLabIssues:
    """Implements `Tracker` for one project of GitLab; it may be in nested groups."""

    def __init__(self, project: str, root: str, tokens: Tokens) -> None:
        """`root` is the API's address."""
        self._asking = Asking(root, {}, tokens)
        self._project = project
        self._path = f"/projects/{quote(project, safe='')}"
        self._own: Account | None = None
        self._members: dict[str, bool] = {}

    async def changed_issues(
        self, query: IssueQuery, cursor: str, tags: dict[str, str]
    ) -> IssuePage:
        """Return the issues of a query that changed since `cursor`, closed ones too."""
        asked = parameters_of(query.text) if query.text else {}
        asked |= {"state": "all", "order_by": "updated_at", "sort": "asc"}
        asked |= {"labels": ",".join(sorted(query.labels))} if query.labels else {}
        asked |= _assigned_to(query.assignee) if query.assignee else {}
        asked |= {"updated_after": cursor} if cursor else {}
        path = f"{self._path}/issues"
        listed = await self._asking.changed(path, asked, cursor, tags.get(path, ""))
        if listed is None:
            return IssuePage(cursor=cursor, tags=tags)
        found = listed.items
        last = found[-1]["updated_at"] if found else cursor
        kept = {path: listed.tag} if last == cursor and listed.tag else {}
        self._members.clear()  # who was a member at the last look may be none now
        issues = [await self._issue(each) for each in found]
        return IssuePage(issues=tuple(issues), cursor=last, tags=kept, has_more=listed.has_more)

    async def issue(self, ref: IssueId) -> Issue:
        """Return an issue as it is now."""
        return await self._issue((await self._asking.ask("GET", self._of(ref))).content)

    async def labelled_by(self, ref: IssueId, label: str) -> Account | None:
        """Return who set a label on an issue last."""
        events = await self._asking.all_pages(f"{self._of(ref)}/resource_label_events", {})
        of_it = [each["user"] for each in events if _adds(each, label)]
        return _account(of_it[-1]) if of_it else None

    async def comments(self, ref: IssueId, after: str) -> tuple[IssueComment, ...]:
        """Return the comments behind the one with the id `after`, oldest first; GitLab's own notes are none."""
        found = [_comment(each) for each in await self._said(ref) if not each.get("system")]
        return tuple(each for each in found if not after or int(each.id) > int(after))

    async def comment(self, ref: IssueId, text: str, key: str) -> str:
        """Comment on an issue, once for each key: where our own is there, its text is replaced."""
        own = await self._account()
        body = {"body": marked(text, key)}
        for each in await self._said(ref, whole=ref.key):
            if str(each["author"]["id"]) == own.id and bears(each["body"], key):
                if each["body"].strip() != body["body"].strip():
                    await self._asking.ask("PUT", f"{self._of(ref)}/notes/{each['id']}", json=body)
                return str(each["id"])
        made = await self._asking.ask("POST", f"{self._of(ref)}/notes", json=body)
        return str(made.content["id"])

    async def close(self, ref: IssueId) -> None:
        """Close an issue as done."""
        await self._asking.ask("PUT", self._of(ref), json={"state_event": "close"})

    async def _said(self, ref: IssueId, whole: str = "") -> list[Any]:
        params = {"sort": "asc", "order_by": "created_at"}
        return await self._asking.all_pages(f"{self._of(ref)}/notes", params, whole=whole)

    async def _account(self) -> Account:
        if self._own is None:
            self._own = _account((await self._asking.ask("GET", "/user")).content)
        return self._own

    async def _is_member(self, account: Account) -> bool:
        """Tell whether an account may label issues of the project, by itself or by a group."""
        if account.id not in self._members:
            try:
                found = await self._asking.ask("GET", f"{self._path}/members/all/{account.id}")
                self._members[account.id] = found.content["access_level"] >= _REPORTER
            except ForgeGoneError:
                self._members[account.id] = False
        return self._members[account.id]

    def _of(self, ref: IssueId) -> str:
        number = ref.key.rpartition("#")[2]
        if not number.isdecimal():
            raise NotFoundError(f"{ref.key[:80]!r} names no issue of {self._project}")
        return f"{self._path}/issues/{number}"

    async def _issue(self, found: Any) -> Issue:
        author = _account(found["author"])
        return Issue(
            ref=IssueId(
                tracker="gitlab", id=str(found["id"]), key=f"{self._project}#{found['iid']}"
            ),
            url=found["web_url"],
            title=found["title"],
            body=found.get("description") or "",
            author=author,
            author_is_member=await self._is_member(author),
            labels=frozenset(found["labels"]),
            assignees=tuple(_account(each) for each in found.get("assignees") or ()),
            is_open=found["state"] == "opened",
            created_at=datetime.fromisoformat(found["created_at"]),
            updated_at=datetime.fromisoformat(found["updated_at"]),
        )


def _assigned_to(assignee: str) -> dict[str, str]:
    if assignee.startswith(BY_ID):
        return {"assignee_id": assignee.removeprefix(BY_ID)}
    return {"assignee_username": assignee}


def _adds(event: Any, label: str) -> bool:
    """Tell whether an event sets a label; one that was deleted since has no name."""
    named: Any = event.get("label")
    return event["action"] == "add" and named and named["name"].casefold() == label.casefold()


def _account(found: Any) -> Account:
    return Account(
        id=str(found["id"]), login=found["username"], is_bot=found.get("bot", False) is True
    )


def _comment(found: Any) -> IssueComment:
    is_edited = found["updated_at"] != found["created_at"]
    return IssueComment(
        id=str(found["id"]),
        author=_account(found["author"]),
        body=found.get("body") or "",
        created_at=datetime.fromisoformat(found["created_at"]),
        edited_at=datetime.fromisoformat(found["updated_at"]) if is_edited else None,
    )
