"""A whole thread to take away."""

from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from api.dependencies import KnownThread, ThreadLists
from api.exports import as_json, as_markdown

router = APIRouter(tags=["threads"], prefix="/threads")


class ExportFormat(StrEnum):
    """How a thread is written: to be read, or with every event."""

    MD = "md"
    JSON = "json"


Format = Annotated[ExportFormat, Query(alias="format")]

_SHOWN: dict[int | str, dict[str, object]] = {
    200: {
        "description": "The thread; Markdown or JSON",
        "content": {
            "text/markdown": {"schema": {"type": "string"}},
            "application/json": {"schema": {"type": "object"}},
        },
    }
}


@router.get("/{thread}/export", response_class=StreamingResponse, responses=_SHOWN)
async def export(
    thread: KnownThread, journal: ThreadLists, form: Format = ExportFormat.MD
) -> StreamingResponse:
    """Export a thread: as Markdown, or as JSON with every event in order and the texts they name."""
    make, kind = {
        ExportFormat.MD: (as_markdown, "text/markdown"),
        ExportFormat.JSON: (as_json, "application/json"),
    }[form]
    name = {"Content-Disposition": f'attachment; filename="{thread}.{form}"'}
    return StreamingResponse(make(journal, thread), media_type=kind, headers=name)
