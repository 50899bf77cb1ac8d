"""Tasks that several agents do at once, as they are drawn on a terminal: one table."""

from collections.abc import Callable, Iterator

from rich.console import Group, RenderableType
from rich.table import Table

from cli.core.console import plain, quoted
from cli.core.tables import table_of
from domain.core.money import USD, spent_words
from domain.core.text import counted, duration
from domain.plans.best_of import AgentChoice
from domain.reading.contest_views import CandidateView, ContestView

_STYLES = {"ready": "bold green", "taken": "bold green", "merged": "green", "failed": "red"}


def contest(view: ContestView) -> RenderableType:
    """Draw a contest: a row for each candidate, and what a person should know of their work."""
    head = plain(f"{view.task_id}: {view.title}", "bold")
    risks = (
        plain(f"  ! {each.letter}: {risk}", "bold red")
        for each in view.candidates
        for risk in each.risks
    )
    notes = (
        plain(f"  {each.letter}: {words}", "dim")
        for each in view.candidates
        for words in (each.made_of, each.notes)
        if words
    )
    hashed = (
        [plain(f"  content hash {view.request.content_hash[:12]}", "dim")] if view.request else []
    )
    return Group(head, _table(view), *risks, *notes, *_opinion(view), *hashed)


def _opinion(view: ContestView) -> Iterator[RenderableType]:
    """Draw what the judge says, and whose work has which number for it."""
    found = view.opinion
    if found is None:
        return
    who = AgentChoice(found.agent, found.model).text
    numbers = ", ".join(f"work {n} is {letter}" for n, letter in enumerate(found.letters, 1))
    if found.failure:
        yield plain(f"  {who} gave no opinion: {found.failure}", "dim")
    elif not found.text:
        yield plain(f"  waiting for the opinion of {who}", "dim")
    else:
        old = "" if found.is_of_now else ", on an earlier version"
        yield plain(f"  Opinion of {who} ({numbers}{old}), advisory only:", "bold")
        yield quoted(found.text)


def _table(view: ContestView) -> Table:
    """Draw the rows: columns that nobody has anything in are left out, so that the others have room."""
    columns = [
        (heading, [cell(each) for each in view.candidates]) for heading, cell in _CELLS.items()
    ]
    shown = [(heading, cells) for heading, cells in columns if any(cells)]
    table = table_of("", *(heading for heading, _ in shown))
    table.padding = (0, 1)
    for number, each in enumerate(view.candidates):
        style = _STYLES.get(each.standing, "dim")
        cells = (
            plain(cells[number], style if heading in _STYLED else "") for heading, cells in shown
        )
        table.add_row(plain(each.letter, style), *cells)
    return table


def _checks(each: CandidateView) -> str:
    if not each.attempts:
        return ""
    failed = f", failed: {', '.join(each.failed)}" if each.failed else ""
    return f"{each.passed} passed{failed}"


def _findings(each: CandidateView) -> str:
    return ", ".join(f"{count} {severity}" for severity, count in each.findings.items())


def _changes(each: CandidateView) -> str:
    if not each.commit:
        return ""
    return f"+{each.insertions} −{each.deletions} in {counted(each.files, 'file')}"


def _time(each: CandidateView) -> str:
    return duration(each.work_ms) if each.work_ms else ""


def _tokens(each: CandidateView) -> str:
    """Return the tokens of a candidate; empty where its agent told none."""
    stats = each.stats
    if not stats.tokens:
        return ""
    partial = " (last calls only)" if stats.is_partial else ""
    return f"{stats.prompt_tokens:,} in, {stats.completion_tokens:,} out{partial}"


def _cost(each: CandidateView) -> str:
    others = (f"{cost:.2f} {name}" for name, cost in each.stats.costs.items() if name != USD)
    return ", ".join(filter(None, (spent_words(each.stats.money), *others)))


_CELLS: dict[str, Callable[[CandidateView], str]] = {
    "agent": lambda each: AgentChoice(each.agent, each.model).text,
    "status": lambda each: str(each.standing),
    "checks": _checks,
    "findings": _findings,
    "changes": _changes,
    "time": _time,
    "tokens": _tokens,
    "cost": _cost,
}
_STYLED = frozenset({"agent", "status"})


def ways(thread_id: str, view: ContestView) -> Iterator[str]:
    """Yield the commands that read and answer a contest."""
    if view.request is None:
        return
    for each in view.candidates:
        if each.standing == "ready":
            yield f"treadle diff {thread_id} {each.candidate}"
            yield f"treadle take {thread_id} {each.candidate}"
