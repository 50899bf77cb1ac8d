"""The double as GitHub: issues, and comments of issues and pull requests."""

import re
from datetime import datetime
from typing import Any

from tests.forge.routing import Answered, Asked, Handler, RefusedError, paged
from tests.forge.skins.common import Skin, stamp
from tests.forge.things import Ticket, Words

MEMBERS = {"ann", "treadle-bot"}
_R = "/repos/{owner}/{repo}"
_I = f"{_R}/issues/{{number}}"


class Issues(Skin):
    """Issues and comments; `unindexed` are issues that the search does not know yet."""

    unindexed: frozenset[int] = frozenset()
    is_search_incomplete = False

    def issue_routes(self) -> dict[str, Handler]:
        return {
            f"GET {_R}/issues": self.list_issues,
            "GET /search/issues": self.search_issues,
            f"GET {_I}": self.get_issue,
            f"PATCH {_I}": self.edit_issue,
            f"GET {_I}/events": self.list_events,
            f"GET {_I}/comments": self.list_comments,
            f"POST {_I}/comments": self.make_comment,
            f"PATCH {_R}/issues/comments/{{comment}}": self.edit_comment,
        }

    def said(self, words: Words) -> dict[str, Any]:
        return {
            "id": words.id,
            "user": self.sender(words.author),
            "body": words.body,
            "html_url": f"https://{self.host}/comment/{words.id}",
            "created_at": stamp(words.created_at),
            "updated_at": stamp(words.updated_at),
        }

    def reported(self, issue: Ticket) -> dict[str, Any]:
        return {
            "id": issue.id,
            "node_id": f"I_{issue.id}",
            "number": issue.number,
            "title": issue.title,
            "body": issue.body,
            "html_url": f"https://{self.host}/{issue.project.path}/issues/{issue.number}",
            "state": "open" if issue.is_open else "closed",
            "user": self.sender(issue.author),
            "author_association": "MEMBER" if issue.author.login in MEMBERS else "NONE",
            "labels": [{"id": 1, "name": name} for name in sorted(issue.labels)],
            "assignees": [self.sender(each) for each in issue.assignees],
            "created_at": stamp(issue.created_at),
            "updated_at": stamp(issue.updated_at),
        }

    def list_issues(self, asked: Asked, owner: str, repo: str) -> Answered:
        self.project(f"{owner}/{repo}")
        found = self.matching(f"{owner}/{repo}", asked.query, "assignee")
        return paged(asked, [self.reported(each) for each in found], f"http://{self.host}")

    def matching(self, path: str, query: dict[str, str], assignee: str) -> list[Ticket]:
        """Return the issues of a query, in the order of their last changes."""
        labels = {each for each in query.get("labels", "").split(",") if each}
        since = query.get("since") or query.get("updated_after")
        state = query.get("state", "open")
        found = [
            each
            for each in self.world.issues.values()
            if each.project.path == path
            and labels <= each.labels
            and (state == "all" or (state in {"open", "opened"}) == each.is_open)
            and (not since or each.updated_at >= datetime.fromisoformat(since))
            and query.get(assignee) in {None, "", "*", *(a.login for a in each.assignees)}
        ]
        order = query.get("direction") or query.get("sort") or "desc"
        return sorted(found, key=lambda each: each.updated_at, reverse=order == "desc")

    def search_issues(self, asked: Asked) -> Answered:
        """Answer a search by words of the title, labels, state and time, as far as the index is."""
        query = asked.query["q"]
        words = re.sub(r'\S+:("(\\.|[^"])*"|\S+)', "", query).split()
        named = dict(re.findall(r"(\w+):([^\s\"]+)", query))
        labels = ",".join(re.findall(r'label:"([^"]*)"', query))
        asked_as = {"labels": labels, "state": "all", "direction": asked.query["order"]}
        asked_as |= {"since": named["updated"].removeprefix(">=")} if "updated" in named else {}
        asked_as |= {"assignee": named["assignee"]} if "assignee" in named else {}
        self.project(named["repo"])
        found = [
            {**self.reported(each), "repository_url": f"http://{self.host}/repos/{named['repo']}"}
            for each in self.matching(named["repo"], asked_as, "assignee")
            if all(word in each.title for word in words) and each.id not in self.unindexed
        ]
        page = paged(asked, found, f"http://{self.host}")
        has_all = {"total_count": len(found), "incomplete_results": self.is_search_incomplete}
        return Answered(200, {**has_all, "items": page.content}, page.headers)

    def get_issue(self, asked: Asked, owner: str, repo: str, number: str) -> Answered:
        return Answered(200, self.reported(self.ticket(f"{owner}/{repo}", number)))

    def edit_issue(self, asked: Asked, owner: str, repo: str, number: str) -> Answered:
        issue = self.ticket(f"{owner}/{repo}", number, writes=True)
        self.edited(issue, asked.body)
        return Answered(200, self.reported(issue))

    def list_events(self, asked: Asked, owner: str, repo: str, number: str) -> Answered:
        issue = self.ticket(f"{owner}/{repo}", number)
        events = [
            {"id": n, "event": "labeled", "actor": self.sender(who), "label": {"name": name}}
            for n, (name, who) in enumerate(issue.labelled)
        ]
        return paged(asked, events, f"http://{self.host}")

    def list_comments(self, asked: Asked, owner: str, repo: str, number: str) -> Answered:
        comments = self.subject(f"{owner}/{repo}", number).comments
        return paged(asked, [self.said(each) for each in comments], f"http://{self.host}")

    def make_comment(self, asked: Asked, owner: str, repo: str, number: str) -> Answered:
        on = self.subject(f"{owner}/{repo}", number, writes=True)
        return Answered(201, self.said(self.write(on, asked.body["body"])))

    def edit_comment(self, asked: Asked, owner: str, repo: str, comment: str) -> Answered:
        for words in self.every_comment(f"{owner}/{repo}"):
            if words.id == int(comment):
                return Answered(200, self.said(self.rewrite(words, asked.body["body"])))
        raise RefusedError(404, "Not Found")
