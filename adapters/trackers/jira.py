"""Issues over Jira's REST API, version 3; a project is named by its key."""

import base64
import hashlib
import math
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from adapters.forge.tokens import Tokens
from adapters.trackers.asking import MAX_PAGES, PAGE, Asking, bearer, too_long
from adapters.trackers.documents import document_of, text_of
from adapters.trackers.paging import page_of
from domain.forges.errors import ForgeError
from domain.forges.issues import Issue, IssueComment, IssueId, IssuePage, IssueQuery
from domain.forges.projects import Account
from domain.trackers.source import BY_ID

_FIELDS = [
    "summary",
    "description",
    "creator",
    "labels",
    "assignee",
    "status",
    "created",
    "updated",
]
_KEY = "treadle"
_DONE = "done"


def _basic_or_bearer(token: str) -> str:
    plain = base64.b64encode(token.encode()).decode()
    return f"Basic {plain}" if ":" in token else bearer(token)


class JiraIssues:
    """Implements `Tracker` for one project of Jira."""

    def __init__(self, project: str, root: str, tokens: Tokens) -> None:
        """`root` is the API's address; the token is `MAIL:API_TOKEN` of an account, or one of OAuth."""
        self._asking = Asking(root, {"Accept": "application/json"}, tokens, _basic_or_bearer)
        self._project = project
        self._site = root.partition("/rest/")[0]
        self._own = ""
        self._members: dict[str, bool] = {}

    async def changed_issues(
        self, query: IssueQuery, cursor: str, tags: dict[str, str]
    ) -> IssuePage:
        """Return the issues of a query that changed since `cursor`, those that are done too.

        A time in JQL is one of the account's time zone; minutes ago are the same everywhere.
        """
        body: dict[str, Any] = {
            "jql": self._jql(query, cursor),
            "fields": _FIELDS,
            "maxResults": PAGE,
        }
        raw = list[Any]()
        has_more = False
        for _ in range(MAX_PAGES):
            page = (await self._asking.ask("POST", "/search/jql", json=body)).content
            raw += page["issues"]
            following = page.get("nextPageToken")
            has_more = bool(following)
            if not has_more:
                break
            body["nextPageToken"] = following
        self._members.clear()  # who was a member at the last look may be none now
        found = [await self._issue(each) for each in raw]
        return page_of(found, cursor, tags, has_more=has_more)

    def _jql(self, query: IssueQuery, cursor: str) -> str:
        parts = [f"project = {_quoted(self._project)}"]
        parts += [f"labels = {_quoted(label)}" for label in sorted(query.labels)]
        if query.assignee:
            parts.append(f"assignee = {_quoted(query.assignee.removeprefix(BY_ID))}")
        if query.text:
            parts.append(f"({query.text})")
        if cursor:
            ago = datetime.now(UTC) - datetime.fromisoformat(cursor)
            parts.append(f'updated >= "-{max(math.ceil(ago.total_seconds() / 60), 0) + 1}m"')
        return f"{' AND '.join(parts)} ORDER BY updated ASC"

    async def issue(self, ref: IssueId) -> Issue:
        """Return an issue as it is now."""
        params = {"fields": ",".join(_FIELDS)}
        return await self._issue((await self._asking.ask("GET", _path(ref), params=params)).content)

    async def labelled_by(self, ref: IssueId, label: str) -> Account | None:
        """Return who set a label on an issue last."""
        by: Account | None = None
        for change in await self._all(f"{_path(ref)}/changelog", "values"):
            if any(_adds(item, label.casefold()) for item in change["items"]):
                by = _account(change.get("author"))
        return by

    async def comments(self, ref: IssueId, after: str) -> tuple[IssueComment, ...]:
        """Return the comments behind the one with the id `after`, oldest first."""
        found = [_comment(each) for each in await self._said(ref)]
        return tuple(each for each in found if not after or int(each.id) > int(after))

    async def comment(self, ref: IssueId, text: str, key: str) -> str:
        """Comment on an issue, once for each key, which is a property of the comment; its text is replaced."""
        if not self._own:
            self._own = (await self._asking.ask("GET", "/myself")).content["accountId"]
        mark = hashlib.sha256(key.encode()).hexdigest()[:32]
        body = {"body": document_of(text), "properties": [{"key": _KEY, "value": mark}]}
        for each in await self._said(ref, whole=ref.key):
            marks = _marks(each)
            if mark in marks and _account(each.get("author")).id == self._own:
                if text_of(each["body"]) != text_of(body["body"]):
                    await self._asking.ask("PUT", f"{_path(ref)}/comment/{each['id']}", json=body)
                return str(each["id"])
        made = await self._asking.ask("POST", f"{_path(ref)}/comment", json=body)
        return str(made.content["id"])

    async def close(self, ref: IssueId) -> None:
        """Move an issue to a state that is done, by the first transition that leads to one."""
        if not (await self.issue(ref)).is_open:
            return
        found = (await self._asking.ask("GET", f"{_path(ref)}/transitions")).content["transitions"]
        done = [each for each in found if each["to"]["statusCategory"]["key"] == _DONE]
        if not done:
            raise ForgeError(f"no transition of {ref.key} leads to a state that is done")
        body = {"transition": {"id": done[0]["id"]}}
        await self._asking.ask("POST", f"{_path(ref)}/transitions", json=body)

    async def _said(self, ref: IssueId, whole: str = "") -> list[Any]:
        params = {"expand": "properties", "orderBy": "created"}
        return await self._all(f"{_path(ref)}/comment", "comments", params, whole)

    async def _all(
        self, path: str, name: str, params: dict[str, str] | None = None, whole: str = ""
    ) -> list[Any]:
        items = list[Any]()
        for _ in range(MAX_PAGES):
            paged = {**(params or {}), "startAt": str(len(items)), "maxResults": str(PAGE)}
            page = (await self._asking.ask("GET", path, params=paged)).content
            items += page[name]
            if not page[name] or len(items) >= page["total"]:
                return items
        if whole:
            raise too_long(whole)
        return items

    async def _is_member(self, account: Account) -> bool:
        """Tell whether issues of the project can be assigned to an account: a reporter from outside is none."""
        if account.id and account.id not in self._members:
            params = {"project": self._project, "accountId": account.id}
            found = await self._asking.ask("GET", "/user/assignable/search", params=params)
            self._members[account.id] = any(
                each["accountId"] == account.id for each in found.content
            )
        return self._members.get(account.id, False)

    async def _issue(self, found: Any) -> Issue:
        fields = found["fields"]
        author = _account(fields.get("creator"))
        assignee = fields.get("assignee")
        return Issue(
            ref=IssueId(tracker="jira", id=str(found["id"]), key=found["key"]),
            url=f"{self._site}/browse/{quote(found['key'])}",
            title=fields["summary"],
            body=text_of(fields.get("description")),
            author=author,
            author_is_member=await self._is_member(author),
            labels=frozenset(fields.get("labels") or ()),
            assignees=(_account(assignee),) if assignee else (),
            is_open=fields["status"]["statusCategory"]["key"] != _DONE,
            created_at=datetime.fromisoformat(fields["created"]),
            updated_at=datetime.fromisoformat(fields["updated"]),
        )


def _path(ref: IssueId) -> str:
    return f"/issue/{quote(ref.id, safe='')}"


def _quoted(text: str) -> str:
    """Return text as a string of JQL, which it cannot leave."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _adds(item: Any, label: str) -> bool:
    """Tell whether a change of labels adds one."""
    before, after = (
        str(item[name] or "").casefold().split() for name in ("fromString", "toString")
    )
    return item["field"] == "labels" and label in after and label not in before


def _marks(comment: Any) -> frozenset[str]:
    properties: list[Any] = comment.get("properties") or []
    return frozenset(str(one["value"]) for one in properties if one["key"] == _KEY)


def _account(found: Any) -> Account:
    """Return an account; one that was deleted has neither id nor name."""
    if not found:
        return Account(id="", login="")
    is_bot = found.get("accountType") == "app"
    return Account(id=found["accountId"], login=found.get("displayName", ""), is_bot=is_bot)


def _comment(found: Any) -> IssueComment:
    is_edited = found["updated"] != found["created"]
    return IssueComment(
        id=str(found["id"]),
        author=_account(found.get("author")),
        body=text_of(found.get("body")),
        created_at=datetime.fromisoformat(found["created"]),
        edited_at=datetime.fromisoformat(found["updated"]) if is_edited else None,
    )
