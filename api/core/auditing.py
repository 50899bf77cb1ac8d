"""Every request that may change something is in the audit log before it is answered, refused ones too."""

import json
import re
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, cast

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from adapters.journal import SqlJournal
from api.core import problems
from api.core.callers import CALLER
from api.core.errors import problem_of
from api.core.incoming import BODY, SAFE
from api.core.reach import ADDRESS
from api.core.refused import door_of, refused_of
from domain.core.errors import JournalError
from domain.core.printable import visible
from domain.core.secret_forms import without_secrets
from domain.people.access import Caller
from domain.people.audit import MAX_REASON, AuditEntry, AuditResult, Door

_UNCHANGING = ("/v1/temporal/codec/", "/v1/flows/check", "/v1/prunes/preview", "/v1/viewers/")
_USER = re.compile(r"(https?://)[^/@\s]+@", re.IGNORECASE)
_NAMES = ("thread", "run", "entry", "token_id", "host", "agent")


async def note_sign_in(
    journal: SqlJournal,
    person: str,
    address: str,
    *,
    how: str,
    refusal: str = "",
    token_id: str = "",
) -> None:
    """Note that somebody signed in, or was refused; `how` names the way, like `oidc` or `link`."""
    entry = AuditEntry(
        at=datetime.now(UTC),
        person=person,
        token_id=token_id,
        address=address,
        door=Door.SIGN_IN,
        action=how,
        result=AuditResult.REFUSED if refusal else AuditResult.DONE,
        reason=_kept(refusal)[:MAX_REASON],
    )
    await journal.people.audit.add(entry)


class Auditing:
    """ASGI middleware behind the gate, which found who sends a request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if not _is_of_somebody(scope):
            await self._app(scope, receive, send)
            return
        if not _is_audited(scope):
            await self._app(scope, receive, _watching(scope, send))
            return
        held: list[Message] = []

        async def hearing(message: Message) -> None:
            held.append(message)

        await self._app(scope, receive, hearing)
        entry = _entry(scope, held)
        try:
            if held and held[0]["status"] == HTTPStatus.FORBIDDEN:
                await refused_of(scope).note_person(entry)
            else:
                await _journal(scope).people.audit.add(entry)
        except JournalError as error:
            await problems.response(problem_of(error))(scope, receive, send)
            return
        for message in held:
            await send(message)


def _is_of_somebody(scope: Scope) -> bool:
    return scope["type"] == "http" and CALLER in scope and scope["path"].startswith("/v1/")


def _is_audited(scope: Scope) -> bool:
    return scope["method"] not in SAFE and not scope["path"].startswith(_UNCHANGING)


def _watching(scope: Scope, send: Send) -> Send:
    """Return what passes a response on, and records that a person was refused to read."""
    held: list[Message] = []

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == HTTPStatus.FORBIDDEN:
            held.append(message)
        elif len(held) == 1:
            held.append(message)
            await refused_of(scope).note_person(_entry(scope, held))
        await send(message)

    return sending


def _entry(scope: Scope, held: list[Message]) -> AuditEntry:
    caller: Caller = scope[CALLER]
    refusal = _refusal(held)
    return AuditEntry(
        at=datetime.now(UTC),
        person=caller.signature,
        token_id=caller.token_id or caller.sign_in_id,
        address=scope[ADDRESS],
        door=door_of(scope),
        action=f"{scope['method']} {_route(scope)}",
        target=_target(scope),
        project=_named(scope, "repository"),
        shown=_named(scope, "content_hash"),
        result=AuditResult.REFUSED if refusal else AuditResult.DONE,
        reason=_kept(refusal)[:MAX_REASON],
    )


def _route(scope: Scope) -> str:
    """Return the route without what its parameters were; of none the path."""
    path = _kept(getattr(scope.get("route"), "path", scope["path"]))[:200]
    return path if path.startswith("/v1/") else f"/v1{path}"


def _target(scope: Scope) -> str:
    parameters: dict[str, Any] = scope.get("path_params") or {}
    first = [str(parameters[name]) for name in _NAMES if name in parameters]
    rest = [str(value) for name, value in parameters.items() if name not in _NAMES]
    named = _kept(" ".join([*first, *rest]))
    return f"{named} {_named(scope, 'request_id')}".strip()[:400]


def _named(scope: Scope, field: str) -> str:
    body: Any = scope.get(BODY)
    found = cast("dict[str, Any]", body).get(field) if isinstance(body, dict) else None
    return _kept(found)[:400] if isinstance(found, str) else ""


def _kept(text: str) -> str:
    """Return what a log that nobody can change may keep: nothing of the password in a URL, nothing unprintable."""
    return _USER.sub(r"\1", without_secrets(visible(text[:4096])))


def _refusal(held: list[Message]) -> str:
    """Return the name of a refusal and its sentence; empty where a request was taken."""
    status: int = held[0]["status"] if held else 500
    if status < 400:  # noqa: PLR2004
        return ""
    try:
        problem = json.loads(b"".join(message.get("body", b"") for message in held[1:]))
        name = str(problem["type"]).removeprefix("treadle:")
        return f"{status} {name}: {problem.get('detail', '')}"
    except (ValueError, KeyError, TypeError):
        return str(status)


def _journal(scope: Scope) -> SqlJournal:
    return scope["app"].state.journal
