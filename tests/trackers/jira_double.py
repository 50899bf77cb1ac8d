"""Jira on loopback."""

import base64
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

from adapters.trackers.documents import document_of
from domain.forges.issues import TrackerKind
from tests.forge.routing import Answered, Asked
from tests.trackers.doubles import NOON, TOKEN, Made, TrackerDouble


class JiraDouble(TrackerDouble):
    """Answers the requests that we make, and remembers the others."""

    kind = TrackerKind.JIRA
    root = "/rest/api/3"

    def is_signed_in(self, header: str) -> bool:
        return header == f"Basic {base64.b64encode(TOKEN.encode()).decode()}"

    def carried_out(self, asked: Asked) -> Answered:
        path = asked.path.removeprefix(self.root)
        routes: dict[str, Callable[..., Answered]] = {
            r"POST /search/jql": self._search,
            r"GET /user/assignable/search": self._assignable,
            r"GET /myself": lambda _: Answered(200, _account("treadle-bot")),
            r"GET /issue/(\d+)": lambda _, name: Answered(200, self._shown(self.issues[name])),
            r"GET /issue/(\d+)/changelog": self._changelog,
            r"GET /issue/(\d+)/comment": self._comments,
            r"POST /issue/(\d+)/comment": self._add,
            r"PUT /issue/(\d+)/comment/(\d+)": self._edit,
            r"GET /issue/(\d+)/transitions": lambda *_: Answered(200, {"transitions": _MOVES}),
            r"POST /issue/(\d+)/transitions": self._move,
        }
        for line, handler in routes.items():
            if found := re.fullmatch(line, f"{asked.method} {path}"):
                return handler(asked, *found.groups())
        self.wrong.append(f"{asked.method} {path}")
        return Answered(404, {})

    def _search(self, asked: Asked) -> Answered:
        jql = asked.body["jql"]
        assert jql.endswith(" ORDER BY updated ASC")
        if f'project = "{self.path}"' not in jql:
            return Answered(404, {"errorMessages": ["no such project"]})
        names = set(re.findall(r'labels = "([^"]*)"', jql))
        found = sorted(self.issues.values(), key=lambda each: each.changed)
        words, who = (re.search(f'{name} "([^"]*)"', jql) for name in ("summary ~", "assignee ="))
        shown = [
            self._shown(each)
            for each in found
            if names <= each.labels
            and (words is None or words[1] in each.title)
            and (who is None or who[1] == f"user-{each.assignee}")
        ]
        start = int(asked.body.get("nextPageToken", 0))
        more = {"nextPageToken": str(start + 2)} if start + 2 < len(shown) else {}
        return Answered(200, {"issues": shown[start : start + 2], **more})

    def _assignable(self, asked: Asked) -> Answered:
        account = asked.query["accountId"]
        people = [] if account == "user-mallory" else [{"accountId": account}]
        return Answered(200, people)

    def _changelog(self, _: Asked, name: str) -> Answered:
        values = [
            {
                "author": _account(who),
                "items": [{"field": "labels", "fromString": "bug", "toString": f"bug {label}"}],
            }
            for who, label, _at in self.issues[name].labelled
        ]
        return Answered(200, {"values": values, "total": len(values)})

    def _comments(self, _: Asked, name: str) -> Answered:
        said = [
            {
                "id": each.id,
                "author": _account(each.author.login),
                "body": document_of(each.body) if isinstance(each.body, str) else each.body,
                "created": _time(each.at),
                "updated": _time(each.changed),
                "properties": each.marks,
            }
            for each in self.issues[name].comments
        ]
        return Answered(200, {"comments": said, "total": len(said)})

    def _add(self, asked: Asked, name: str) -> Answered:
        if self.issues[name].is_locked:
            return Answered(403, {"errorMessages": ["You may not comment on this issue."]})
        said = self.comment_as("treadle-bot", self.issues[name], asked.body["body"])
        said.marks = asked.body["properties"]
        return Answered(201, {"id": said.id})

    def _edit(self, asked: Asked, name: str, comment: str) -> Answered:
        [said] = [each for each in self.issues[name].comments if each.id == comment]
        said.body, said.changed = asked.body["body"], self.now()
        return Answered(200, {"id": said.id})

    def _move(self, asked: Asked, name: str) -> Answered:
        assert asked.body == {"transition": {"id": "31"}}
        self.close_by_hand(self.issues[name])
        return Answered(204)

    def _shown(self, made: Made) -> dict[str, Any]:
        category = "indeterminate" if made.is_open else "done"
        fields = {
            "summary": made.title,
            "description": document_of(made.body) if made.body else None,
            "creator": _account(made.author),
            "labels": sorted(made.labels),
            "assignee": _account(made.assignee) if made.assignee else None,
            "status": {"statusCategory": {"key": category}},
            "created": _time(NOON),
            "updated": _time(made.changed),
        }
        return {"id": made.id, "key": self.key_of(made), "fields": fields}


_MOVES = [
    {"id": "11", "to": {"statusCategory": {"key": "new"}}},
    {"id": "31", "to": {"statusCategory": {"key": "done"}}},
]


def _account(login: str) -> dict[str, str]:
    return {"accountId": f"user-{login}", "displayName": login, "accountType": "atlassian"}


def _time(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "+0000")
