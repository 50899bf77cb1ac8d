"""Export of a whole thread."""

import json
from collections.abc import AsyncIterator
from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from adapters.journal import SqlJournal
from api.core.dependencies import KnownThread, ThreadLists
from api.core.permissions import OF_THREAD
from domain.core.event import JournaledEvent
from domain.core.ids import StreamId, ThreadId
from domain.core.markdown import code, fenced
from domain.reading.exports.export import TEXT_LIMIT, JournalText, StreamExport

_BATCH = 500
_REFERENCES = ("diff_ref", "output_ref")


async def as_markdown(journal: SqlJournal, thread: ThreadId) -> AsyncIterator[str]:
    """Yield a thread as Markdown: its own stream, then those of its tasks and sessions."""
    newest = await journal.position()
    yield f"# {code(thread)}\n\nAll times are UTC.\n\n"
    for stream in await journal.streams(StreamId(thread)):
        export = StreamExport(stream)
        for piece in export.begin():
            yield await _text(journal, piece)
        async for journaled in _events(journal, stream, newest, below=False):
            for piece in export.tell(journaled.event):
                yield await _text(journal, piece)
        for piece in export.end():
            yield await _text(journal, piece)
    yield f"\n---\n\nEnd of {code(thread)} at journal position {newest}.\n"


async def as_json(journal: SqlJournal, thread: ThreadId) -> AsyncIterator[str]:
    """Yield a thread as one JSON document: every event in order, then their long texts."""
    newest = await journal.position()
    head = json.dumps({"format": "treadle-thread-1", "thread_id": thread, "position": newest})
    yield f'{head[:-1]}, "events": ['
    references: dict[str, None] = {}
    comma = ""
    async for journaled in _events(journal, StreamId(thread), newest, below=True):
        references.update(dict.fromkeys(_references(journaled.event.body.model_dump())))
        yield f"{comma}\n{journaled.model_dump_json()}"
        comma = ","
    yield '\n], "texts": {'
    comma = ""
    for reference in references:
        text = await journal.text(reference)
        yield f"{comma}\n{json.dumps(reference)}: {json.dumps(text)}"
        comma = ","
    yield "\n}}\n"


async def _events(
    journal: SqlJournal, stream: StreamId, newest: int, *, below: bool
) -> AsyncIterator[JournaledEvent]:
    after = 0
    while batch := await journal.read(stream, after=after, limit=_BATCH, below=below):
        for journaled in batch:
            if journaled.position > newest:
                return
            yield journaled
        after = batch[-1].position


async def _text(journal: SqlJournal, piece: str | JournalText) -> str:
    if isinstance(piece, str):
        return piece
    text = await journal.text(piece.reference)
    if text is None:
        return f"*The text {code(piece.reference)} is not in the journal.*\n"
    return fenced(text, piece.info, TEXT_LIMIT)


def _references(value: object) -> list[str]:
    """Return the references of long texts in an event's body, wherever they are."""
    if isinstance(value, dict):
        fields: dict[str, object] = value  # pyright: ignore[reportUnknownVariableType]  (a dump)
        named = [v for name, v in fields.items() if name in _REFERENCES and isinstance(v, str)]
        return [*named, *(r for v in fields.values() for r in _references(v))]
    if isinstance(value, list | tuple):
        items: list[object] = [*value]  # pyright: ignore[reportUnknownArgumentType]  (a dump)
        return [reference for item in items for reference in _references(item)]
    return []


router = APIRouter(tags=["threads"], prefix="/threads", dependencies=[OF_THREAD])


class ExportFormat(StrEnum):
    """The format of an export: Markdown, or lossless JSON."""

    MD = "md"
    JSON = "json"


Format = Annotated[ExportFormat, Query(alias="format")]

_SHOWN: dict[int | str, dict[str, object]] = {
    200: {
        "description": "The thread as Markdown or JSON",
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
    """Export a thread as Markdown, or as lossless JSON with every event and its long texts."""
    make, kind = {
        ExportFormat.MD: (as_markdown, "text/markdown"),
        ExportFormat.JSON: (as_json, "application/json"),
    }[form]
    name = {"Content-Disposition": f'attachment; filename="{thread}.{form}"'}
    return StreamingResponse(make(journal, thread), media_type=kind, headers=name)
