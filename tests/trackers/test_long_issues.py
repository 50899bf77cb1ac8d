"""An issue with more comments than are read: whether ours is among them nobody knows, so none is written twice."""

import pytest

from adapters.forge.tokens import FixedToken
from adapters.trackers.asking import MAX_PAGES, PAGE, Answered
from adapters.trackers.github import GitHubIssues
from adapters.trackers.gitlab import GitLabIssues
from adapters.trackers.jira import JiraIssues
from domain.forges.errors import ForgeError
from domain.forges.issues import IssueId

REF = IssueId(tracker="t", id="7", key="acme/app#7")
KINDS = {"github": GitHubIssues, "gitlab": GitLabIssues, "jira": JiraIssues}


def crowded(monkeypatch, kind: str, pages: int):
    """A tracker whose issue has so many pages of comments by others, and the requests that write."""
    tracker = KINDS[kind]("acme/app", "http://127.0.0.1:9", FixedToken("t", "TOKEN"))
    written: list[str] = []
    said = {"id": 1, "body": "+1", "user": {"id": 5}, "author": {"id": 5, "accountId": "5"}}

    async def ask(method, path, **more) -> Answered:
        if path in {"/user", "/myself", "/graphql"}:
            me = {"id": 2, "username": "us", "accountId": "2"}
            return Answered({**me, "data": {"viewer": {"databaseId": 2}}}, "", has_next=False)
        if method != "GET":
            written.append(path)
            return Answered({"id": 9}, "", has_next=False)
        start = int(more["params"].get("startAt", 0)) // PAGE
        number = int(more["params"].get("page", start + 1))
        listed = [said] * PAGE
        found = {"comments": listed, "total": pages * PAGE} if kind == "jira" else listed
        return Answered(found, "", has_next=number < pages)

    monkeypatch.setattr("adapters.trackers.asking.Asking.ask", lambda _, *a, **m: ask(*a, **m))
    return tracker, written


@pytest.mark.parametrize("kind", KINDS)
async def test_nothing_is_written_where_ours_may_be_behind_what_is_read(monkeypatch, kind):
    tracker, written = crowded(monkeypatch, kind, MAX_PAGES + 1)
    with pytest.raises(ForgeError, match="more than 1000 comments"):
        await tracker.comment(REF, "text", "key")
    assert written == []


@pytest.mark.parametrize("kind", KINDS)
async def test_a_thousand_comments_are_read(monkeypatch, kind):
    tracker, written = crowded(monkeypatch, kind, MAX_PAGES)
    assert await tracker.comment(REF, "text", "key") == "9"
    assert len(written) == 1
