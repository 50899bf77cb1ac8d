"""The double as GitHub: the GraphQL that only GraphQL can do. Each operation is known by its field."""

from typing import Any

from tests.forge.routing import Answered, Asked, RefusedError
from tests.forge.skins.common import Skin, stamp
from tests.forge.things import Placed, Pull, Words


class Graph:
    """Review threads, auto-merge and the merge queue."""

    def __init__(self, skin: Skin) -> None:
        self._skin = skin
        self._world = skin.world

    def answer(self, asked: Asked) -> Answered:
        query, given = asked.body["query"], asked.body.get("variables", {})
        known = {
            "resolveReviewThread": self._resolve,
            "enablePullRequestAutoMerge": self._enable,
            "disablePullRequestAutoMerge": self._disable,
            "enqueuePullRequest": self._enqueue,
            "dequeuePullRequest": self._dequeue,
            "reviewThreads": self._threads,
            "PullRequestReviewThread": self._more,
            "mergeQueueEntry": self._queued,
            "viewer": self._viewer,
        }
        field = next((name for name in known if name in query), None)
        if field is None:
            return Answered(200, {"errors": [{"message": f"unknown: {query[:200]}"}]})
        try:
            return Answered(200, {"data": known[field](given)})
        except RefusedError as refused:
            kind = "NOT_FOUND" if refused.status == 404 else "UNPROCESSABLE"
            return Answered(
                200, {"data": None, "errors": [{"type": kind, "message": refused.message}]}
            )

    def _viewer(self, given: dict[str, Any]) -> dict[str, Any]:
        me = self._world.me
        return {"viewer": {"databaseId": me.id, "login": me.login}}

    def _of(self, node: str) -> Pull:
        for pull in self._world.pulls.values():
            if f"PR_{pull.id}" == node:
                return pull
        raise RefusedError(404, f"Could not resolve to a node with the global id of '{node}'")

    def _threads(self, given: dict[str, Any]) -> dict[str, Any]:
        pull = self._skin.pull(f"{given['owner']}/{given['name']}", str(given["number"]))
        start = int(given.get("after") or 0)
        page = pull.threads[start : start + 100]
        more = start + 100 < len(pull.threads)
        threads = {
            "nodes": [self._thread(each) for each in page],
            "pageInfo": {"hasNextPage": more, "endCursor": str(start + 100)},
        }
        shown = {"reviewThreads": threads, "mergeQueueEntry": self._entry(pull)}
        return {"repository": {"pullRequest": shown}}

    def _entry(self, pull: Pull) -> dict[str, Any] | None:
        return {"id": "Q"} if pull.will_merge_itself and pull.project.has_queue else None

    def _queued(self, given: dict[str, Any]) -> dict[str, Any]:
        pull = self._skin.pull(f"{given['owner']}/{given['name']}", str(given["number"]))
        return {"repository": {"pullRequest": {"mergeQueueEntry": self._entry(pull)}}}

    def _more(self, given: dict[str, Any]) -> dict[str, Any]:
        threads = [thread for pull in self._world.pulls.values() for thread in pull.threads]
        thread = next(each for each in threads if each.id == given["thread"])
        return {"node": {"comments": self._comments(thread, int(given["after"]))}}

    def _comments(self, thread: Placed, start: int) -> dict[str, Any]:
        more = start + 100 < len(thread.comments)
        return {
            "nodes": [self._said(each) for each in thread.comments[start : start + 100]],
            "pageInfo": {"hasNextPage": more, "endCursor": str(start + 100)},
        }

    def _thread(self, thread: Placed) -> dict[str, Any]:
        return {
            "id": thread.id,
            "path": thread.path,
            "line": thread.line,
            "isResolved": thread.is_resolved,
            "comments": self._comments(thread, 0),
        }

    def _said(self, words: Words) -> dict[str, Any]:
        who = words.author
        kind = "Bot" if who.is_bot else "User"
        edited = None if words.updated_at == words.created_at else stamp(words.updated_at)
        return {
            "databaseId": words.id,
            "body": words.body,
            "url": f"https://{self._skin.host}/comment/{words.id}",
            "createdAt": stamp(words.created_at),
            "lastEditedAt": edited,
            "author": {"__typename": kind, "login": who.login, "databaseId": who.id},
        }

    def _resolve(self, given: dict[str, Any]) -> dict[str, Any]:
        for pull in self._world.pulls.values():
            for thread in pull.threads:
                if thread.id == given["thread"]:
                    thread.is_resolved = True
                    return {"resolveReviewThread": {"thread": {"id": thread.id}}}
        raise RefusedError(404, "Could not resolve to a node")

    def _enable(self, given: dict[str, Any]) -> dict[str, Any]:
        pull = self._of(given["id"])
        if pull.commit != given["commit"]:
            raise RefusedError(422, "Head branch was modified. Review and try the merge again.")
        if not self._world.is_waiting(pull):
            raise RefusedError(422, "Pull request Pull request is in clean status")
        return self._begin(pull, given["method"].lower(), "enablePullRequestAutoMerge")

    def _enqueue(self, given: dict[str, Any]) -> dict[str, Any]:
        pull = self._of(given["id"])
        if not pull.project.has_queue:
            raise RefusedError(422, "The merge queue is not enabled for this branch")
        if pull.commit != given["commit"]:
            raise RefusedError(422, "Head branch was modified. Review and try the merge again.")
        return self._begin(pull, pull.project.merge_method, "enqueuePullRequest")

    def _begin(self, pull: Pull, method: str, field: str) -> dict[str, Any]:
        if pull.state != "open":
            raise RefusedError(422, "Pull request is closed")
        pull.will_merge_itself, pull.auto_method = True, method
        return {field: {"clientMutationId": None}}

    def _disable(self, given: dict[str, Any]) -> dict[str, Any]:
        pull = self._of(given["id"])
        if pull.is_stubborn or not pull.will_merge_itself or pull.project.has_queue:
            raise RefusedError(422, "Can't disable auto-merge for this pull request.")
        pull.will_merge_itself = False
        return {"disablePullRequestAutoMerge": {"clientMutationId": None}}

    def _dequeue(self, given: dict[str, Any]) -> dict[str, Any]:
        pull = self._of(given["id"])
        if pull.is_stubborn or self._entry(pull) is None:
            raise RefusedError(422, "Pull request can't be removed from the merge queue")
        pull.will_merge_itself = False
        return {"dequeuePullRequest": {"clientMutationId": None}}
