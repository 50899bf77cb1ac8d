"""The double as GitLab: issues and their notes."""

from datetime import datetime
from typing import Any

from tests.forge.routing import Answered, Asked, Handler, RefusedError, paged
from tests.forge.skins.common import Skin, stamp
from tests.forge.things import Ticket, Words

MEMBERS = ("ann", "treadle-bot")
_P = "/projects/{project}"
_I = f"{_P}/issues/{{number}}"


class Issues(Skin):
    """Issues and notes."""

    def issue_routes(self) -> dict[str, Handler]:
        return {
            f"GET {_P}/issues": self.list_issues,
            f"GET {_I}": self.get_issue,
            f"PUT {_I}": self.edit_issue,
            f"GET {_I}/resource_label_events": self.list_label_events,
            f"GET {_P}/members/all/{{user}}": self.get_member,
            f"GET {_I}/notes": self.list_issue_notes,
            f"POST {_I}/notes": self.make_issue_note,
            f"PUT {_I}/notes/{{note}}": self.edit_issue_note,
        }

    def said(self, words: Words) -> dict[str, Any]:
        """Return a note."""
        raise NotImplementedError

    def reported(self, issue: Ticket) -> dict[str, Any]:
        return {
            "id": issue.id,
            "iid": issue.number,
            "project_id": issue.project.id,
            "title": issue.title,
            "description": issue.body,
            "web_url": f"https://{self.host}/{issue.project.path}/-/issues/{issue.number}",
            "state": "opened" if issue.is_open else "closed",
            "author": self.sender(issue.author),
            "labels": sorted(issue.labels),
            "assignees": [self.sender(each) for each in issue.assignees],
            "created_at": stamp(issue.created_at),
            "updated_at": stamp(issue.updated_at),
        }

    def list_issues(self, asked: Asked, project: str) -> Answered:
        self.project(project)
        query = asked.query
        labels = {each for each in query.get("labels", "").split(",") if each}
        since = query.get("updated_after")
        who = query.get("assignee_username") or query.get("assignee_username[]")
        found = [
            each
            for each in self.world.issues.values()
            if each.project.path == project
            and labels <= each.labels
            and query.get("state", "all") in {"all", "opened" if each.is_open else "closed"}
            and (not since or each.updated_at >= datetime.fromisoformat(since))
            and who in {None, *(a.login for a in each.assignees)}
            and query.get("assignee_id") in {None, *(str(a.id) for a in each.assignees)}
            and query.get("search", "") in each.title
        ]
        found.sort(key=lambda each: each.updated_at, reverse=query.get("sort", "desc") == "desc")
        return paged(asked, [self.reported(each) for each in found], f"http://{self.host}")

    def get_issue(self, asked: Asked, project: str, number: str) -> Answered:
        return Answered(200, self.reported(self.ticket(project, number)))

    def edit_issue(self, asked: Asked, project: str, number: str) -> Answered:
        issue = self.ticket(project, number, writes=True)
        self.edited(issue, asked.body)
        return Answered(200, self.reported(issue))

    def list_label_events(self, asked: Asked, project: str, number: str) -> Answered:
        events = [
            {"id": n, "action": "add", "user": self.sender(who), "label": {"name": name}}
            for n, (name, who) in enumerate(self.ticket(project, number).labelled)
        ]
        return paged(asked, events, f"http://{self.host}")

    def get_member(self, asked: Asked, project: str, user: str) -> Answered:
        del asked
        self.project(project)
        known = [self.world.somebody(login) for login in MEMBERS]
        for who in known:
            if str(who.id) == user:
                return Answered(200, {**self.sender(who), "access_level": 30})
        raise RefusedError(404, "Not found")

    def list_issue_notes(self, asked: Asked, project: str, number: str) -> Answered:
        notes = [self.said(words) for words in self.ticket(project, number).comments]
        if asked.query.get("sort", "desc") == "desc":
            notes.reverse()
        return paged(asked, notes, f"http://{self.host}")

    def make_issue_note(self, asked: Asked, project: str, number: str) -> Answered:
        issue = self.ticket(project, number, writes=True)
        return Answered(201, self.said(self.write(issue, asked.body["body"])))

    def edit_issue_note(self, asked: Asked, project: str, number: str, note: str) -> Answered:
        for words in self.ticket(project, number, writes=True).comments:
            if words.id == int(note):
                return Answered(200, self.said(self.rewrite(words, asked.body["body"])))
        raise RefusedError(404, "Not Found")
