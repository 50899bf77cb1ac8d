"""Linear on loopback."""

import re
from datetime import datetime
from typing import Any

from domain.forges.issues import TrackerKind
from tests.forge.routing import Answered, Asked
from tests.trackers.doubles import NOON, TOKEN, Made, TrackerDouble


class LinearDouble(TrackerDouble):
    """Answers the operations that we ask, by their names."""

    kind = TrackerKind.LINEAR

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.said: list[tuple[dict[str, Any], dict[str, Any]]] = []
        """What was asked and answered, refusals apart."""

    def is_signed_in(self, header: str) -> bool:
        return header == f"Bearer {TOKEN}"

    def carried_out(self, asked: Asked) -> Answered:
        found = re.match(r"\s*(?:query|mutation) Treadle(\w+)", asked.body["query"])
        assert found is not None
        if (
            found[1] == "AddComment"
            and self.issues[asked.body["variables"]["input"]["issueId"]].is_locked
        ):
            errors = [{"message": "You may not comment", "extensions": {"code": "FORBIDDEN"}}]
            return Answered(200, {"data": None, "errors": errors})
        data = getattr(self, f"_{found[1].lower()}")(asked.body["variables"])
        if data is None:
            errors = [{"message": "Entity not found", "extensions": {"code": "INPUT_ERROR"}}]
            return Answered(200, {"data": None, "errors": errors})
        self.said.append((asked.body, {"data": data}))
        return Answered(200, {"data": data})

    def _issues(self, asked: dict[str, Any]) -> Any:
        wanted = asked["filter"]
        if wanted["team"]["key"]["eq"] != self.path:
            return None
        names = [each["labels"]["some"]["name"]["eqIgnoreCase"] for each in wanted.get("and", ())]
        who = wanted.get("assignee", {}).get("id", {}).get("eq")
        since = wanted.get("updatedAt", {}).get("gte", "")
        found = [
            self._shown(each)
            for each in sorted(self.issues.values(), key=lambda each: each.changed)
            if {name.casefold() for name in names} <= {name.casefold() for name in each.labels}
            and (who is None or who == f"user-{each.assignee}")
            and (not since or each.changed >= datetime.fromisoformat(since))
        ]
        start = int(asked["after"] or 0)
        page = {"hasNextPage": start + 2 < len(found), "endCursor": str(start + 2)}
        return {"issues": {"nodes": found[start : start + 2], "pageInfo": page}}

    def _issue(self, asked: dict[str, Any]) -> Any:
        made = self.issues.get(asked["id"])
        states = [{"id": "done", "type": "completed", "position": 2}]
        return made and {"issue": {**self._shown(made), "team": {"states": {"nodes": states}}}}

    def _history(self, asked: dict[str, Any]) -> Any:
        nodes = [
            {"createdAt": at.isoformat(), "actor": self._user(who), "addedLabels": [{"name": name}]}
            for who, name, at in reversed(self.issues[asked["id"]].labelled)
        ]
        return {"issue": {"history": {"nodes": nodes, "pageInfo": _LAST}}}

    def _comments(self, asked: dict[str, Any]) -> Any:
        nodes = [
            {
                "id": each.id,
                "body": each.body,
                "url": "",
                "createdAt": each.at.isoformat(),
                "editedAt": each.changed.isoformat() if each.changed != each.at else None,
                "user": self._user(each.author.login),
            }
            for each in reversed(self.issues[asked["id"]].comments)
        ]
        return {"issue": {"comments": {"nodes": nodes, "pageInfo": _LAST}}}

    def _comment(self, asked: dict[str, Any]) -> Any:
        every = [said for each in self.issues.values() for said in each.comments]
        found = [{"id": s.id, "body": s.body} for s in every if s.id == asked["id"]]
        return {"comments": {"nodes": found}}

    def _addcomment(self, asked: dict[str, Any]) -> Any:
        given = asked["input"]
        self.comment_as("treadle-bot", self.issues[given["issueId"]], given["body"], given["id"])
        return {"commentCreate": {"success": True}}

    def _editcomment(self, asked: dict[str, Any]) -> Any:
        every = [said for each in self.issues.values() for said in each.comments]
        [said] = [each for each in every if each.id == asked["id"]]
        said.body, said.changed = asked["input"]["body"], self.now()
        return {"commentUpdate": {"success": True}}

    def _close(self, asked: dict[str, Any]) -> Any:
        assert asked["input"] == {"stateId": "done"}
        self.close_by_hand(self.issues[asked["id"]])
        return {"issueUpdate": {"success": True}}

    def _shown(self, made: Made) -> dict[str, Any]:
        return {
            "id": made.id,
            "identifier": self.key_of(made),
            "url": f"https://linear.app/acme/issue/{self.key_of(made)}",
            "title": made.title,
            "description": made.body or None,
            "createdAt": NOON.isoformat(),
            "updatedAt": made.changed.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "trashed": None,
            "state": {"type": "started" if made.is_open else "completed"},
            "creator": self._user(made.author),
            "assignee": self._user(made.assignee) if made.assignee else None,
            "labels": {"nodes": [{"name": name} for name in sorted(made.labels)]},
        }

    def _user(self, login: str) -> dict[str, Any]:
        is_guest = login == "mallory"
        return {
            "id": f"user-{login}",
            "displayName": login,
            "active": True,
            "guest": is_guest,
            "app": False,
        }


_LAST = {"hasNextPage": False, "endCursor": None}
