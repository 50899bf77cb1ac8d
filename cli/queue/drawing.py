"""The queue as it is drawn on a terminal."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cli.core.console import plain
from domain.core.money import spent_words
from domain.queue.admission import taken
from domain.queue.entry import EntryState, QueueEntry
from domain.reading.queue import EntryView, QueueView

_OVER = 5
"""How many finished entries are listed."""

_STYLES = {
    EntryState.BLOCKED: "red",
    EntryState.HELD: "yellow",
    EntryState.STARTING: "cyan",
    EntryState.STARTED: "cyan",
    EntryState.ENDED: "dim",
    EntryState.REMOVED: "dim",
}


def page(view: QueueView) -> RenderableType:
    """Draw the queue."""
    parts: list[RenderableType] = [_head(view)]
    shown = [*view.entries, *view.over[:_OVER]]
    if shown:
        parts.append(_table(shown))
    else:
        parts.append(plain("The queue is empty. Add a goal with `treadle queue add GOAL`."))
    if len(view.over) > _OVER:
        parts.append(plain(f"… and {len(view.over) - _OVER} more finished", "dim"))
    parts += [plain(line, "dim") for line in _hints(view)]
    return Group(*parts)


def _head(view: QueueView) -> Text:
    limits = view.limits
    words = taken(view.running, limits.max_running, "run")
    words += f" (of one project {limits.per_project}, on one host {limits.per_host})"
    reviews = f" of {limits.max_reviews}" if limits.max_reviews else ""
    if view.asking or limits.max_reviews:
        words += f", {view.asking}{reviews} waiting for you"
    head = plain(words)
    if view.is_held:
        by = f" by {view.held_by}" if view.held_by else ""
        head.append_text(plain(f"; on hold{by}, nothing starts", "yellow"))
    return head


def _named(entry: QueueEntry) -> Text:
    return plain(f"{entry.entry_id} ({entry.issue.key})" if entry.issue else entry.entry_id)


def _table(entries: list[EntryView]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    table.add_column("place", justify="right")
    for heading in ("entry", "state", "why", "project"):
        table.add_column(heading, overflow="fold" if heading in {"entry", "why"} else "ellipsis")
    table.add_column("priority", justify="right")
    table.add_column("cost", justify="right")
    for shown in entries:
        entry = shown.entry
        style = _STYLES.get(entry.state, "")
        table.add_row(
            str(shown.place or ""),
            _named(entry),
            plain(entry.state, style),
            plain(shown.why),
            plain(entry.project.rsplit("/", 1)[-1]),
            str(entry.priority),
            plain(spent_words(shown.money)),
            style="dim" if entry.state.is_over else "",
        )
    return table


def _hints(view: QueueView) -> list[str]:
    """Return what a person can do about entries that do not start by themselves."""
    asking = [each.entry.entry_id for each in view.entries if each.why == "waiting for you"]
    look = "flow status" if asking and asking[0].startswith("flow-") else "show"
    answer = [f"Answer: treadle {look} {asking[0]}"] if asking else []
    return answer + _ways_on(view)


def _ways_on(view: QueueView) -> list[str]:
    if view.is_held:
        return ["Release it: treadle queue release"]
    for shown in view.entries:
        entry, name = shown.entry, shown.entry.entry_id
        if entry.is_refused:
            return [f"Retry: treadle queue release {name}"]
        if entry.state is EntryState.BLOCKED:
            return [f"Start it anyway: treadle queue release {name} --anyway"]
        if entry.state is EntryState.HELD:
            return [f"Release it: treadle queue release {name}"]
    return []
