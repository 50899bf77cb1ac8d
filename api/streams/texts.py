"""Long texts, like diffs and the output of commands."""

import re

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from api.core.dependencies import JournalDep
from domain.core.errors import NotFoundError

router = APIRouter(tags=["texts"])
_REFERENCE = re.compile(r"[0-9a-f]{64}", re.ASCII)


@router.get("/texts/{reference}", response_class=PlainTextResponse)
async def text(reference: str, journal: JournalDep) -> PlainTextResponse:
    """Get a long text, like a diff or the output of a command, by its reference in an event."""
    kept = await journal.text(reference) if _REFERENCE.fullmatch(reference) else None
    if kept is None:
        raise NotFoundError("no such text; references are 64 hex digits")
    return PlainTextResponse(kept)
