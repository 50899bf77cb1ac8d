"""Requests that are refused before a route takes them are in the audit log, within bounds."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from http import HTTPStatus

from starlette.types import Scope

from adapters.journal import SqlJournal
from api.core.incoming import values_of
from api.core.problems import Problem
from api.core.reach import ADDRESS
from domain.core.errors import JournalError
from domain.people.audit import MAX_REASON, AuditEntry, AuditResult, Door
from domain.people.refusals import OF_PEOPLE, OF_STRANGERS, WINDOW, Refusals

_LOG = logging.getLogger(__name__)
_RECORDED = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
MAX_PATH = 200

CLI = b"treadle-cli"
"""What the command line calls itself."""


class RefusedRequests:
    """Records what is refused: the first at once, and what repeats once a minute, as a count."""

    def __init__(self, journal: SqlJournal) -> None:
        self._journal = journal
        self._strangers = Refusals(OF_STRANGERS)
        self._people = Refusals(OF_PEOPLE)
        self._telling: asyncio.Task[None] | None = None

    async def note(self, scope: Scope, problem: Problem) -> None:
        """Record that the gate refused a request, if it did for who sends it."""
        if problem.status in _RECORDED and not _is_first_visit(scope):
            await self._note(self._strangers, _entry(scope, problem))

    async def note_person(self, entry: AuditEntry) -> None:
        """Record that a person was refused for their role."""
        await self._note(self._people, entry)

    async def close(self) -> None:
        """Record what was counted."""
        if self._telling is not None:
            self._telling.cancel()
        now = datetime.now(UTC)
        for refusals in (self._strangers, self._people):
            await self._add(refusals.due(now, is_last=True))

    async def _note(self, refusals: Refusals, entry: AuditEntry) -> None:
        await self._add(refusals.note(entry))
        if refusals.are_counted and (self._telling is None or self._telling.done()):
            self._telling = asyncio.create_task(self._tell_later())

    async def _tell_later(self) -> None:
        while self._strangers.are_counted or self._people.are_counted:
            await asyncio.sleep(WINDOW.total_seconds())
            for refusals in (self._strangers, self._people):
                await self._add(refusals.due(datetime.now(UTC)))

    async def _add(self, entries: list[AuditEntry]) -> None:
        """Add records; nothing is granted here, so a journal that fails is only logged."""
        try:
            if entries:
                await self._journal.people.audit.add(*entries)
        except JournalError as error:
            _LOG.warning("refusals are not in the audit log: %s", error)


@asynccontextmanager
async def recording(journal: SqlJournal) -> AsyncGenerator[RefusedRequests]:
    """Record refusals while an app is open."""
    refused = RefusedRequests(journal)
    try:
        yield refused
    finally:
        await refused.close()


def refused_of(scope: Scope) -> RefusedRequests:
    """Return what records refusals of the app of a request."""
    return scope["app"].state.refused


def door_of(scope: Scope) -> Door:
    """Return where a request came in: browsers send a cookie, programs a token."""
    if not values_of(scope, b"authorization"):
        return Door.PAGE
    agents = [value for name, value in scope["headers"] if name == b"user-agent"]
    return Door.CLI if any(agent.startswith(CLI) for agent in agents) else Door.API


def _entry(scope: Scope, problem: Problem) -> AuditEntry:
    name = problem.type.removeprefix("treadle:")
    return AuditEntry(
        at=datetime.now(UTC),
        person="",
        address=scope.get(ADDRESS) or _peer(scope),
        door=door_of(scope),
        action=f"{scope['method'][:10]} {scope['path'][:MAX_PATH]}",
        result=AuditResult.REFUSED,
        reason=f"{problem.status} {name}: {problem.detail}"[:MAX_REASON],
    )


def _peer(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


def _is_first_visit(scope: Scope) -> bool:
    """Tell whether it is a browser that has no credentials yet: it gets the page to sign in."""
    has_any = bool(values_of(scope, b"authorization") or values_of(scope, b"cookie"))
    return scope["method"] == "GET" and not has_any and not scope["path"].startswith("/v1/")
