"""A command that is sent again with its `command_id` gets the first response, even after a restart."""

import hashlib
import json
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from adapters.journal.answers import Answers
from api.core import problems
from api.core.callers import CALLER
from api.core.errors import problem_of
from api.core.incoming import BODY
from api.core.pending import is_pending
from domain.core.errors import JournalError
from domain.people.access import Caller

_PLACES = (
    "threads",
    "flows",
    "flow-runs",
    "queue",
    "workflow-templates",
    "agents",
    "recipes/checks",
    "learnings",
)
_KEPT = tuple(f"/v1/{place}" for place in _PLACES)
"""Paths of commands whose responses are kept."""

UNREPEATABLE = frozenset(
    {"/v1/tokens", "/v1/host-invitations", "/v1/people/{person}/invite", "/v1/schedules/{name}/run"}
)
"""What is done again when it is sent again: answers with a secret are kept nowhere, and a schedule may run twice."""

_THREAD_PART = 3
"""The position of ID in `/v1/threads/ID/…`: command ids are separate for each thread."""


class Idempotency:
    """ASGI middleware behind the gate: keeps the responses to commands, and repeats them.

    A command is recorded before it is carried out. If its response was lost, it is sent to its workflow
    again, which recognizes its id; if it was refused, it may be corrected and sent again.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request; only commands with an id are kept."""
        body: Any = scope.get(BODY)
        command: Any = body.get("command_id") if isinstance(body, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] (any JSON)
        is_kept = scope["type"] == "http" and scope["path"].startswith(_KEPT)
        if not is_kept or not isinstance(command, str) or not command:
            await self._app(scope, receive, send)
            return
        try:
            await self._once(_key(scope["path"], command), scope, receive, send)
        except JournalError as error:
            await problems.response(problem_of(error))(scope, receive, send)

    async def _once(self, key: str, scope: Scope, receive: Receive, send: Send) -> None:
        answers: Answers = scope["app"].state.answers
        fingerprint = _fingerprint(scope)
        kept = await answers.claim(key, fingerprint)
        if kept.fingerprint != fingerprint:
            detail = "this command_id was used for a different request: use a new one"
            refusal = problems.problem(409, "key_reused", detail, field="command_id")
            await problems.response(refusal)(scope, receive, send)
            return
        if kept.body is not None:
            for message in _replayed(kept.status, kept.body):
                await send(message)
            return
        messages: list[Message] = []

        async def hearing(message: Message) -> None:
            messages.append(message)

        await self._app(scope, receive, hearing)
        status: int = messages[0]["status"]
        if is_pending(messages[0]):
            pass  # it is sent again to get its answer
        elif 200 <= status < 300:  # noqa: PLR2004
            whole = b"".join(message.get("body", b"") for message in messages[1:])
            await answers.keep(key, status, whole.decode())
        elif status < 500 and kept.is_new:  # noqa: PLR2004
            await answers.forget(key)
        for message in messages:
            await send(message)


def _key(path: str, command: str) -> str:
    parts = path.split("/")
    place = parts[_THREAD_PART] if len(parts) > _THREAD_PART else ""
    return hashlib.sha256(json.dumps([place, command]).encode()).hexdigest()


def _fingerprint(scope: Scope) -> str:
    caller: Caller = scope[CALLER]
    who = [] if caller.is_owner and not caller.token_id else [caller.person, caller.token_id]
    messages: list[Any] = [scope["method"], scope["path"], scope[BODY], *who]
    return hashlib.sha256(json.dumps(messages, sort_keys=True).encode()).hexdigest()


def _replayed(status: int, body: str) -> list[Message]:
    raw = body.encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(raw)).encode()),
    ]
    return [
        {"type": "http.response.start", "status": status, "headers": headers},
        {"type": "http.response.body", "body": raw},
    ]
