"""The tools that open, queue and say something: all of it a proposal, on which a person decides."""

import hashlib
import json
import time
from collections import OrderedDict
from threading import Lock
from typing import Any

from cli.core.client import path_of
from cli.core.repositories import repository_of
from cli.core.threads import pick
from cli.core.works import task_in
from cli.mcp import answers
from cli.mcp.arguments import Arguments, Comment, Entry, Goal, Message, Proposal
from cli.mcp.tool import Call, ToolError
from domain.core.comments import LineComment, Side

AGAIN_SECONDS = 60
"""How long the same arguments are the same call: clients send again what they have got no answer to."""

MAX_REMEMBERED = 1_000

NEXT = "A person decides; call wait_for_thread to learn when they have."


class Repeats:
    """The command ids of calls without a key, by what they were called with."""

    def __init__(self) -> None:
        self._seen: OrderedDict[str, tuple[str, float]] = OrderedDict()
        self._lock = Lock()

    def id_of(self, realm: str, tool: str, given: Arguments, key: str | None) -> str:
        """Return the command id of a call: the same for the same key, or for the same call a moment ago.

        Keys of others, who have other tokens, are others.
        """
        if key is not None:
            return f"mcp-{_digest(realm, tool, key)}"
        name, now = _digest(realm, tool, given.model_dump(mode="json")), time.monotonic()
        with self._lock:
            known, at = self._seen.pop(name, ("", 0.0))
            if not known or now - at > AGAIN_SECONDS:
                known, at = f"mcp-{_digest(name, time.time_ns())}", now
            self._seen[name] = (known, at)
            while len(self._seen) > MAX_REMEMBERED:
                self._seen.popitem(last=False)
        return known


_REPEATS = Repeats()


def _digest(*parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


def propose_thread(call: Call, given: Proposal) -> answers.Opened:
    """Open a thread."""
    body = _thread(call, given) | {
        "command_id": _REPEATS.id_of(call.realm, "propose_thread", given, given.idempotency_key),
        "is_planned": given.mode == "planned",
    }
    opened: str = call.client.post("/v1/threads", body)["thread_id"]
    return answers.Opened(
        thread=opened, opened_by=call.signature, url=call.page_of(opened), next=NEXT
    )


def queue_thread(call: Call, given: Entry) -> answers.Queued:
    """Put a goal into the queue."""
    item = _thread(call, given) | {"priority": given.priority, "after": given.after}
    key = _REPEATS.id_of(call.realm, "queue_thread", given, given.idempotency_key)
    queued = call.client.post("/v1/queue", {"command_id": key, "items": [item]})
    return answers.Queued(
        entry=queued["entries"][0],
        queued_by=call.signature,
        next="Its thread has the same id once it starts. A person approves its plan.",
    )


def _thread(call: Call, given: Goal) -> dict[str, Any]:
    where = given.repository or call.folder
    if not where:
        raise ToolError("invalid", "name the repository: this server was not started in a folder")
    wished = {"agent": given.agent, "model": given.model, "template": given.template}
    named = {name: value for name, value in wished.items() if value is not None}
    return {"repository": repository_of(where), "goal": given.goal, **named}


def send_message(call: Call, given: Message) -> answers.Said:
    """Say something to an agent."""
    return _said(call, given.thread, given.task, given.text, given)


def comment_on_line(call: Call, given: Comment) -> answers.Said:
    """Say something to a task's agent about a line of its diff."""
    comment = LineComment(path=given.path, line=given.line, side=Side(given.side), text=given.text)
    return _said(
        call, given.thread, given.task, f"A comment on the diff:\n\n{comment.as_line}", given
    )


def _said(
    call: Call, thread: str, task: str | None, text: str, given: Message | Comment
) -> answers.Said:
    name = pick(call.client, thread)
    place = ("threads", name)
    if task is not None:
        task = task_in(call.client, name, task)
        place = (*place, "tasks", task)
    key = _REPEATS.id_of(call.realm, "say", given, given.idempotency_key)
    answer = call.client.post(path_of(*place, "messages"), {"command_id": key, "text": text})
    return answers.Said(thread=name, task=task, said_by=call.signature, answer=answer["message"])
