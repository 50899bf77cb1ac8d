"""Long texts: diffs and the output of commands."""

import re

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from api.core.dependencies import JournalDep
from domain.core.errors import NotFoundError

router = APIRouter(tags=["texts"])
_REFERENCE = re.compile(r"[0-9a-f]{64}", re.ASCII)


@router.get("/texts/{reference}", response_class=PlainTextResponse)
async def text(reference: str, journal: JournalDep) -> PlainTextResponse:
    """Return a text by the reference that an event holds."""
    kept = await journal.text(reference) if _REFERENCE.fullmatch(reference) else None
    if kept is None:
        raise NotFoundError("there is no such text; references are 64 hex digits")
    return PlainTextResponse(kept)
