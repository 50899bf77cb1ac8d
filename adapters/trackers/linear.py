"""Issues over Linear's GraphQL API; a project is a team, by its key."""

import hashlib
import time
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
from pydantic import BaseModel

from adapters.forge.tokens import Tokens
from adapters.trackers.asking import MAX_PAGES, Asking, bearer
from adapters.trackers.linear_queries import (
    ADD_COMMENT,
    CLOSE,
    COMMENTS,
    EDIT_COMMENT,
    FIND_COMMENT,
    HISTORY,
    ISSUE,
    ISSUES,
)
from adapters.trackers.paging import page_of
from domain.forges.errors import ForgeAccessError, ForgeBusyError, ForgeError, ForgeGoneError
from domain.forges.issues import Issue, IssueComment, IssueId, IssuePage, IssueQuery
from domain.forges.projects import Account
from domain.trackers.source import BY_ID

_DONE = frozenset({"completed", "canceled", "duplicate"})
_LIMITED = b"RATELIMITED"
_MINUTE = 60.0
_LONGEST_WAIT = 3600.0


class _Answer(BaseModel):
    """An answer of GraphQL, whose refusals come with the status 200 as well."""

    data: Any = None
    errors: list[dict[str, Any]] = []


class _LinearAsking(Asking):
    """Linear says that a rate limit is used up with a status of its own, and till when in milliseconds."""

    def refusal(self, response: httpx.Response, raw: bytes) -> ForgeError:
        """Return the refusal of an answer."""
        if _LIMITED not in raw:
            return super().refusal(response, raw)
        reset = response.headers.get("x-ratelimit-requests-reset", "")
        wait = float(reset) / 1000 - time.time() if reset.isdecimal() else _MINUTE
        seconds = min(max(wait, 1.0), _LONGEST_WAIT)
        return ForgeBusyError("the tracker's rate limit is used up", timedelta(seconds=seconds))


def _key_or_bearer(token: str) -> str:
    return token if token.startswith("lin_api_") else bearer(token)


class LinearIssues:
    """Implements `Tracker` for one team of Linear."""

    def __init__(self, project: str, root: str, tokens: Tokens) -> None:
        """`root` is the API's address; the token is a key, or one of OAuth."""
        self._asking = _LinearAsking(root, {}, tokens, _key_or_bearer)
        self._project = project
        self._tokens = tokens

    async def changed_issues(
        self, query: IssueQuery, cursor: str, tags: dict[str, str]
    ) -> IssuePage:
        """Return the issues of a query that changed since `cursor`, those that are done too."""
        if query.text:
            raise ForgeError("linear has no query language here: use label or assignee")
        labels = [{"labels": {"some": {"name": {"eqIgnoreCase": each}}}} for each in query.labels]
        wanted: dict[str, Any] = {"team": {"key": {"eq": self._project}}}
        wanted |= {"and": labels} if labels else {}
        if query.assignee:
            wanted |= {"assignee": {"id": {"eq": query.assignee.removeprefix(BY_ID)}}}
        wanted |= {"updatedAt": {"gte": cursor}} if cursor else {}
        found, after = list[Issue](), None
        has_more = False
        for _ in range(MAX_PAGES):
            page = (await self._ask(ISSUES, filter=wanted, after=after))["issues"]
            found += map(_issue, page["nodes"])
            has_more, after = page["pageInfo"]["hasNextPage"], page["pageInfo"]["endCursor"]
            if not has_more:
                break
        return page_of(found, cursor, tags, has_more=has_more)

    async def issue(self, ref: IssueId) -> Issue:
        """Return an issue as it is now."""
        return _issue((await self._ask(ISSUE, id=ref.id))["issue"])

    async def labelled_by(self, ref: IssueId, label: str) -> Account | None:
        """Return who set a label on an issue last; None where an integration did."""
        changes = await self._all(HISTORY, ref, "history")
        of_it = [
            each
            for each in sorted(changes, key=lambda each: each["createdAt"])
            if any(
                added["name"].casefold() == label.casefold() for added in each["addedLabels"] or ()
            )
        ]
        return _account(of_it[-1]["actor"]) if of_it and of_it[-1]["actor"] else None

    async def comments(self, ref: IssueId, after: str) -> tuple[IssueComment, ...]:
        """Return the comments behind the one with the id `after`, oldest first."""
        said = await self._all(COMMENTS, ref, "comments")
        found = sorted(map(_comment, said), key=lambda each: (each.created_at, each.id))
        places = [n for n, each in enumerate(found, 1) if each.id == after]
        return tuple(found[places[0] :] if places else found)

    async def comment(self, ref: IssueId, text: str, key: str) -> str:
        """Comment on an issue, once for each key: its id is made of the key, and Linear takes an id once."""
        digest = hashlib.sha256(f"{ref.id}\0{key}".encode()).digest()
        name = str(UUID(bytes=digest[:16], version=4))
        known = (await self._ask(FIND_COMMENT, id=name))["comments"]["nodes"]
        if not known:
            await self._ask(ADD_COMMENT, input={"id": name, "issueId": ref.id, "body": text})
        elif known[0]["body"].strip() != text.strip():
            await self._ask(EDIT_COMMENT, id=name, input={"body": text})
        return name

    async def close(self, ref: IssueId) -> None:
        """Move an issue to the first state of its team that is a completed one."""
        found = (await self._ask(ISSUE, id=ref.id))["issue"]
        if found["state"]["type"] in _DONE:
            return
        states = [s for s in found["team"]["states"]["nodes"] if s["type"] == "completed"]
        if not states:
            raise ForgeError(f"the team {self._project} has no completed state to move issues to")
        first = min(states, key=lambda each: each["position"])
        await self._ask(CLOSE, id=ref.id, input={"stateId": first["id"]})

    async def _all(self, query: str, ref: IssueId, name: str) -> list[Any]:
        items, after = list[Any](), None
        for _ in range(MAX_PAGES):
            page = (await self._ask(query, id=ref.id, after=after))["issue"][name]
            items += page["nodes"]
            after = page["pageInfo"]["endCursor"]
            if not page["pageInfo"]["hasNextPage"]:
                break
        return items

    async def _ask(self, query: str, **variables: Any) -> Any:
        body = {"query": query, "variables": variables}
        content = (await self._asking.ask("POST", "/graphql", json=body)).content
        answer = _Answer.model_validate(content if isinstance(content, dict) else {})
        if answer.data is None or answer.errors:
            raise self._refused(answer)
        return answer.data

    def _refused(self, answer: _Answer) -> ForgeError:
        first = answer.errors[0] if answer.errors else dict[str, Any]()
        words, code = str(first.get("message", "no data"))[:300], str(first.get("extensions", ""))
        if "AUTHENTICATION" in code or "FORBIDDEN" in code:
            return ForgeAccessError(
                f"the token in {self._tokens.name} is wrong, has expired, or may not do this: {words}"
            )
        if "not found" in words.casefold():
            return ForgeGoneError(f"the issue or team is not there, or not for this token: {words}")
        return ForgeError(f"Linear refused it: {words}")


def _issue(found: Any) -> Issue:
    creator = found["creator"]
    return Issue(
        ref=IssueId(tracker="linear", id=found["id"], key=found["identifier"]),
        url=found["url"],
        title=found["title"],
        body=found["description"] or "",
        author=_account(creator) if creator else Account(id="", login=""),
        author_is_member=bool(creator and creator["active"] and not creator["guest"]),
        labels=frozenset(each["name"] for each in found["labels"]["nodes"]),
        assignees=(_account(found["assignee"]),) if found["assignee"] else (),
        is_open=found["state"]["type"] not in _DONE and not found["trashed"],
        created_at=datetime.fromisoformat(found["createdAt"]),
        updated_at=datetime.fromisoformat(found["updatedAt"]),
    )


def _account(found: Any) -> Account:
    return Account(id=found["id"], login=found["displayName"], is_bot=bool(found.get("app")))


def _comment(found: Any) -> IssueComment:
    """Return a comment; one of an integration has no person, and decides nothing."""
    author = found["user"]
    return IssueComment(
        id=found["id"],
        author=_account(author) if author else Account(id="", login="", is_bot=True),
        body=found["body"],
        url=found["url"],
        created_at=datetime.fromisoformat(found["createdAt"]),
        edited_at=datetime.fromisoformat(found["editedAt"]) if found["editedAt"] else None,
    )
