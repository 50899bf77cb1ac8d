"""Views of terminals and their output, from the journal."""

from datetime import datetime

from domain.agents.terminal_events import TerminalEnded, TerminalOpened, TerminalWrote
from domain.agents.terminals import Terminal
from domain.core.errors import NotFoundError
from domain.core.event import Event
from domain.core.ids import EventId, StreamId
from domain.core.ports import Journal
from domain.core.wire import Wire

MAX_OUTPUT_BYTES = 256 << 10
_CHUNK = 200


class TerminalView(Terminal):
    """A terminal with its stream, and when its process started and ended."""

    stream: StreamId
    opened_at: datetime
    ended_at: datetime | None = None


class OutputView(Wire):
    """Output of a terminal, at most the last 256 KiB; `position` is where to continue.

    `skipped` bytes before the text are missing: they were not kept, or too many for one response.
    """

    terminal: TerminalView
    text: str
    position: int
    skipped: int = 0


async def terminals_below(journal: Journal, above: StreamId) -> list[TerminalView]:
    """Return the terminals of a task, a session or a whole thread, oldest first."""
    headlines = await journal.headlines("terminal", below=above)
    views = [await _view(journal, headline.stream) for headline in headlines]
    found = [view for view in views if view is not None]
    return sorted(found, key=lambda view: view.opened_at)


async def terminal_of(journal: Journal, stream: StreamId) -> TerminalView:
    """Return one terminal.

    Raises:
        NotFoundError: There is none of that number.
    """
    found = await _view(journal, stream)
    if found is None:
        owner, _, name = stream.rpartition("/")
        known = ", ".join(view.id for view in await terminals_below(journal, StreamId(owner)))
        raise NotFoundError(f"{name} not found; terminals: {known or 'none'}")
    return found


async def output_of(journal: Journal, stream: StreamId, since: int) -> OutputView:
    """Return the output of a terminal after a position.

    Raises:
        NotFoundError: There is none of that number.
    """
    terminal = await terminal_of(journal, stream)
    kept, first, after, position = b"", since, 0, 0
    while batch := await journal.read(stream, after=after, limit=_CHUNK):
        after = batch[-1].position
        for body in (entry.event.body for entry in batch):
            if not isinstance(body, TerminalWrote):
                continue
            piece = body.text.encode()
            position = body.position + len(piece)
            if position <= since:
                continue
            if body.position > first + len(kept):  # what is not contiguous cannot be joined
                kept, first = b"", body.position
            kept = (kept + piece[max(0, first + len(kept) - body.position) :])[-MAX_OUTPUT_BYTES:]
            first = position - len(kept)
    text = kept.decode("utf-8", "ignore")
    return OutputView(
        terminal=terminal,
        text=text,
        position=position,
        skipped=max(0, position - len(text.encode()) - since),
    )


async def _view(journal: Journal, stream: StreamId) -> TerminalView | None:
    opened = await journal.event(EventId(f"{stream}:opened"))
    ended = await journal.event(EventId(f"{stream}:ended"))
    if opened is None or not isinstance(opened.body, TerminalOpened):
        return None
    return TerminalView(
        **_newest(opened.body.terminal, ended).model_dump(),
        stream=stream,
        opened_at=opened.at,
        ended_at=ended.at if ended else None,
    )


def _newest(terminal: Terminal, ended: Event | None) -> Terminal:
    if ended is None or not isinstance(ended.body, TerminalEnded):
        return terminal
    return ended.body.terminal
