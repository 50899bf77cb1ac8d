"""Long texts, like diffs and the output of commands."""

import re

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from adapters.journal import SqlJournal
from api.core.dependencies import ThreadLists
from api.core.permissions import OF_PROJECTS, Permits, PermitsDep
from domain.core.errors import NotFoundError
from domain.people.roles import EVERY_PROJECT

router = APIRouter(tags=["texts"], dependencies=[OF_PROJECTS])
_REFERENCE = re.compile(r"[0-9a-f]{64}", re.ASCII)


@router.get("/texts/{reference}", response_class=PlainTextResponse)
async def text(reference: str, journal: ThreadLists, permits: PermitsDep) -> PlainTextResponse:
    """Get a long text, like a diff or the output of a command, by its reference in an event.

    It is found only where an event of a project of yours names it.
    """
    kept = await named_text(reference, journal, permits)
    if kept is None:
        raise NotFoundError("no such text; references are 64 hex digits")
    return PlainTextResponse(kept)


async def named_text(reference: str, journal: SqlJournal, permits: Permits) -> str | None:
    """Return a kept text; None where an event that the caller may read names none."""
    kept = await journal.text(reference) if _REFERENCE.fullmatch(reference) else None
    is_found = kept is not None and await _is_named_for(reference, journal, permits)
    return kept if is_found else None


async def _is_named_for(reference: str, journal: SqlJournal, permits: Permits) -> bool:
    """Tell whether an event that the caller may read names a text."""
    if permits.sees(EVERY_PROJECT):
        return True
    texts = journal.people.texts
    if await _sees_one(texts.known(reference), permits):
        return True
    return await _sees_one(await texts.naming(reference), permits)


async def _sees_one(streams: frozenset[str], permits: Permits) -> bool:
    for stream in streams:
        if await permits.sees_stream(stream):
            return True
    return False
